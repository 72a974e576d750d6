import { expect, test } from 'vitest';
import { clockLimitMs } from '@gateway/contracts/ledger';
import { decisionClock, WriterClock } from '#src/writer/writer-clock.ts';

test('the time of decisions never goes back, and is later than every decision of the writer before', () => {
  const times = [50, 103, 99, 104];
  const clock = decisionClock(() => times.shift() ?? 0, 100);
  expect([clock(), clock(), clock(), clock()]).toEqual([101, 103, 103, 104]);
});

test('what was decided in the future stops a writer, but for the time that two operators accepted, and nothing beyond it', () => {
  const clock = new WriterClock({ now: () => 0 });
  const [postgresMs, acceptedMs] = [1_000_000, 900_000_000];
  const required =
    (decidedAtMs: number, accepted = 0) =>
    () =>
      clock.requirePast(decidedAtMs, postgresMs, accepted);
  expect(required(postgresMs + clockLimitMs)).not.toThrow();
  expect(required(postgresMs + clockLimitMs + 1)).toThrow(/is dated \d+ ms after PostgreSQL's time/);
  expect(required(acceptedMs + clockLimitMs, acceptedMs)).not.toThrow();
  expect(required(acceptedMs + clockLimitMs + 1, acceptedMs)).toThrow(/is dated/);
});
