import { ZodError } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { backoffMs, isConnectionError, quotedRows, withoutRows } from '@gateway/runtime';

/** Deliveries after which a message that keeps failing for an unknown reason is set aside. */
const deliveriesMax = 10;
const redelivery = { firstMs: 1_000, maxMs: 30_000 };

/** What is done with a message whose handler failed: the one place that decides (design.md 3.5). */
export type FailureHandling =
  { readonly action: 'again'; readonly delayMs: number } | { readonly action: 'set-aside'; readonly reason: string };

/**
 * - our own faults (database, bus, another service away): again, forever, with growing delay
 * - poison (does not decode, refused for good): set aside at once
 * - anything else may be a bug or bad luck: again a few times, then set aside
 */
export function classifyFailure(error: unknown, deliveries: number): FailureHandling {
  const again = { action: 'again', delayMs: backoffMs(deliveries - 1, redelivery) } as const;
  if (isConnectionError(error)) return again;
  if (error instanceof ZodError || error instanceof SyntaxError) return { action: 'set-aside', reason: error.message };
  if (error instanceof DomainError) {
    const temporary = error.code === 'SERVICE_UNAVAILABLE' || error.code === 'PROVIDER_UNAVAILABLE';
    return temporary ? again : { action: 'set-aside', reason: `${error.code}: ${error.message}` };
  }
  if (deliveries < deliveriesMax) return again;
  if (!(error instanceof Error)) return { action: 'set-aside', reason: String(error) };
  return { action: 'set-aside', reason: withoutRows(error.stack ?? error.message, quotedRows(error)) };
}
