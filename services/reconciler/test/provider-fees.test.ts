import { beforeEach, expect, test } from 'vitest';
import type { FeeLine } from '@gateway/contracts/deposits';
import { ProviderFees } from '#src/lines/provider-fees.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, line, matchesOf, noon, openBooks } from './books.ts';

const database = await openBooks();

let asked: FeeLine[][] = [];
let now = noon;
/** As deposits does: what costs 85 is booked, and the ledger's side of it arrives. */
const answer = async (some: readonly FeeLine[]) => {
  asked.push([...some]);
  const priced = some.filter(({ amount }) => amount === 85);
  await arrive(database, { facts: priced.map(({ lineId }) => booked(`provider-fee:${lineId}`, -85)) });
  return { booked: priced.map(({ lineId }) => lineId) };
};
let asks = answer;
const fees = () => new ProviderFees({ database, now: () => now, bookFees: (some) => asks(some) });
beforeEach(async () => {
  await compare(database);
  asked = [];
  asks = answer;
  now = noon;
});

const fee = (key: string, amount: number, e2eId: string | null = null) =>
  line(`efi:${key}`, amount, { kind: 'provider_fee', e2eId });

test('a fee of a statement is asked for until the ledger has it, and then it is explained', async () => {
  await arrive(database, { lines: [fee('f1', -85), fee('f2', -90)] });
  const reader = fees();
  await reader.round();
  await reader.round();
  expect(asked.map((some) => some.map(({ lineId, amount }) => [lineId, amount]))).toEqual([
    [
      ['efi:f1', 85],
      ['efi:f2', 90],
    ],
    [['efi:f2', 90]],
  ]);
  const states = (await matchesOf(database)).matches.map(({ state, p, l }) => [state, p, l]);
  expect(states).toEqual([
    ['matched', -85, -85],
    ['waiting', -90, 0],
  ]);
});

test('a fee that is listed twice for one payment is asked for once, and one that was given back is not', async () => {
  await arrive(database, { lines: [fee('f1', -85, 'E1'), fee('f2', -85, 'E1'), fee('f3', 85), fee('a bad id', -85)] });
  await fees().round();
  expect(asked.flat().map(({ lineId }) => lineId)).toEqual(['efi:f1']);
});

test('more fees than one question takes are all asked for', async () => {
  const many = Array.from({ length: 450 }, (_, at) => fee(`f${String(at).padStart(3, '0')}`, -85));
  await arrive(database, { lines: many });
  await fees().round();
  expect(asked.map((some) => some.length)).toEqual([200, 200, 50]);
});

test('a fee that the day ended for before it was booked is booked all the same, and is no exception any more', async () => {
  const midnight = after(12 * 60);
  await arrive(database, { lines: [{ ...fee('f1', -85), bookedAt: midnight }] }, new Date(midnight.getTime() - 1_000));
  now = new Date(midnight.getTime() + 10_000);
  await sweep({ database, now: () => now });
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'unexplained' }]);
  await fees().round();
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'matched', p: -85, l: -85 }]);
  expect(await database.query('select state from exception')).toEqual([{ state: 'EXPLAINED' }]);
});

test('a fee that operators propose something about, or of before the comparison began, is not asked for', async () => {
  await database.query(`update statement_source set compared_from = $1`, [after(-60)]);
  await arrive(database, { lines: [fee('f1', -85), { ...fee('f2', -85), bookedAt: after(-61) }] });
  await database.query(`update match set state = 'proposed' where subject like '%:f1'`);
  await fees().round();
  expect(asked).toEqual([]);
});

test('all fees that wait are asked for once an hour, and again soon where that has failed', async () => {
  await arrive(database, { lines: [fee('f1', -90)] });
  now = after(60);
  const reader = fees();
  asks = async () => await Promise.reject(new Error('deposits is away'));
  await expect(reader.round()).rejects.toThrow('away');
  asks = answer;
  await reader.round();
  await reader.round();
  expect(asked.flat().map(({ lineId }) => lineId)).toEqual(['efi:f1']);
});
