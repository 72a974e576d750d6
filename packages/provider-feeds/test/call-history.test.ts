import { expect, test } from 'vitest';
import { callHistoryMax } from '@gateway/contracts/providers';
import { createTestDatabase } from '@gateway/test-kit';
import { CallCounts, callFigureMigrations } from '#src/call-figures.ts';
import { readCallHistory } from '#src/call-history.ts';

const now = new Date('2026-03-04T05:06:07.890Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ago = (ms: number) => new Date(now.getTime() - ms);
const seconds = (at: Date) => at.getTime() / 1_000;

async function opened(migrations = callFigureMigrations) {
  return await createTestDatabase('deposits', { entities: [], migrations });
}

const call = (durationMs: number, changes: object = {}) => ({
  ...{ provider: 'bank', operation: 'create-charge', isFailed: false, durationMs, at: now },
  ...changes,
});
const ofTheMonth = { providers: ['bank'], from: seconds(ago(31 * dayMs)), to: seconds(now), zone: 'UTC' };

test('calls of all operations and processes add up by the hour, and by the day of a zone', async () => {
  await using opening = await opened();
  const { database } = opening;
  const [one, other] = [new CallCounts(), new CallCounts()];
  for (let nth = 0; nth < 9; nth += 1) one.add(call(100));
  one.add(call(100, { at: ago(3 * hourMs) }));
  other.add(call(2_000, { operation: 'balance', isFailed: true }));
  other.add(call(10, { provider: 'another' }));
  await Promise.all([one.write(database, now), other.write(database, now)]);
  // What is written is not written again.
  await one.write(database, now);
  const { slots } = await readCallHistory(database, { ...ofTheMonth, by: 'hour' });
  expect(slots.map(({ at, calls, failed }) => [at, calls, failed])).toEqual([
    [Date.UTC(2026, 2, 4, 2) / 1_000, 1, 0],
    [Date.UTC(2026, 2, 4, 5) / 1_000, 10, 1],
  ]);
  expect(slots[1]!.durations.filter((count) => count > 0)).toEqual([9, 1]);
  // Two in the night there is the evening before.
  const inSaoPaulo = await readCallHistory(database, { ...ofTheMonth, by: 'day', zone: 'America/Sao_Paulo' });
  expect(inSaoPaulo.slots.map(({ at, calls }) => [at, calls])).toEqual([
    [Date.UTC(2026, 2, 3, 3) / 1_000, 1],
    [Date.UTC(2026, 2, 4, 3) / 1_000, 10],
  ]);
});

test('hours are kept for a month', async () => {
  await using opening = await opened();
  const { database } = opening;
  const counts = new CallCounts();
  counts.add(call(5, { at: ago(32 * dayMs) }));
  counts.add(call(5, { at: ago(30 * dayMs) }));
  await counts.write(database, now);
  expect(await database.query('select hour from provider_call_hour')).toHaveLength(1);
});

test('a service that has counted calls before hours were kept begins with those of its last day', async () => {
  await using opening = await opened(callFigureMigrations.slice(0, 1));
  const { database } = opening;
  const none = Array.from({ length: 45 }, () => 0);
  const add = (operation: string, at: Date, bucket: number) =>
    database.query('insert into provider_call values ($1, $2, $3, 2, 1, $4::text::integer[])', [
      ...['bank', operation, at],
      `{${none.with(bucket, 2).join(',')}}`,
    ]);
  await add('balance', now, 7);
  await add('create-charge', ago(300_000), 9);
  await add('create-charge', ago(2 * hourMs), 9);
  await database.query(callFigureMigrations[1]!.sql!);
  const { slots } = await readCallHistory(database, { ...ofTheMonth, by: 'hour' });
  expect(slots.map(({ calls, failed, durations }) => [calls, failed, durations[7], durations[9]])).toEqual([
    [2, 1, 0, 2],
    [4, 2, 2, 2],
  ]);
});

test('a period with more than an answer has is refused', async () => {
  await using opening = await opened();
  const { database } = opening;
  await database.query(
    `insert into provider_call_hour select name, to_timestamp(hour * 3600), 1, 0, '{1}'
       from generate_series(1, $1) hour cross join (values ('bank'), ('other')) as provider (name)`,
    [callHistoryMax / 2 + 1],
  );
  const asked = { providers: ['bank', 'other'], from: 0, to: seconds(now), by: 'hour' as const, zone: 'UTC' };
  await expect(readCallHistory(database, asked)).rejects.toMatchObject({ details: [{ path: 'from' }] });
});
