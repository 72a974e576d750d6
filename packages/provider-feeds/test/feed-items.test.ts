import { describe, expect, test } from 'vitest';
import {
  dismissDepositUnreadItem,
  getDepositUnreadItem,
  listDepositUnreadItems,
  retryDepositUnreadItem,
} from '@gateway/contracts/providers';
import { callRpc, readWaiting, serveRpc } from '@gateway/messaging';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { feedRoutes } from '#src/feed-routes.ts';
import { waitingItems } from '#src/observe-feeds.ts';
import { ago, clock, database, List, open, pass, stateOf, useFeedTables } from './feed-lists.ts';

useFeedTables();

describe('an item', () => {
  test('that is dismissed is seen by operators until then, and never tried again', async () => {
    const feeds = open([], async () => ({ kind: 'unreadable', shape: 'an object' }));
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'disputes' }, [{ key: 'E1', raw: { a: 1 } }]);
    await feeds.takeDue();
    await using bus = await createTestBus();
    await using served = await serveRpc(
      bus,
      feedRoutes(database(), 'deposits', () => clock.now),
      silentLogger,
    );
    void served;
    const { items } = await callRpc(bus, listDepositUnreadItems, { limit: 10 });
    expect(items).toMatchObject([{ key: 'E1', state: 'UNREADABLE', cause: 'an object', raw: '{"a":1}' }]);
    expect(await readWaiting(database(), [waitingItems])).toMatchObject([{ kind: 'unread_item', count: 1 }]);
    const [listed] = items;
    expect(await callRpc(bus, getDepositUnreadItem, { id: listed!.id })).toEqual({ item: listed });
    const first = await callRpc(bus, dismissDepositUnreadItem, { id: listed!.id });
    expect(first).toMatchObject({ before: listed, item: { state: 'DISMISSED', nextAttemptAt: null } });
    expect((await callRpc(bus, dismissDepositUnreadItem, { id: listed!.id })).item).toEqual(first.item);
    expect(await callRpc(bus, listDepositUnreadItems, { limit: 10 })).toEqual({ items: [], hasMore: false });
    expect(await readWaiting(database(), [waitingItems])).toEqual([]);
    await pass(feeds, { seconds: 7_200, stepSec: 600 });
    expect(await stateOf('E1')).toBe('DISMISSED');
  });

  test('that an operator has tried again is tried at once, before those that are tried by themselves, unless two have dismissed it', async () => {
    const order: string[] = [];
    const feeds = open([], async ({ key }) => (order.push(key), { kind: 'unreadable', shape: 'an object' }));
    const rows = Array.from({ length: 3 }, (_, index) => ({ key: `E${index}`, raw: null }));
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'disputes' }, rows);
    await feeds.takeDue();
    await using bus = await createTestBus();
    await using served = await serveRpc(
      bus,
      feedRoutes(database(), 'deposits', () => clock.now),
      silentLogger,
    );
    void served;
    const { items } = await callRpc(bus, listDepositUnreadItems, { limit: 10 });
    const { id } = items.find(({ key }) => key === 'E2')!;
    clock.now = new Date(clock.now.getTime() + 1_000);
    const { before, item } = await callRpc(bus, retryDepositUnreadItem, { id });
    expect(item).toEqual({ ...before, nextAttemptAt: clock.now.toISOString() });
    order.length = 0;
    await feeds.takeDue();
    expect(order).toEqual(['E2']);
    await callRpc(bus, dismissDepositUnreadItem, { id });
    await expect(callRpc(bus, retryDepositUnreadItem, { id })).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(callRpc(bus, retryDepositUnreadItem, { id: 'f'.repeat(32) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('that could not be taken is on one page of the list, oldest first, also where many were seen at once', async () => {
    const feeds = open([], async () => ({ kind: 'unreadable', shape: 'text' }));
    const key = { environment: 'live', provider: 'bank', feed: 'disputes' } as const;
    for (const names of [['A1', 'A2', 'A3'], ['B1'], ['C1', 'C2', 'C3']]) {
      await feeds.keep(
        key,
        names.map((name) => ({ key: name, raw: null })),
      );
      await feeds.takeDue();
      clock.now = new Date(clock.now.getTime() + 1_000);
    }
    await using bus = await createTestBus();
    await using served = await serveRpc(
      bus,
      feedRoutes(database(), 'deposits', () => clock.now),
      silentLogger,
    );
    void served;
    const read: string[] = [];
    let after: string | undefined;
    do {
      const page = await callRpc(bus, listDepositUnreadItems, { limit: 2, after });
      read.push(...page.items.map((item) => item.key));
      after = page.hasMore ? page.items.at(-1)!.id : undefined;
      // An item that is ended between two pages is still a position in the list.
      if (read.length === 2) await callRpc(bus, dismissDepositUnreadItem, { id: after! });
    } while (after !== undefined);
    expect(read.map((name) => name[0]).join('')).toBe('AAABCCC');
    expect(new Set(read).size).toBe(7);
  });

  test('that cannot be read is set aside while the others are taken, and read again every hour', async () => {
    const list = new List();
    let isMended = false;
    const feeds = open([list], async ({ raw }) =>
      raw === 'strange' && !isMended ? { kind: 'unreadable', shape: 'text' } : { kind: 'taken' },
    );
    await pass(feeds, { seconds: 30 });
    list.items.push({ key: 'one', at: clock.now }, { key: 'strange', at: clock.now }, { key: 'two', at: clock.now });
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
    list.items.push({ key: 'decided', at: clock.now });
    await pass(feeds, { seconds: 1_800 });
    list.items.length = 0;
    expect(await stateOf('decided')).toBe('WAITING');
    expect(attempts).toBeLessThan(20);
    isAway = false;
    await pass(feeds, { seconds: 900 });
    expect(await stateOf('decided')).toBe('TAKEN');
  });

  test('that was taken is known for as long as lists are read again', async () => {
    const list = new List();
    const feeds = open([list]);
    list.items.push({ key: 'taken', at: clock.now });
    await pass(feeds, { seconds: 90 });
    const age = async (days: number) => {
      await database().query('update item_inbox set done_at = $1', [ago(days * 86_400)]);
      await feeds.tidy();
      return await stateOf('taken');
    };
    expect([await age(99), await age(101)]).toEqual(['TAKEN', undefined]);
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
    clock.now = new Date(clock.now.getTime() + 60_000);
    order.length = 0;
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, [{ key: 'ours', raw: null }]);
    await feeds.takeDue();
    expect(order.indexOf('ours')).toBeGreaterThanOrEqual(0);
    expect(order.indexOf('ours')).toBeLessThan(64);
  });

  test('whose record is not there yet is tried again for ten minutes before it counts as foreign', async () => {
    const list = new List();
    list.items.push({ key: 'early', at: clock.now });
    const feeds = open([list], async () => ({ kind: 'unknown', cause: 'no record' }));
    await pass(feeds, { seconds: 300 });
    expect(await stateOf('early')).toBe('WAITING');
    await pass(feeds, { seconds: 600 });
    expect(await stateOf('early')).toBe('FOREIGN');
  });

  test('that is dismissed while it is being tried stays dismissed', async () => {
    const list = new List();
    list.items.push({ key: 'hopeless', at: clock.now });
    const feeds = open([list], async () => {
      await database().query(`update item_inbox set state = 'DISMISSED', next_attempt_at = null`);
      throw new Error('the provider does not answer');
    });
    await pass(feeds, { seconds: 120 });
    expect(await stateOf('hopeless')).toBe('DISMISSED');
  });

  test('that was not tried yet is not forgotten, however many more there are than are kept', async () => {
    const feeds = open([], undefined, { openItemsMax: { notifications: 2 } });
    const rows = ['a', 'b', 'c'].map((key) => ({ key, raw: null }));
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, rows);
    await feeds.tidy();
    expect(await Promise.all(rows.map(({ key }) => stateOf(key)))).toEqual(['WAITING', 'WAITING', 'WAITING']);
  });

  test('of a feed with a bound pushes out the oldest that came to nothing, and none that was not tried', async () => {
    const answers = new Map([['true', 'taken']]);
    const take = async ({ key }: { readonly key: string }) =>
      answers.get(key) === 'taken'
        ? ({ kind: 'taken' } as const)
        : ({ kind: 'unconfirmed', cause: 'the provider knows nothing of it' } as const);
    const feeds = open([], take, { openItemsMax: { notifications: 100 } });
    const key = { environment: 'live', provider: 'bank', feed: 'notifications' } as const;
    const rowsOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `${name}-${index}`, raw: null }));
    await feeds.keep(key, rowsOf('old', 80));
    await feeds.keep({ ...key, feed: 'expired-charges' }, rowsOf('ours', 200));
    while (await feeds.takeDue());
    clock.now = new Date(clock.now.getTime() + 1_000);
    await feeds.keep(key, [...rowsOf('new', 70), { key: 'true', raw: null }]);
    await feeds.tidy();
    const counts = await database().query(
      `select feed, count(*)::int as count, count(*) filter (where key like 'new-%' or key = 'true')::int as untried
       from item_inbox group by feed order by feed`,
    );
    expect(counts).toEqual([
      { feed: 'expired-charges', count: 200, untried: 0 },
      { feed: 'notifications', count: 100, untried: 71 },
    ]);
    while (await feeds.takeDue());
    expect(await stateOf('true')).toBe('TAKEN');
  });

  test('that our own question does not confirm stays in sight when it is not asked about any more', async () => {
    const feeds = open([], async () => ({ kind: 'unconfirmed', cause: 'the provider says OPEN' }));
    await feeds.keep({ environment: 'live', provider: 'bank', feed: 'notifications' }, [{ key: 'claimed', raw: 1 }]);
    await pass(feeds, { seconds: 3_600, stepSec: 60 });
    expect(await stateOf('claimed')).toBe('WAITING');
    await pass(feeds, { seconds: 9 * 86_400, stepSec: 3_600 });
    const [row] = await database().query('select state, cause, next_attempt_at, raw from item_inbox');
    expect(row).toEqual({ state: 'UNCONFIRMED', cause: 'the provider says OPEN', next_attempt_at: null, raw: '1' });
  });

  test.each([
    ['a NUL', 'E\0', { name: 'a\0b' }],
    ['half a surrogate pair', 'E\ud800', { name: '\udfff' }],
    ['three hundred characters', 'E'.repeat(300), {}],
  ])('whose text holds %s is kept like any other', async (_what, key, raw) => {
    const list = new List();
    list.items.push({ key, at: clock.now, raw }, { key: 'next', at: clock.now });
    const seen: unknown[] = [];
    const feeds = open([list], async (item) => (seen.push(item.raw), { kind: 'taken' }));
    await pass(feeds, { seconds: 120 });
    expect(seen).toEqual(expect.arrayContaining([raw, 'next']));
    expect(seen).toHaveLength(2);
  });
});
