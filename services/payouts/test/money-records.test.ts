import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { readRecordEvents } from '@gateway/persistence';
import { getMoneyRecords, listMoneyRecords } from '#src/settlement/money-records.ts';
import { payoutEvents } from '#src/settlement/record-events.ts';
import { Harness } from './harness.ts';
import { returned, underWay } from './under-way.ts';

const environment = 'live' as const;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

test('a payout is found by account and id, with each part that came back', async () => {
  const { payout, rail, ref, report, paid, account } = await underWay(harness);
  rail.settle(ref);
  await report(paid);
  rail.giveBack(ref, 2_000, 'D1');
  await report(returned('D1', 2_000));
  const records = [
    { accountId: account.id, id: payout.id },
    { accountId: newId('account'), id: payout.id },
    { accountId: account.id, id: newId('payout') },
  ];
  expect((await getMoneyRecords(harness.dependencies, { environment, records })).records).toMatchObject([
    {
      kind: 'payout',
      id: payout.id,
      accountId: account.id,
      provider: 'bank',
      amount: 5_000,
      state: 'PAID',
      reference: ref,
      returned: 2_000,
      returns: [{ returnId: 'D1', name: 'D1', amount: 2_000, isCredited: true }],
    },
  ]);
});

test('a payout says what has happened to it, by its row', async () => {
  const { payout, rail, ref, report, paid, account } = await underWay(harness);
  const { database } = harness.dependencies;
  const events = async () => {
    const stated = await readRecordEvents(database, payoutEvents, { environment, after: null, limit: 500 });
    return stated.events.filter(({ recordId }) => recordId === payout.id).map(({ event }) => event);
  };
  expect(await events()).toEqual(['payout.processing']);
  rail.settle(ref);
  await report(paid);
  rail.giveBack(ref, 2_000, 'D1');
  await report(returned('D1', 2_000));
  expect(await events()).toEqual(['payout.processing', 'payout.paid', 'payout.returned']);
  const before = { accountId: account.id, id: payout.id };
  const behind = await readRecordEvents(database, payoutEvents, { environment, after: before, limit: 1 });
  expect(behind.events.map(({ recordId }) => recordId)).not.toContain(payout.id);
});

test('all payouts are read page by page, each once', async () => {
  const made = new Set<string>();
  for (let count = 0; count < 3; count++) made.add((await underWay(harness)).payout.id);
  const read: string[] = [];
  for (let after: { accountId: string; id: string } | null = null; ;) {
    const page = await listMoneyRecords(harness.dependencies, { environment, after, limit: 2 });
    read.push(...page.records.map(({ id }) => id));
    if (!(after = page.next)) break;
  }
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining([...made]));
  const [first = '', second = ''] = [...made].toSorted();
  const ids = { from: first, below: second };
  const within = await listMoneyRecords(harness.dependencies, { environment, after: null, limit: 500, ids });
  expect(within.records.map(({ id }) => id)).toEqual([first]);
});
