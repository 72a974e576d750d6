import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FeeLine } from '@gateway/contracts/deposits';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { ProviderFees } from '#src/lines/provider-fees.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { arrive, booked, compare, emptyTables, line, matchesOf, noon } from './books.ts';

let testDatabase: TestDatabase;
let database: TestDatabase['database'];
beforeAll(async () => {
  testDatabase = await createTestDatabase('reconciler', { migrations });
  database = testDatabase.database;
});
afterAll(async () => testDatabase[Symbol.asyncDispose]());

let asked: FeeLine[][] = [];
let now = noon;
/** As deposits does: what costs 85 is booked, and the ledger's side of it arrives. */
const fees = () =>
  new ProviderFees({
    database,
    now: () => now,
    bookFees: async (some) => {
      asked.push([...some]);
      const priced = some.filter(({ amount }) => amount === 85);
      await arrive(database, { facts: priced.map(({ lineId }) => booked(`provider-fee:${lineId}`, -85)) });
      return { booked: priced.map(({ lineId }) => lineId) };
    },
  });
beforeEach(async () => {
  await emptyTables(database);
  await compare(database);
  asked = [];
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
