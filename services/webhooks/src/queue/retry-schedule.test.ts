import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryLifetimeMs, nextAttemptInMs } from '#src/queue/retry-schedule.ts';

const hourMs = 3_600_000;

/** Start times of every attempt of a delivery whose receiver never answers well, in milliseconds from its creation. */
function attemptsOf(random: () => number, callMs = 0, immediately = true): number[] {
  const starts = [0];
  for (let nowMs = callMs; ;) {
    const nextInMs = nextAttemptInMs(
      { attempts: starts.length, remainingMs: deliveryLifetimeMs - nowMs, immediately },
      random,
    );
    if (nextInMs === null) return starts;
    starts.push(nowMs + nextInMs);
    nowMs += nextInMs + callMs;
  }
}

describe('a delivery that keeps failing', () => {
  test('is tried 16 times: twice more at once, then with growing delays', () => {
    const starts = attemptsOf(() => 0);
    expect(starts).toHaveLength(16);
    const delays = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(delays.slice(0, 2)).toEqual([200, 200]);
    expect(delays.slice(2, 14).map((ms) => ms / 60_000)).toEqual([0.5, 2, 5, 10, 15, 30, 60, 120, 240, 240, 240, 240]);
    expect(starts.at(-1)).toBe(deliveryLifetimeMs - 5 * 60_000);
  });

  test('is tried a last time in the last ten minutes of its day, whatever the jitter and the length of calls', () => {
    const fractions = fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fractions, fc.integer({ min: 0, max: 7_000 }), fc.boolean(), (values, callMs, immediately) => {
        let next = 0;
        const starts = attemptsOf(() => values[next++ % values.length]!, callMs, immediately);
        expect(starts.length).toBeGreaterThanOrEqual(15);
        expect(starts.at(-1)).toBeGreaterThanOrEqual(deliveryLifetimeMs - 10 * 60_000);
        expect(starts.at(-1)).toBeLessThan(deliveryLifetimeMs);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
    );
  });

  test('is not tried at once where that makes no sense', () => {
    const failed = { attempts: 1, remainingMs: deliveryLifetimeMs, immediately: false };
    expect(nextAttemptInMs(failed, () => 0)).toBe(30_000);
  });

  test('waits as long as its receiver asks, but not past its last attempt', () => {
    const failed = { attempts: 1, remainingMs: deliveryLifetimeMs, immediately: true };
    expect(nextAttemptInMs({ ...failed, retryAfterMs: 120_000 }, () => 0)).toBe(120_000);
    expect(nextAttemptInMs({ ...failed, retryAfterMs: 1e15 }, () => 0)).toBe(24 * hourMs - 300_000);
  });

  test('has failed when its last attempt has', () => {
    const failed = { attempts: 15, remainingMs: 299_000, immediately: false };
    expect(nextAttemptInMs(failed, () => 0)).toBeNull();
  });
});
