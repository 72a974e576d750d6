import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#src/telemetry/logger.ts';

const backoffFirstMs = 200;
const backoffMaxMs = 5_000;

/** Doubling wait before try number `attempt` (from 0), with up to a quarter of jitter, at most five seconds. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const base = Math.min(backoffFirstMs * 2 ** attempt, backoffMaxMs);
  return Math.round(base * (1 - random() / 4));
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
