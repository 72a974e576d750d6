import type { Repeat } from '../generated/operations.ts';

/** `Retry-After` beyond this is for the caller to decide: the call rejects at once. */
export const retryAfterMaxSec = 60;
const backoffMaxMs = 8_000;

/** What is known of an attempt that has not succeeded. */
export type Outcome =
  /** The gateway has refused it, and has changed nothing. */
  | { readonly kind: 'refused' }
  /** Nothing was changed, and it may be sent again: 429 and 503 of the gateway, or no connection came about. */
  | { readonly kind: 'not-done' }
  /** It may have been carried out: no answer, half an answer, a fault of a server. */
  | { readonly kind: 'unknown' }
  /** It has been carried out and its record decides: 504 that names a payout. */
  | { readonly kind: 'recorded' };

/** Whether the same call may be sent again. */
export function mayRepeat(outcome: Outcome, repeat: Repeat): boolean {
  switch (outcome.kind) {
    case 'not-done':
      return true;
    case 'unknown':
      return repeat !== 'never';
    case 'refused':
    case 'recorded':
      return false;
  }
}

/** Codes by which the gateway itself says that nothing was created. */
const nothingCreated: ReadonlySet<string> = new Set(['RATE_LIMITED', 'PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);

/** What an answer with a status beyond 2xx says of the call. */
export function outcomeOf(status: number, code: string, ids: Readonly<Record<string, string>>): Outcome {
  if (nothingCreated.has(code)) return { kind: 'not-done' };
  if ('payout_id' in ids) return { kind: 'recorded' };
  // Without a code of the gateway a proxy has answered, after it passed the call on or before.
  return status >= 500 || status === 408 || status === 429 ? { kind: 'unknown' } : { kind: 'refused' };
}

/** Errors before anything was sent, by the codes that Node and Bun have for them. */
const notConnected: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ConnectionRefused', 'FailedToOpenSocket'],
]);

/** Whether an error of `fetch` means that nothing was sent. */
export function wasNotSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly cause?: unknown;
  };
  if (typeof code === 'string' && notConnected.has(code)) return true;
  // Deno has no code for it, and this sentence of its HTTP client.
  if (typeof message === 'string' && message.includes('client error (Connect)')) return true;
  return wasNotSent(cause);
}

/** How long to wait before the next attempt: with full jitter, and never shorter than the gateway asks. */
export function delayMs(attempt: number, firstMs: number, retryAfterSec: number | undefined): number {
  const backoff = Math.random() * Math.min(firstMs * 2 ** (attempt - 1), backoffMaxMs);
  return retryAfterSec === undefined ? backoff : retryAfterSec * 1_000 + Math.min(backoff, 500);
}

/** Seconds, from a number or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
