import { expect, test } from 'vitest';
import { clockLimitMs } from '@gateway/contracts/ledger';
import { clockProblem, WriterClock } from '#src/writer/writer-clock.ts';

const dayMs = 86_400_000;

test.each([
  ['all three agree', 0, 0, null],
  ['a step of five seconds', 5_000, -5_000, null],
  ['the limit, to the millisecond', -clockLimitMs, null, null],
  ['the process is ahead', 40 * dayMs, -40 * dayMs, 'process'],
  ['the process is behind', -dayMs, dayMs, 'process'],
  ['PostgreSQL is off', -dayMs, 0, 'postgresql'],
  ['PostgreSQL is off and no message has come from the broker yet', dayMs, null, 'unknown'],
  ['all three differ', dayMs, dayMs, 'unknown'],
  ['the broker alone is off', 0, 40 * dayMs, null],
] as const)('%s', (_what, offsetMs, brokerAheadMs, problem) => {
  expect(clockProblem({ offsetMs, brokerAheadMs }, clockLimitMs)).toBe(problem);
});

test('a command that waited for days shows nothing of the broker, one from the future does, and one that was awaited', () => {
  const clock = new WriterClock({ now: () => 10 * dayMs });
  clock.sawStorageTime(3 * dayMs, false);
  expect(clock.brokerAheadMs).toBe(0);
  clock.sawStorageTime(11 * dayMs, false);
  expect(clock.brokerAheadMs).toBe(dayMs);
  clock.sawStorageTime(9 * dayMs, true);
  expect(clock.brokerAheadMs).toBe(-dayMs);
});

test('an answer that took long does not make the clocks differ, and neither does a writer that was busy before it read it', () => {
  const times = [60_000];
  const clock = new WriterClock({ now: () => times.shift() ?? 0 });
  clock.compare(0, 30_000);
  expect(clock.offsetMs).toBe(0);
});
