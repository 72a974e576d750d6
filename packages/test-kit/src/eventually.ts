import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Repeats an expectation until it holds, and never sleeps longer than needed. Fails with its last error once it did not hold
 * although it was asked after the time was up: a machine that has other work is slower, and passes all the same.
 */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const askedAt = performance.now();
    try {
      return await expectation();
    } catch (error) {
      if (askedAt >= deadline) throw error;
      await sleep(everyMs);
    }
  }
}
