import { describe, expect, test } from 'vitest';
import { listDepositFeeds } from '@gateway/contracts/providers';
import { callRpc, serveRpc } from '@gateway/messaging';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { feedRoutes } from '#src/feed-routes.ts';
import {
  ago,
  clock,
  database,
  dayMs,
  epochMs,
  gapCount,
  List,
  open,
  pass,
  stateOf,
  useFeedTables,
} from './feed-lists.ts';

useFeedTables();

describe('a list', () => {
  test('is read by one process at a time, however long the provider takes to answer', async () => {
    const list = new List();
    const [one, other] = [open([list]), open([list])];
    await pass(one, { seconds: 60 });
    clock.now = new Date(clock.now.getTime() + 30_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    list.answered = promise;
    const before = list.asked.length;
    const rounds = await one.startDue();
    expect(rounds.length).toBeGreaterThan(0);
    expect(await other.startDue()).toEqual([]);
    resolve();
    await Promise.all(rounds);
    expect(list.asked.length - before).toBe(rounds.length);
  });

  test('whose lease has passed to another process moves nothing on, and keeps nothing of its page', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 60 });
    list.items.push({ key: 'read too late', at: clock.now });
    clock.now = new Date(clock.now.getTime() + 900_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    list.answered = promise;
    const places = () => database().query('select lag_sec, from_at from feed order by lag_sec');
    const before = await places();
    const rounds = await feeds.startDue();
    await database().query(`update feed set lease_until = lease_until + interval '1 minute'`);
    resolve();
    await Promise.all(rounds);
    expect(await places()).toEqual(before);
  });

  test('of which every window has two pages is read no more often than one with one page', async () => {
    const windows = async (list: List, pages: number) => {
      list.instead = ({ place }) => {
        clock.now = new Date(clock.now.getTime() + 5);
        return { kind: 'page', rows: [], next: pages > 1 && place === undefined ? '1' : null };
      };
      await pass(open([list]), { seconds: 300, stepSec: 5 });
      return list.asked.length / pages;
    };
    const one = await windows(new List('payments'), 1);
    expect(await windows(new List('returns'), 2)).toBeLessThanOrEqual(one + 2);
  });

  test('that has been read to the present is asked for once a round, however long the answers take', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 90 });
    list.instead = () => {
      clock.now = new Date(clock.now.getTime() + 40);
      return null;
    };
    clock.now = new Date(clock.now.getTime() + 30_000);
    const before = list.asked.length;
    await feeds.readDue();
    // One of the present, one of each reader for what is booked late.
    expect(list.asked.length - before).toBeLessThanOrEqual(3);
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
      expect(to.getTime()).toBeLessThanOrEqual(clock.now.getTime() - 30_000);
    }
    const [row] = await database().query<{ from_at: Date }>('select from_at from feed where lag_sec = 30');
    expect(row!.from_at).toEqual(ago(30));
  });

  test('is read again, so that what a provider books late is taken', async () => {
    const list = new List();
    const taken: string[] = [];
    const feeds = open([list], async ({ key }) => (taken.push(key), { kind: 'taken' }));
    await pass(feeds, { seconds: 300 });
    list.items.push(
      { key: 'late', at: ago(90), bookedAt: clock.now },
      { key: 'later', at: clock.now, bookedAt: ago(-540) },
    );
    await pass(feeds, { seconds: 900 });
    expect(taken.toSorted()).toEqual(['late', 'later']);
  });

  test('of payments is read again by closed days, so that what happened to one weeks later is taken', async () => {
    const list = new List('returns', [24, 7 * 24, 30 * 24]);
    list.items.push({ key: 'paid', at: new Date(epochMs) });
    const feeds = open([list]);
    await pass(feeds, { seconds: 600 });
    list.items.push({ key: 'taken back', at: new Date(epochMs), bookedAt: new Date(epochMs + 20 * dayMs) });
    await pass(feeds, { seconds: 32 * 86_400, stepSec: 21_600 });
    expect(await stateOf('taken back')).toBe('TAKEN');
    const longest = Math.max(...list.asked.map(({ from, to }) => to.getTime() - from.getTime()));
    expect(longest).toBeLessThanOrEqual(dayMs);
  });

  test('is read at the distances it has now: one that it had before is read no more', async () => {
    await pass(open([new List('returns', [24, 48])]), { seconds: 30 });
    const list = new List('returns', [24, 30]);
    await pass(open([list]), { seconds: 30 });
    const rows = await database().query<{ lag: number }>('select lag_sec as lag from feed order by lag_sec');
    expect(rows.map(({ lag }) => lag)).toEqual([30, 120, 600, 24 * 3_600, 30 * 3_600]);
  });

  test('whose provider has no call left is not written: its readers stay due until there is one, and all of them read', async () => {
    const lags = Array.from({ length: 90 }, (_, index) => index + 1);
    const list = new List('returns', lags);
    const feeds = open([list], undefined, { callsPerMinute: 60, monotonicMs: () => clock.now.getTime() });
    await feeds.readDue();
    clock.now = new Date(clock.now.getTime() + 10_000);
    while (feeds.budget.take('bank'));
    const versions = () => database().query('select lag_sec, xmin::text, due_at from feed order by lag_sec');
    const before = await versions();
    await feeds.readDue();
    expect(await versions()).toEqual(before);
    await pass(feeds, { seconds: 300, stepSec: 5 });
    const [waiting] = await database().query(
      `select count(*)::int as readers from feed where due_at <= $1 and lag_sec >= 3600`,
      [clock.now],
    );
    expect(waiting).toEqual({ readers: 0 });
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
        at: new Date(clock.now.getTime() + index * 60),
      })),
      { key: 'ours', at: new Date(clock.now.getTime() + 600_001) },
    );
    clock.now = new Date(clock.now.getTime() + 660_000);
    const before = list.asked.length;
    let rounds = 0;
    for (; (await stateOf('ours')) !== 'TAKEN'; rounds += 1) {
      const asked = list.asked.length;
      await feeds.readDue();
      // Three readers of at most twenty pages each.
      expect(list.asked.length - asked).toBeLessThanOrEqual(60);
      while (await feeds.takeDue());
      clock.now = new Date(clock.now.getTime() + 1_000);
    }
    expect(rounds).toBeLessThanOrEqual(8);
    expect(list.asked.length - before).toBeLessThanOrEqual(8 * 60);
    await pass(feeds, { seconds: 660 });
    const [row] = await database().query('select count(*)::bigint as foreign from item_inbox where state = $1', [
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
    const failedAt = clock.now;
    for (let minute = 0; minute < 60; minute += 1) {
      list.items.push({ key: `minute-${minute}`, at: clock.now });
      await pass(feeds, { seconds: 60 });
    }
    const [row] = await database().query<{ failing_since: Date; failure: string }>(
      'select failing_since, failure from feed where lag_sec = 30',
    );
    expect(row).toEqual({ failing_since: new Date(failedAt.getTime() + 30_000), failure: '401' });
    expect(await gapCount()).toBe(0);
    list.instead = () => null;
    await pass(feeds, { seconds: 300 });
    expect(taken).toHaveLength(60);
    expect(new Set(taken).size).toBe(60);
    const failing = await database().query('select from feed where failing_since is not null and lag_sec = 30');
    expect(failing).toEqual([]);
  });

  test('with a page that is not JSON is read around it: a gap stays, and is closed by a later reading', async () => {
    const list = new List();
    const feeds = open([list]);
    await pass(feeds, { seconds: 60 });
    const badAt = clock.now;
    for (let second = 0; second < 120; second += 2) {
      list.items.push({
        key: second === 60 ? 'bad' : `good-${second}`,
        at: new Date(badAt.getTime() + second * 1_000),
      });
    }
    list.instead = (_query, items) =>
      items.some(({ key }) => key === 'bad') ? { kind: 'unreadable', cause: 'not JSON' } : null;
    await pass(feeds, { seconds: 300 });
    const good = await database().query<{ count: number }>(
      `select count(*)::bigint as count from item_inbox where state = 'TAKEN'`,
    );
    // Ten seconds at most are in the gap, and of those what stands before it has been read item by item.
    expect(good[0]!.count).toBeGreaterThanOrEqual(55);
    expect(await gapCount()).toBeGreaterThan(0);
    await using bus = await createTestBus();
    await using served = await serveRpc(
      bus,
      feedRoutes(database(), 'deposits', () => clock.now),
      silentLogger,
    );
    void served;
    const shown = await callRpc(bus, listDepositFeeds, {});
    expect(shown.feeds).toMatchObject([{ provider: 'bank', feed: 'payments', failingSince: null }]);
    expect(shown.feeds[0]!.gaps).toHaveLength(await gapCount());
    list.instead = () => null;
    await pass(feeds, { seconds: 3_900 });
    expect(await gapCount()).toBe(0);
    expect(await stateOf('bad')).toBe('TAKEN');
    const [all] = await database().query(`select count(*)::bigint as count from item_inbox where state = 'TAKEN'`);
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
    disputes.items.push({ key: 'opened', at: clock.now });
    await pass(feeds, { seconds: 120 });
    expect(await stateOf('opened')).toBe('TAKEN');
  });
});
