import { expect, test } from 'vitest';
import { decisionClock } from '#src/writer/writer-clock.ts';

test('the time of decisions never goes back, and is later than every decision of the writer before', () => {
  const times = [50, 103, 99, 104];
  const clock = decisionClock(() => times.shift() ?? 0, 100);
  expect([clock(), clock(), clock(), clock()]).toEqual([101, 103, 103, 104]);
});
