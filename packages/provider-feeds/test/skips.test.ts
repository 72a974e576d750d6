import { expect, test } from 'vitest';
import { listDepositFeeds, skipDepositFeed } from '@gateway/contracts/providers';
import { callRpc, serveRpc, type Bus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { feedRoutes } from '#src/feed-routes.ts';
import { ago, clock, database, List, open, pass, stateOf, useFeedTables } from './feed-lists.ts';

useFeedTables();

const list = { environment: 'live', provider: 'bank', feed: 'payments' } as const;
const minuteMs = 60_000;

/** A provider that answers no window with anything of ten minutes, and every other one. */
async function failing({ rereadAfterHours = [] as readonly number[] } = {}) {
  const payments = new List('payments', rereadAfterHours);
  const feeds = open([payments]);
  await pass(feeds, { seconds: 120 });
  const [from, to] = [clock.now, new Date(clock.now.getTime() + 10 * minuteMs)];
  payments.instead = (query) =>
    query.from < to && query.to > from ? { kind: 'unavailable', cause: 'the provider answers 500' } : null;
  payments.items.push({ key: 'within', at: new Date(from.getTime() + minuteMs) }, { key: 'behind', at: to });
  await pass(feeds, { seconds: 1_200 });
  return { payments, feeds, from, to };
}

async function asService<T>(work: (bus: Bus) => Promise<T>): Promise<T> {
  await using bus = await createTestBus();
  await using served = await serveRpc(
    bus,
    feedRoutes(database(), 'deposits', () => clock.now),
    silentLogger,
  );
  void served;
  return await work(bus);
}

const shown = () => asService(async (bus) => (await callRpc(bus, listDepositFeeds, {})).feeds[0]!);
const skip = (from: string, until: Date, approvalId = newId('approval')) =>
  asService((bus) =>
    callRpc(bus, skipDepositFeed, {
      ...{ ...list, from, until: until.toISOString(), approvalId },
      reason: 'it has no data of these minutes',
    }),
  );

test('a part that a list does not answer is skipped: what comes behind it is read, the part stays a gap, and is read when it can be', async () => {
  const { payments, feeds, from, to } = await failing();
  expect(await stateOf('behind')).toBeUndefined();
  const { failsFrom, failingSince } = await shown();
  expect(failingSince).not.toBeNull();
  const approvalId = newId('approval');
  const { feed } = await skip(failsFrom!, to, approvalId);
  const gap = {
    from: failsFrom,
    to: to.toISOString(),
    cause: 'it has no data of these minutes',
    skippedBy: approvalId,
  };
  expect(feed.gaps).toMatchObject([gap]);
  await pass(feeds, { seconds: 900 });
  expect([await stateOf('behind'), await stateOf('within')]).toEqual(['TAKEN', undefined]);
  const fine = { failingSince: null, failsFrom: null, readUntil: ago(30).toISOString() };
  expect(await shown()).toMatchObject({ ...fine, gaps: [gap] });
  await pass(feeds, { seconds: 2 * 3_600, stepSec: 300 });
  const { gaps } = await shown();
  expect([gaps[0]!.from <= from.toISOString(), gaps.at(-1)!.to]).toEqual([true, to.toISOString()]);
  expect(new Set(gaps.map(({ skippedBy }) => skippedBy))).toEqual(new Set([approvalId]));
  payments.instead = () => null;
  await pass(feeds, { seconds: 3_720, stepSec: 60 });
  expect(await stateOf('within')).toBe('TAKEN');
  expect((await shown()).gaps).toEqual([]);
});

test('what can be read of a skip is read, though the part of it that cannot stays so: readers leave out no more than that part', async () => {
  const { payments, feeds, from, to } = await failing();
  const { failsFrom } = await shown();
  payments.items.push({ key: 'in the skip', at: new Date(to.getTime() + minuteMs) });
  await pass(feeds, { seconds: 3_600, stepSec: 300 });
  await skip(failsFrom!, new Date(to.getTime() + 60 * minuteMs));
  await pass(feeds, { seconds: 3_600, stepSec: 300 });
  expect(await stateOf('in the skip')).toBeUndefined();
  await pass(feeds, { seconds: 1_500 });
  expect([await stateOf('in the skip'), await stateOf('within')]).toEqual(['TAKEN', undefined]);
  const { gaps } = await shown();
  expect(from.getTime() - Date.parse(gaps[0]!.from)).toBeLessThanOrEqual(10_000);
  expect(Date.parse(gaps.at(-1)!.to) - to.getTime()).toBeLessThanOrEqual(10_000);
  const missed = await database().query(
    `select from generate_series($1::timestamptz, $2::timestamptz - interval '1 second', interval '1 second') as at
     where not exists (select from poll_gap where from_at <= at and to_at > at)`,
    [from, to],
  );
  expect(missed).toEqual([]);
});

test('the gap of a skip stays whole while the list is not read at the present either', async () => {
  const { payments, feeds, to } = await failing();
  const { failsFrom } = await shown();
  await skip(failsFrom!, to);
  await pass(feeds, { seconds: 600 });
  payments.instead = () => ({ kind: 'unavailable', cause: '401' });
  await pass(feeds, { seconds: 2 * 3_600, stepSec: 300 });
  expect((await shown()).gaps).toMatchObject([{ from: failsFrom, to: to.toISOString(), attempts: 2 }]);
});

test('a skip of which nothing can be read is in so many parts, and no more: each costs a call an hour', async () => {
  const { payments, feeds, from, to } = await failing();
  const { failsFrom } = await shown();
  const until = new Date(to.getTime() + 180 * minuteMs);
  payments.instead = (query) =>
    query.from < until && query.to > from ? { kind: 'unavailable', cause: 'the provider answers 500' } : null;
  await pass(feeds, { seconds: 4 * 3_600, stepSec: 300 });
  await skip(failsFrom!, until);
  await pass(feeds, { seconds: 3_600, stepSec: 300 });
  await pass(feeds, { seconds: 3_000, stepSec: 60 });
  expect(await shown()).toMatchObject({ gapCount: 128 });
});

test('every reader that comes to a skipped part later goes on behind it, with what stands before it read', async () => {
  const { payments, feeds, to } = await failing({ rereadAfterHours: [1] });
  const { failsFrom } = await shown();
  await skip(failsFrom!, to);
  payments.items.push({ key: 'booked late', at: new Date(Date.parse(failsFrom!) - 1_000), bookedAt: to });
  await pass(feeds, { seconds: 4 * 3_600, stepSec: 300 });
  expect(await stateOf('booked late')).toBe('TAKEN');
  const behind = await database().query('select from feed where failing_since is not null or from_at < $1', [to]);
  expect(behind).toEqual([]);
});

test('a skip is made once for an approval, also when its gap has been read since', async () => {
  const { payments, feeds, to } = await failing();
  const { failsFrom } = await shown();
  const approvalId = newId('approval');
  await skip(failsFrom!, to, approvalId);
  payments.instead = () => null;
  await pass(feeds, { seconds: 3_700, stepSec: 300 });
  const { feed } = await skip(failsFrom!, to, approvalId);
  expect(feed).toMatchObject({ gaps: [], readUntil: ago(30).toISOString() });
  await expect(skip(failsFrom!, to)).rejects.toMatchObject({ code: 'INVALID_STATE' });
});

test('a skip of days leaves gaps of a day at most, so that each can be read alone', async () => {
  const { payments, feeds } = await failing();
  const { failsFrom } = await shown();
  payments.instead = () => ({ kind: 'unavailable', cause: 'gone' });
  await pass(feeds, { seconds: 3 * 86_400, stepSec: 3_600 });
  const until = new Date(Date.parse(failsFrom!) + 60 * 3_600_000);
  const { feed } = await skip(failsFrom!, until);
  const hours = feed.gaps.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 3_600_000);
  expect(hours).toEqual([24, 24, 12]);
  expect(feed.gaps.at(-1)?.to).toBe(until.toISOString());
});

test('a page that another process is reading when the part is skipped is discarded', async () => {
  const { payments, feeds, to } = await failing();
  const { failsFrom } = await shown();
  const { promise, resolve } = Promise.withResolvers<void>();
  payments.answered = promise;
  payments.instead = () => null;
  clock.now = new Date(clock.now.getTime() + minuteMs);
  const rounds = await feeds.startDue();
  expect(rounds.length).toBeGreaterThan(0);
  await skip(failsFrom!, to);
  resolve();
  await Promise.all(rounds);
  const [row] = await database().query<{ at: Date }>('select from_at as at from feed where lag_sec = 30');
  expect(row!.at).toEqual(to);
});

test('a provider that is away as a whole is reported as before, whatever was skipped of its list', async () => {
  const { payments, feeds, to } = await failing();
  await skip((await shown()).failsFrom!, to);
  await pass(feeds, { seconds: 600 });
  payments.instead = () => ({ kind: 'unavailable', cause: '401' });
  const awaySince = clock.now.getTime();
  await pass(feeds, { seconds: 900 });
  const { failingSince } = await shown();
  expect(Date.parse(failingSince!) - awaySince).toBeLessThanOrEqual(30_000);
});
