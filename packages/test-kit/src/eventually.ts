import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Repeats an expectation until it holds. Fails with its last error when the time is up; never sleeps longer than needed. */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 20 }: EventuallyOptions = {},
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
