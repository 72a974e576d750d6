import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Execution } from '@gateway/providers/venues';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { runTreasury } from '#src/treasury/run-treasury.ts';
import { MemoryVenue } from './support/memory-venue.ts';
import { emptyTreasury, insertConversion, treasuryAt } from './support/treasury.ts';

let ledger: TestDatabase;
let venue: MemoryVenue;
let dependencies: TreasuryDependencies;
let nowMs = Date.now();

beforeAll(async () => {
  ledger = await createTestDatabase('ledger', { migrations });
});
afterAll(async () => await ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyTreasury(ledger.database);
  venue = new MemoryVenue(() => nowMs);
  dependencies = treasuryAt(ledger.database, venue, () => nowMs);
  await insertConversion(ledger.database, nowMs);
});

const rounds = async (count: number) => {
  for (let each = 0; each < count; each += 1) {
    nowMs += 20_000;
    await runTreasury(dependencies);
  }
};
const orders = () =>
  ledger.database.query('select state, result, problem, booked_bought::int from treasury_order order by id');

const absurd: [string, Partial<Execution>, Partial<Execution>][] = [
  ['a fee beyond what was bought', { fee: '250' }, {}],
  ['a purchase for nothing', { spent: '0' }, {}],
  ['more than was ordered', { bought: '100000', spent: '538000' }, {}],
  ['a price beyond the limit', { spent: '5380' }, {}],
  ['a price without a purchase', { bought: '0', fee: '0', spent: '538' }, {}],
];

test.each(absurd)(
  'an execution with %s is not booked, and nothing more is ordered until it is settled',
  async (_, odd) => {
    const getOrder = venue.getOrder.bind(venue);
    venue.getOrder = async (order) => {
      const state = await getOrder(order);
      return state.status === 'FOUND' ? { ...state, value: { ...state.value, ...odd } } : state;
    };
    await rounds(10);
    expect(venue.sent).toHaveLength(1);
    const [open] = await orders();
    expect(open).toMatchObject({ state: 'SENT', result: null, booked_bought: 0 });
    expect(open!.problem).toContain('cannot be');
    venue.getOrder = getOrder;
    await rounds(2);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
  },
);
