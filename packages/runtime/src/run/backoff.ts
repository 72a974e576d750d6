import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#src/telemetry/logger.ts';

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** By which share of it a delay may be shorter, so that those who failed together do not return together; 0 by default. */
  readonly jitterShare?: number;
}

/** For a connection of this process, which is tried again in memory. */
const connectionBackoff: Backoff = { firstMs: 200, maxMs: 5_000, jitterShare: 0.25 };

/**
 * The delay before retry number `retry` (from 0): it doubles from the first one up to the longest. Everything that is
 * tried again with growing delays asks here, with the limits of its own case; times that a table stores pass no jitter.
 */
export function backoffMs(
  retry: number,
  { firstMs, maxMs, jitterShare = 0 }: Backoff = connectionBackoff,
  random: () => number = Math.random,
): number {
  const delayMs = Math.min(firstMs * 2 ** retry, maxMs);
  return jitterShare === 0 ? delayMs : Math.round(delayMs * (1 - random() * jitterShare));
}

export interface UntilReachableOptions<T> {
  /** What is waited for, as the log calls it: `PostgreSQL`, `NATS`. */
  readonly what: string;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
  readonly connect: () => Promise<T>;
}

/** Tries until it works or the signal aborts, and logs each attempt: a dependency that starts later is no failure. */
export async function untilReachable<T>(options: UntilReachableOptions<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await options.connect();
    } catch (error) {
      options.signal?.throwIfAborted();
      const waitMs = backoffMs(attempt);
      options.logger.warn({ err: error, attempt, waitMs }, `${options.what} cannot be reached, trying again`);
      await sleep(waitMs, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}
