import { expect, test } from 'vitest';
import { durationAt, durationBucketOf, durationBuckets } from '@gateway/contracts/providers';
import { createTestDatabase } from '@gateway/test-kit';
import { CallCounts, callFigureMigrations, readCallFigures } from '#src/call-figures.ts';

const now = new Date('2026-03-04T05:06:07.890Z');
const hourMs = 3_600_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

async function opened() {
  return await createTestDatabase('deposits', { entities: [], migrations: callFigureMigrations });
}

const call = (durationMs: number, changes: object = {}) => ({
  ...{ provider: 'bank', operation: 'create-charge', isFailed: false, durationMs, at: now },
  ...changes,
});

test('what several processes count of a provider adds up, by operation, however often each writes', async () => {
  await using opening = await opened();
  const { database } = opening;
  const [one, other] = [new CallCounts(), new CallCounts()];
  for (let nth = 0; nth < 90; nth += 1) one.add(call(100));
  for (let nth = 0; nth < 10; nth += 1) other.add(call(2_000, { isFailed: nth === 0 }));
  other.add(call(10, { operation: 'balance' }));
  other.add(call(10, { provider: 'another' }));
  await Promise.all([one.write(database, now), other.write(database, now)]);
  // What is written is not written again.
  await one.write(database, now);
  one.add(call(60_000));
  await one.write(database, now);
  const { calls } = await readCallFigures(database, 'bank', now);
  expect(calls).toMatchObject([
    { operation: 'balance', calls: 1, failed: 0 },
    { operation: 'create-charge', calls: 101, failed: 1 },
  ]);
  const { durations } = calls[1]!;
  expect(durations.reduce((sum, count) => sum + count, 0)).toBe(101);
  const within = (part: number, atLeast: number) => {
    const shown = durationAt(part, durations)!;
    return shown >= atLeast && shown <= atLeast * 1.25 + 1;
  };
  expect([within(0.5, 100), within(0.95, 2_000)]).toEqual([true, true]);
});

test('calls count for a day, and are dropped after that', async () => {
  await using opening = await opened();
  const { database } = opening;
  const counts = new CallCounts();
  counts.add(call(5, { at: ago(25.5 * hourMs) }));
  counts.add(call(5, { at: ago(24.1 * hourMs) }));
  counts.add(call(5, { at: ago(23.8 * hourMs) }));
  await counts.write(database, now);
  expect((await readCallFigures(database, 'bank', now)).calls).toMatchObject([{ calls: 1 }]);
  expect(await database.query('select calls from provider_call')).toHaveLength(2);
});

test('the last notification is the newest, whoever saw it', async () => {
  await using opening = await opened();
  const { database } = opening;
  const [one, other] = [new CallCounts(), new CallCounts()];
  one.notified('bank', ago(1_000));
  one.notified('bank', ago(5_000));
  other.notified('bank', ago(3_000));
  await one.write(database, now);
  await other.write(database, now);
  const { lastNotificationAt } = await readCallFigures(database, 'bank', now);
  expect(lastNotificationAt).toBe(ago(1_000).toISOString());
  expect((await readCallFigures(database, 'another', now)).lastNotificationAt).toBeNull();
});

test('what could not be written is counted on', async () => {
  await using opening = await opened();
  const { database } = opening;
  const counts = new CallCounts();
  counts.add(call(5));
  counts.notified('bank', now);
  const away = new Error('the database is away');
  const broken = Object.create(database, {
    transaction: { value: () => Promise.reject(away) },
  }) as typeof database;
  await expect(counts.write(broken, now)).rejects.toThrow(away);
  counts.add(call(5));
  await counts.write(database, now);
  expect(await readCallFigures(database, 'bank', now)).toMatchObject({
    calls: [{ calls: 2 }],
    lastNotificationAt: now.toISOString(),
  });
});

test.each([
  [0.1, 2],
  [150, 150],
  [29_000, 29_000],
  [600_000, 29_387],
])('a call of %d ms is shown as at most a quarter longer', (ms, atLeast) => {
  const bucket = durationBucketOf(ms);
  const shown = durationAt(
    0.95,
    Array.from({ length: durationBuckets }, (_, nth) => (nth === bucket ? 1 : 0)),
  )!;
  expect(shown).toBeGreaterThanOrEqual(atLeast);
  expect(shown).toBeLessThanOrEqual(Math.max(atLeast * 1.25, 2) + 1);
});
