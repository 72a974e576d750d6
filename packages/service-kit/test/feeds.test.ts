import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  feedMigrations,
  Feeds,
  type FeedPage,
  type FeedQuery,
  type FeedSource,
  type InboxItem,
  type ItemOutcome,
} from '@gateway/service-kit';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/service-kit/testing';

const epochMs = Date.parse('2026-03-04T05:00:00.000Z');
const dayMs = 86_400_000;
let stored: TestDatabase;
let now = new Date(epochMs);

beforeAll(async () => {
  stored = await createTestDatabase('feeds', { entities: [], migrations: feedMigrations });
});
afterAll(async () => stored[Symbol.asyncDispose]());
beforeEach(async () => {
  now = new Date(epochMs);
  await stored.database.query('truncate feed, poll_gap, item_inbox');
});

interface Listed {
  readonly key: string;
  readonly at: Date;
  /** From when on the provider lists it. */
  readonly bookedAt?: Date;
  readonly raw?: unknown;
}

/** A provider's list: what it holds, who asked it for what, and how it answers instead, where a test says so. */
class List implements FeedSource {
  readonly name: string;
  readonly rereadAfterDays: readonly number[];
  readonly items: Listed[] = [];
  readonly asked: FeedQuery[] = [];
  instead: (query: FeedQuery, items: readonly Listed[]) => FeedPage | null = () => null;

  constructor(name = 'payments', rereadAfterDays: readonly number[] = []) {
    this.name = name;
    this.rereadAfterDays = rereadAfterDays;
  }

  async readPage(query: FeedQuery): Promise<FeedPage> {
    this.asked.push(query);
    const { from, to, place = '0', pageItems = 100 } = query;
    const within = this.items.filter(({ at, bookedAt = at }) => at >= from && at < to && bookedAt <= now);
    const rows = within.slice(Number(place), Number(place) + pageItems);
    const end = Number(place) + rows.length;
    const next = end < within.length ? String(end) : null;
    const page = { kind: 'page', rows: rows.map(({ key, raw = key }) => ({ key, raw })), next } as const;
    return this.instead(query, rows) ?? page;
  }
}

function open(
  lists: readonly List[],
  take: (item: InboxItem) => Promise<ItemOutcome> = async () => ({ kind: 'taken' }),
) {
  const feeds = lists.map((source) => ({ environment: 'live', provider: 'bank', source }) as const);
  const { database } = stored;
  return new Feeds({
    ...{ database, logger: silentLogger, now: () => now, intervalMs: 30_000, callsPerMinute: 1e9, take },
    feeds: () => feeds,
  });
}

/** Lets time pass in steps, with a round of everything at each. */
async function pass(feeds: Feeds, { seconds, stepSec = 30 }: { seconds: number; stepSec?: number }): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSec) {
    now = new Date(now.getTime() + stepSec * 1_000);
    await feeds.readDue();
    while (await feeds.takeDue());
    await feeds.tidy();
  }
}

const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const stateOf = async (key: string) =>
  (await stored.database.query<{ state: string }>('select state from item_inbox where key = $1', [key]))[0]?.state;
const gapCount = async () => (await stored.database.query('select from poll_gap')).length;

