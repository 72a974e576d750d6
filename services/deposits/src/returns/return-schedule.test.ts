import { expect, test } from 'vitest';
import { nextAttempt, plannedRecheck, recheckRetry } from '#src/returns/return-schedule.ts';

const dayMs = 86_400_000;
const now = new Date('2026-03-04T05:06:07.008Z');
const secondsUntil = (at: Date | null) => at && (at.getTime() - now.getTime()) / 1_000;

test('an attempt without a decision is made again after 5 s, 10 s, 20 s, … and at most 5 min', () => {
  const distances = [0, 1, 2, 3, 4, 5, 6, 7, 2_000].map((attempts) => secondsUntil(nextAttempt(attempts, now)));
  expect(distances).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
});

test('a return that has failed is asked about 1, 7, 30 and 91 days after its end, and then no more', () => {
  let days = 0;
  const asked = [0, 1, 2, 3].map((rechecks) => {
    const at = plannedRecheck({ calledAt: now, rechecks }, now);
    return (days += (at!.getTime() - now.getTime()) / dayMs);
  });
  expect(asked).toEqual([1, 7, 30, 91]);
  expect(plannedRecheck({ calledAt: now, rechecks: 4 }, now)).toBeNull();
});

test('a return that no provider can know of is never asked about', () => {
  for (const calledAt of [null, undefined]) expect(plannedRecheck({ calledAt, rechecks: 0 }, now)).toBeNull();
});

test('a question that brought no answer is asked again within the hour', () => {
  expect(secondsUntil(recheckRetry(now))).toBe(3_600);
});
