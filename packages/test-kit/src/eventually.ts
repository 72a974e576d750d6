import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What has been waited for long is asked for less often, since each question takes processor time from what it waits for: a
 * pause grows with the wait, by a twentieth of it, up to this.
 */
const longestPauseMs = 1_000;

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  /** The shortest pause. */
  readonly everyMs?: number;
}

/**
 * Repeats an expectation until it holds, and hardly sleeps longer than needed. Fails with its last error once it did not hold
 * although it was asked after the time was up: a machine that has other work is slower, and passes all the same.
 */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  { timeoutMs = 120_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<T> {
  const beganAt = performance.now();
  const deadline = beganAt + timeoutMs;
  for (;;) {
    const askedAt = performance.now();
    try {
      return await expectation();
    } catch (error) {
      if (askedAt >= deadline) throw error;
      await sleep(Math.max(everyMs, Math.min((performance.now() - beganAt) / 20, longestPauseMs)));
    }
  }
}