describe('a list', () => {
  test('is read once by two processes that come at the same moment', async () => {
    const list = new List();
    const [one, other] = [open([list]), open([list])];
    await pass(one, { seconds: 30 });
    now = new Date(now.getTime() + 60_000);
    const before = list.asked.length;
    await Promise.all([one.readDue(), other.readDue()]);
    const windows = list.asked.slice(before).map(({ from, to }) => `${from.toISOString()} ${to.toISOString()}`);
    expect(windows.length).toBeGreaterThan(0);
    expect(new Set(windows).size).toBe(windows.length);
  });

  test('is read up to thirty seconds ago, after a first window of a day in windows of an hour at most, each from the end of the last', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 120 });
    const windows = list.asked.toSorted((a, b) => a.to.getTime() - b.to.getTime());
    const start = Math.min(...windows.map(({ from }) => from.getTime()));
    for (const { from, to } of windows) {
      const isFirst = from.getTime() <= start + 600_000;
      expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(isFirst ? 86_400_000 : 3_600_000);
      expect(to.getTime()).toBeLessThanOrEqual(now.getTime() - 30_000);
    }
    const [row] = await stored.database.query<{ from_at: Date }>('select from_at from feed where lag_sec = 30');
    expect(row!.from_at).toEqual(ago(30));
  });

  test('is read again, so that what a provider books late is taken', async () => {
    const list = new List();
    const taken: string[] = [];
    const feeds = open([list], async ({ key }) => (taken.push(key), { kind: 'taken' }));
    await pass(feeds, { seconds: 300 });
    list.items.push({ key: 'late', at: ago(90), bookedAt: now }, { key: 'later', at: now, bookedAt: ago(-540) });
    await pass(feeds, { seconds: 900 });
    expect(taken.toSorted()).toEqual(['late', 'later']);
  });

  test('of payments is read again by closed days, so that what happened to one weeks later is taken', async () => {
    const list = new List('returns', [1, 7, 30]);
    list.items.push({ key: 'paid', at: new Date(epochMs) });
    const feeds = open([list]);
    await pass(feeds, { seconds: 600 });
    list.items.push({ key: 'taken back', at: new Date(epochMs), bookedAt: new Date(epochMs + 20 * dayMs) });
    await pass(feeds, { seconds: 32 * 86_400, stepSec: 21_600 });
    expect(await stateOf('taken back')).toBe('TAKEN');
    const longest = Math.max(...list.asked.map(({ from, to }) => to.getTime() - from.getTime()));
    expect(longest).toBeLessThanOrEqual(dayMs);
  });

  test('of ten thousand items is read in bounded rounds, and an item of ours behind them is taken within a few', async () => {
    const list = new List();
    const feeds = open([list], async ({ key }) =>
      key === 'ours' ? { kind: 'taken' } : { kind: 'unknown', cause: 'no record' },
    );
    await pass(feeds, { seconds: 30 });
    list.items.push(
      ...Array.from({ length: 10_000 }, (_, index) => ({
        key: `foreign-${index}`,
        at: new Date(now.getTime() + index * 60),
      })),
      { key: 'ours', at: new Date(now.getTime() + 600_001) },
    );
    now = new Date(now.getTime() + 660_000);
    const before = list.asked.length;
    let rounds = 0;
    for (; (await stateOf('ours')) !== 'TAKEN'; rounds += 1) {
      const asked = list.asked.length;
      await feeds.readDue();
      // Three readers of at most twenty pages each.
      expect(list.asked.length - asked).toBeLessThanOrEqual(60);
      while (await feeds.takeDue());
      now = new Date(now.getTime() + 1_000);
    }
    expect(rounds).toBeLessThanOrEqual(8);
    expect(list.asked.length - before).toBeLessThanOrEqual(8 * 60);
    await pass(feeds, { seconds: 660 });
    const [row] = await stored.database.query('select count(*)::bigint as foreign from item_inbox where state = $1', [
      'FOREIGN',
    ]);
    expect(row).toEqual({ foreign: 10_000 });
  });

  test('that fails for an hour is read without a gap afterwards, nothing twice, and says since when', async () => {
    const list = new List();
    const taken: string[] = [];
    const feeds = open([list], async ({ key }) => (taken.push(key), { kind: 'taken' }));
    await pass(feeds, { seconds: 60 });
    list.instead = () => ({ kind: 'unavailable', cause: '401' });
    const failedAt = now;
    for (let minute = 0; minute < 60; minute += 1) {
      list.items.push({ key: `minute-${minute}`, at: now });
      await pass(feeds, { seconds: 60 });
    }
    const [row] = await stored.database.query<{ failing_since: Date; failure: string }>(
      'select failing_since, failure from feed where lag_sec = 30',
    );
    expect(row).toEqual({ failing_since: new Date(failedAt.getTime() + 30_000), failure: '401' });
    expect(await gapCount()).toBe(0);
    list.instead = () => null;
    await pass(feeds, { seconds: 300 });
    expect(taken).toHaveLength(60);
    expect(new Set(taken).size).toBe(60);
    const failing = await stored.database.query('select from feed where failing_since is not null and lag_sec = 30');
    expect(failing).toEqual([]);
  });

  test('with a page that is not JSON is read around it: a gap stays, and is closed by a later reading', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 60 });
    const badAt = now;
    for (let second = 0; second < 120; second += 2) {
      list.items.push({
        key: second === 60 ? 'bad' : `good-${second}`,
        at: new Date(badAt.getTime() + second * 1_000),
      });
    }
    list.instead = (_query, items) =>
      items.some(({ key }) => key === 'bad') ? { kind: 'unreadable', cause: 'not JSON' } : null;
    await pass(feeds, { seconds: 300 });
    const good = await stored.database.query<{ count: number }>(
      `select count(*)::bigint as count from item_inbox where state = 'TAKEN'`,
    );
    // Ten seconds at most are in the gap, and of those what stands before it has been read item by item.
    expect(good[0]!.count).toBeGreaterThanOrEqual(55);
    expect(await gapCount()).toBeGreaterThan(0);
    list.instead = () => null;
    await pass(feeds, { seconds: 3_900 });
    expect(await gapCount()).toBe(0);
    expect(await stateOf('bad')).toBe('TAKEN');
    const [all] = await stored.database.query(`select count(*)::bigint as count from item_inbox where state = 'TAKEN'`);
    expect(all).toEqual({ count: 60 });
  });

  test('of which nothing can be parsed stands still and leaves no gaps', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 60 });
    list.instead = () => ({ kind: 'unreadable', cause: 'a page of HTML' });
    await pass(feeds, { seconds: 600 });
    expect(await gapCount()).toBe(0);
    list.items.push({ key: 'meanwhile', at: ago(300) });
    list.instead = () => null;
    await pass(feeds, { seconds: 120 });
    expect(await stateOf('meanwhile')).toBe('TAKEN');
  });

  test('goes on while another one of the same provider fails', async () => {
    const [payments, disputes] = [new List('payments'), new List('disputes')];
    const feeds = open([payments, disputes]);
    payments.instead = () => ({ kind: 'unreadable', cause: 'nonsense' });
    disputes.items.push({ key: 'opened', at: now });
    await pass(feeds, { seconds: 120 });
    expect(await stateOf('opened')).toBe('TAKEN');
  });
});

