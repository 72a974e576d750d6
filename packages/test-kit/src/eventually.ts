import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Repeats an expectation until it holds, and never sleeps longer than needed. Fails with its last error when the time is
 * up, which is only there for what never comes: a machine that has other work is slower, and passes all the same.
 */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await sleep(everyMs);
    }
  }
}
