import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { sendOrder } from '#src/treasury/follow-order.ts';
import { readHolds } from '#src/treasury/holds.ts';
import { showHolds } from '#src/treasury/observe-treasury.ts';
import { readPositions } from '#src/treasury/position.ts';
import { recordOrder } from '#src/treasury/record-order.ts';
import { advanceMarket } from '#src/treasury/run-treasury.ts';
import { readUncovered } from '#src/treasury/uncovered.ts';
import { MemoryVenue, type Trick } from './support/memory-venue.ts';
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
});

const convert = async (parts = 1) => await insertConversion(ledger.database, nowMs, parts);
const round = async (afterMs = 20_000) => {
  nowMs += afterMs;
  await advanceMarket(dependencies, venue, 'BRL');
};
const orders = () =>
  ledger.database.query('select state, result, problem, booked_bought, booked_fee from treasury_order order by id');
const shown = async () => {
  await showHolds(ledger.database, dependencies.venues);
  return (await metricsText()).text.split('\n').filter((line) => /^gateway_treasury_held\{.* 1$/.test(line));
};

test.each([
  ['too_dear', { ask: '53.8' }],
  ['too_large', { amountMin: '1000000' }],
  ['implausible', { takerFee: '0.9' }],
])(
  'a market that is %s gets no order, operators see since when, and it goes on when that is over',
  async (reason, odd) => {
    await convert();
    const fair = venue.quoted;
    venue.quoted = { ...fair, ...odd };
    await round();
    const since = Math.floor(nowMs / 1_000);
    await round();
    expect(venue.sent).toEqual([]);
    expect(await readHolds(ledger.database)).toMatchObject([{ venue: 'bitso', currency: 'BRL', reason, since }]);
    expect(await shown()).toEqual([`gateway_treasury_held{venue="bitso",currency="BRL",reason="${reason}"} 1`]);
    venue.quoted = fair;
    await round();
    expect(venue.sent).toHaveLength(1);
    expect(await shown()).toEqual([]);
  },
);

test('a market that is outside of the bounds is not read at every round', async () => {
  await convert();
  venue.quoted = { ...venue.quoted, ask: '53.8' };
  let readings = 0;
  const market = venue.market.bind(venue);
  venue.market = async (currency) => {
    readings += 1;
    return await market(currency);
  };
  for (let rounds = 0; rounds < 15; rounds += 1) await round(2_000);
  expect(readings).toBe(2);
});

test('what the least order bought beyond the conversions covers the next one, which waits for no order', async () => {
  await convert();
  venue.quoted = { ...venue.quoted, amountMin: '120' };
  await round();
  await convert(10);
  await round();
  expect(await readPositions(ledger.database)).toMatchObject([{ owed: 0, since: null }]);
  const covered = await ledger.database.query('select covered_by from conversion');
  expect(covered).toEqual([1, 2].map(() => ({ covered_by: venue.sent[0] })));
  expect(venue.sent).toHaveLength(1);
});

test('what held a market of an exchange that is not asked any more holds nothing', async () => {
  await convert();
  venue.quoted = { ...venue.quoted, ask: '53.8' };
  await round();
  const held = async () =>
    (await readUncovered(ledger.database)).positions.find(({ currency }) => currency === 'BRL')!.held;
  expect(await held()).toMatchObject({ venue: 'bitso', reason: 'too_dear' });
  await ledger.database.query(`update treasury_hold set checked_at = now() - interval '6 minutes'`);
  expect([await readHolds(ledger.database), await shown(), await held()]).toEqual([[], [], null]);
});

test('what is covered in the meantime is held no more', async () => {
  await convert();
  venue.quoted = { ...venue.quoted, ask: '53.8' };
  await round();
  await ledger.database.query(`update conversion set covered_by = 'by hand'`);
  expect([await readHolds(ledger.database), await shown()]).toEqual([[], []]);
});

test.each<Trick>(['refused_and_made', 'not_sent_and_made'])(
  'an order that is %s by what the exchange says is looked up before another one is made, and bought once',
  async (trick) => {
    await convert();
    Object.assign(venue, { trick, canLookUp: false });
    for (let rounds = 0; rounds < 40; rounds += 1) await round(10_000);
    expect(await orders()).toMatchObject([{ state: 'REFUSED', result: null }]);
    venue.canLookUp = true;
    await round();
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
    await round();
    expect(venue.sent.length + venue.orders.size).toBeLessThanOrEqual(2);
    expect(await orders()).toHaveLength(1);
  },
);

test('an order that was refused, and is shown all the same after a while, is not made a second time', async () => {
  await convert();
  Object.assign(venue, { trick: 'refused_and_made', shownAfterMs: 20_000 });
  for (let rounds = 0; rounds < 30; rounds += 1) await round(2_000);
  expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
  expect(venue.orders.size).toBe(1);
});

test('a fee in a third currency is none of what was bought, and the order says what is in no book', async () => {
  await convert();
  const getOrder = venue.getOrder.bind(venue);
  venue.getOrder = async (order) => {
    const state = await getOrder(order);
    return state.status === 'FOUND' ? { ...state, value: { ...state.value, fee: '0', otherFee: '1.5 bto' } } : state;
  };
  await round();
  const problem = 'a fee of 1.5 bto is in no book';
  expect(await orders()).toMatchObject([{ result: 'FILLED', booked_bought: 10_011, booked_fee: 0, problem }]);
});

test('an order that two processes are about to send is sent by one of them', async () => {
  await convert();
  nowMs += 1_000;
  const order = (await recordOrder(dependencies, venue, 'BRL'))!;
  await Promise.all([1, 2, 3].map(() => sendOrder(dependencies, venue, order)));
  expect(venue.sent).toEqual([expect.stringMatching(/^tro_/)]);
});
