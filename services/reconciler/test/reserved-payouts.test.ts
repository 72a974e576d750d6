import { beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { matchesOf, openBooks } from './books.ts';
import { record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let services: Services;
let dependencies: SidesDependencies;
/** The ids of each question for records. */
let asked: (readonly string[])[];
beforeEach(async () => {
  await database.query('truncate reading, adjustment');
  const sides = new SidesByHand(database);
  services = sides.services;
  const { sources } = sides.dependencies;
  asked = [];
  const records: typeof sources.records = async (environment, places) => {
    asked.push(places.map(({ id }) => id));
    return await sources.records(environment, places);
  };
  dependencies = { ...sides.dependencies, sources: { ...sources, records } };
});

const amount = 7_000;
const fee = 90;
const read = () => readLedger(dependencies, { environment: 'live', shard: 0 });
const statesOf = async () =>
  (await matchesOf(database)).matches.map(({ subject, state }) => [subject, state]).toSorted();
const findings = async () =>
  await database.query('select subject, reason, r_amount as r, l_amount as l from exception');

function debit(id: string): void {
  const request = { kind: 'debit-payout', id: `debit-payout:${id}`, amount, fee };
  services.decide(request, [['transit:payouts', 'system', 'BRL', amount]]);
}

function settle(id: string): void {
  services.decide({ kind: 'settle-payout', id: `settle-payout:${id}` }, [
    ['transit:payouts', 'system', 'BRL', -amount],
    ['provider:efi', 'system', 'BRL', amount],
  ]);
}

const payout = (id: string, state: string) => record('payout', id, { state, amount, fee });

test('a payout is asked for once, with its end, though its debit was read before and the process has died since', async () => {
  const id = newId('payout');
  debit(id);
  services.records.push(payout(id, 'SENDING'));
  await read();
  expect(asked).toEqual([]);
  expect(await statesOf()).toEqual([[`clearing:${id}`, 'waiting']]);
  settle(id);
  services.records[0] = payout(id, 'PAID');
  dependencies = { ...dependencies, caughtUpAt: new Map() };
  await read();
  expect(asked).toEqual([[id]]);
  expect(await statesOf()).toEqual([
    [`clearing:${id}`, 'matched'],
    [`payout:${id}`, 'matched'],
  ]);
});

test('a payout that ends in the same reading is asked for with it', async () => {
  const id = newId('payout');
  debit(id);
  settle(id);
  services.records.push(payout(id, 'PAID'));
  await read();
  expect(asked).toEqual([[id]]);
});

test('a payout that has no end after half a minute is asked for with the next decision', async () => {
  const [slow, next] = [newId('payout'), newId('payout')];
  debit(slow);
  services.records.push(payout(slow, 'PENDING'), payout(next, 'SENDING'));
  await read();
  services.passSeconds(31);
  debit(next);
  await read();
  expect(asked).toEqual([[slow]]);
  expect(await statesOf()).toContainEqual([`clearing:${slow}`, 'matched']);
});

test.each([
  ['with its end', 1, settle],
  ['after half a minute', 31, debit],
])('a fee that the record has not is an exception when the payout is asked for %s', async (_when, seconds, decide) => {
  const id = newId('payout');
  debit(id);
  services.records.push({ ...payout(id, 'PAID'), fee: 80 });
  await read();
  expect(await findings()).toEqual([]);
  services.passSeconds(seconds);
  decide(decide === settle ? id : newId('payout'));
  await read();
  expect(await findings()).toEqual([{ subject: `fee:${id}`, reason: 'fee_differs', r: 80, l: 90 }]);
});

test('of more reservations than are kept the oldest are asked for at once', async () => {
  const ids = Array.from({ length: 1_003 }, () => newId('payout'));
  for (const id of ids) debit(id);
  services.records.push(...ids.map((id) => payout(id, 'SENDING')));
  await read();
  expect(asked).toEqual([ids.slice(0, 3)]);
  ids.forEach(settle);
  services.records.splice(0, ids.length, ...ids.map((id) => payout(id, 'PAID')));
  services.passSeconds(1);
  await read();
  expect((await statesOf()).filter(([, state]) => state !== 'matched')).toEqual([]);
});
