import { describe, expect, test } from 'vitest';
import { keepAll, type StoreRows } from '#src/read-feed.ts';
import { ago, clock, database, gapCount, List, open, useFeedTables } from './feed-lists.ts';

useFeedTables();

const window = { from: new Date(clock.now.getTime() - 3_600_000), to: new Date(clock.now.getTime() - 1_800_000) };
const later = (seconds: number) => (clock.now = ago(-seconds));

async function leaveGap(place = '', dueAt = clock.now): Promise<void> {
  await database().query(
    `insert into poll_gap (environment, provider, name, from_at, to_at, place, cause, found_at, next_attempt_at)
     values ('live', 'bank', 'payments', $1, $2, $3, 'not JSON', $4, $4)`,
    [window.from, window.to, place, dueAt],
  );
}

/** A list of which the window has so many items, a hundred to a page. */
function listOf(count: number): List {
  const list = new List();
  const at = (index: number) => new Date(window.from.getTime() + index * 100);
  list.items.push(...Array.from({ length: count }, (_, index) => ({ key: `item-${index}`, at: at(index) })));
  return list;
}

const keptCount = async () => (await database().query('select from item_inbox')).length;
const gap = async () => {
  const [row] = await database().query<{ place: string | null; attempts: number; dueInSec: number }>(
    `select retry_place as place, attempts, extract(epoch from next_attempt_at - $1)::float8 as "dueInSec" from poll_gap`,
    [clock.now],
  );
  return row;
};

describe('a gap of a list', () => {
  test('of more pages than a round reads is due again soon, goes on where it was, and is closed', async () => {
    const list = listOf(4_550);
    const feeds = open([list]);
    await leaveGap();
    await feeds.tidy();
    expect(await gap()).toEqual({ place: '2000', attempts: 1, dueInSec: 5 });
    expect(await keptCount()).toBe(2_000);
    for (const kept of [4_000, 4_550]) {
      later(60);
      await feeds.tidy();
      expect(await keptCount()).toBe(kept);
    }
    expect(await gapCount()).toBe(0);
    expect(list.asked).toHaveLength(46);
  });

  test('takes its calls from what the provider has left for what is not urgent, and waits for them', async () => {
    const list = listOf(300);
    list.requests = 20;
    // A half of sixty calls: one page of twenty requests, and part of a second one.
    const feeds = open([list], undefined, { callsPerMinute: 60, monotonicMs: () => clock.now.getTime() });
    while (feeds.budget.take('bank'));
    await leaveGap();
    await feeds.tidy();
    expect(list.asked).toEqual([]);
    expect(await gap()).toEqual({ place: null, attempts: 0, dueInSec: 5 });
    expect(feeds.budget.left('bank', 0)).toBe(30);
    later(60);
    await feeds.tidy();
    expect(list.asked).toHaveLength(2);
    expect(await gap()).toEqual({ place: '200', attempts: 1, dueInSec: 5 });
    for (let minute = 0; minute < 2; minute += 1) {
      later(60);
      await feeds.tidy();
    }
    expect(await keptCount()).toBe(300);
    expect(await gapCount()).toBe(0);
  });

  test('whose process dies between a page and its place is read on from the page before, and keeps nothing twice', async () => {
    const list = listOf(250);
    await leaveGap();
    let pages = 0;
    const dying: StoreRows = async (tx, key, rows) => {
      pages += 1;
      if (pages === 2) await tx.sql('select pg_terminate_backend(pg_backend_pid())');
      return await keepAll(tx, key, rows);
    };
    await open([list], undefined, { store: dying }).tidy();
    expect(await keptCount()).toBe(100);
    expect((await gap())!.place).toBe('100');
    const next = open([list]);
    await next.tidy();
    expect(list.asked).toHaveLength(2);
    later(61);
    await next.tidy();
    expect(list.asked.map(({ place }) => place)).toEqual([undefined, '100', '100', '200']);
    expect(await keptCount()).toBe(250);
    expect(await gapCount()).toBe(0);
  });

  test('is retried by one process at a time', async () => {
    const list = listOf(250);
    const { promise, resolve } = Promise.withResolvers<void>();
    list.answered = promise;
    await leaveGap();
    const one = open([list]).tidy();
    await expect.poll(() => list.asked.length).toBe(1);
    await open([list]).tidy();
    expect(list.asked).toHaveLength(1);
    resolve();
    await one;
    expect(list.asked).toHaveLength(3);
    expect(await gapCount()).toBe(0);
  });

  test('whose lease has passed to another process moves nothing on, and keeps nothing of its page', async () => {
    const list = listOf(250);
    const { promise, resolve } = Promise.withResolvers<void>();
    list.answered = promise;
    await leaveGap();
    const one = open([list]).tidy();
    await expect.poll(() => list.asked.length).toBe(1);
    await database().query(`update poll_gap set lease_until = lease_until + interval '1 minute'`);
    resolve();
    await one;
    expect(list.asked).toHaveLength(1);
    expect(await keptCount()).toBe(0);
    expect((await gap())!.place).toBeNull();
  });

  test('of which there are others in its window is closed with them, by one reading', async () => {
    const list = listOf(2_050);
    const feeds = open([list]);
    for (const place of ['', '100', '700']) await leaveGap(place);
    await feeds.tidy();
    expect(await gapCount()).toBe(3);
    later(60);
    await feeds.tidy();
    expect(await gapCount()).toBe(0);
    expect(list.asked).toHaveLength(21);
  });

  test('begins anew in an hour when the place that it had is no page any more', async () => {
    const list = listOf(2_300);
    const feeds = open([list]);
    await leaveGap();
    await feeds.tidy();
    list.instead = ({ place }) => (place === undefined ? null : { kind: 'unreadable', cause: 'no such page' });
    later(5);
    await feeds.tidy();
    expect(await gap()).toEqual({ place: null, attempts: 2, dueInSec: 3_600 });
    list.instead = () => null;
    for (const seconds of [3_600, 5]) {
      later(seconds);
      await feeds.tidy();
    }
    expect(await keptCount()).toBe(2_300);
    expect(await gapCount()).toBe(0);
  });

  test('keeps its place while the provider is away, and begins anew when it has been refused for hours', async () => {
    const list = listOf(2_300);
    const feeds = open([list]);
    await leaveGap();
    await feeds.tidy();
    list.instead = ({ place }) => (place === undefined ? null : { kind: 'unavailable', cause: '410' });
    for (const [seconds, place] of [
      [5, '2000'],
      [3_600, '2000'],
      [3_600, null],
    ] as const) {
      later(seconds);
      await feeds.tidy();
      expect(await gap()).toMatchObject({ place, dueInSec: 3_600 });
    }
    list.instead = () => null;
    for (const seconds of [3_600, 5]) {
      later(seconds);
      await feeds.tidy();
    }
    expect(await gapCount()).toBe(0);
  });

  test('that cannot be kept holds up no other', async () => {
    const list = listOf(50);
    await leaveGap();
    const [from, to] = [ago(600), ago(500)];
    await database().query(
      `insert into poll_gap (environment, provider, name, from_at, to_at, cause, found_at, next_attempt_at)
       values ('live', 'bank', 'payments', $1, $2, 'not JSON', $3, $3)`,
      [from, to, clock.now],
    );
    const store: StoreRows = async (tx, key, rows) => {
      if (rows.length > 0) throw new Error('no room');
      return await keepAll(tx, key, rows);
    };
    await open([list], undefined, { store }).tidy();
    expect(await database().query('select from_at from poll_gap')).toEqual([{ from_at: window.from }]);
  });
});