describe('an item', () => {
  test('that cannot be read is set aside while the others are taken, and read again every hour', async () => {
    const list = new List();
    let isMended = false;
    const feeds = open([list], async ({ raw }) =>
      raw === 'strange' && !isMended ? { kind: 'unreadable', shape: 'text' } : { kind: 'taken' },
    );
    await pass(feeds, { seconds: 30 });
    list.items.push({ key: 'one', at: now }, { key: 'strange', at: now }, { key: 'two', at: now });
    await pass(feeds, { seconds: 90 });
    expect([await stateOf('one'), await stateOf('strange'), await stateOf('two')]).toEqual([
      'TAKEN',
      'UNREADABLE',
      'TAKEN',
    ]);
    isMended = true;
    await pass(feeds, { seconds: 3_700, stepSec: 300 });
    expect(await stateOf('strange')).toBe('TAKEN');
  });

  test('that cannot be taken is tried again until it can be, whatever the list says by then', async () => {
    const list = new List();
    let isAway = true;
    let attempts = 0;
    const feeds = open([list], async () => {
      attempts += 1;
      if (isAway) throw new Error('the ledger is away');
      return { kind: 'taken' };
    });
    await pass(feeds, { seconds: 30 });
    list.items.push({ key: 'decided', at: now });
    await pass(feeds, { seconds: 1_800 });
    list.items.length = 0;
    expect(await stateOf('decided')).toBe('WAITING');
    expect(attempts).toBeLessThan(20);
    isAway = false;
    await pass(feeds, { seconds: 900 });
    expect(await stateOf('decided')).toBe('TAKEN');
  });

  test('of ours goes before thousands of others that are tried again', async () => {
    const list = new List();
    const order: string[] = [];
    const feeds = open([list], async ({ key }) => {
      order.push(key);
      return key === 'ours' ? { kind: 'taken' } : { kind: 'unknown', cause: 'no payment' };
    });
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, [
      ...Array.from({ length: 2_000 }, (_, index) => ({ key: `foreign-${index}`, raw: null })),
    ]);
    while (await feeds.takeDue());
    now = new Date(now.getTime() + 60_000);
    order.length = 0;
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, [{ key: 'ours', raw: null }]);
    await feeds.takeDue();
    expect(order.indexOf('ours')).toBeGreaterThanOrEqual(0);
    expect(order.indexOf('ours')).toBeLessThan(64);
  });

  test('that our own question does not confirm stays in sight when it is not asked about any more', async () => {
    const feeds = open([], async () => ({ kind: 'unconfirmed', cause: 'the provider says OPEN' }));
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, [{ key: 'claimed', raw: 1 }]);
    await pass(feeds, { seconds: 3_600, stepSec: 60 });
    expect(await stateOf('claimed')).toBe('WAITING');
    await pass(feeds, { seconds: 9 * 86_400, stepSec: 3_600 });
    const [row] = await stored.database.query('select state, cause, next_attempt_at, raw from item_inbox');
    expect(row).toEqual({ state: 'UNCONFIRMED', cause: 'the provider says OPEN', next_attempt_at: null, raw: '1' });
  });

  test.each([
    ['a NUL', 'E\0', { name: 'a\0b' }],
    ['half a surrogate pair', 'E\ud800', { name: '\udfff' }],
    ['three hundred characters', 'E'.repeat(300), {}],
  ])('whose text holds %s is kept like any other', async (_what, key, raw) => {
    const list = new List();
    list.items.push({ key, at: now, raw }, { key: 'next', at: now });
    const seen: unknown[] = [];
    const feeds = open([list], async (item) => (seen.push(item.raw), { kind: 'taken' }));
    await pass(feeds, { seconds: 120 });
    expect(seen).toEqual(expect.arrayContaining([raw, 'next']));
    expect(seen).toHaveLength(2);
  });
});
