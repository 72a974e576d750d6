import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, type Currency } from '@gateway/money';
import { exact } from '@gateway/providers/venues';
import { silentLogger } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import { fixedRates } from '#src/rates/rate-source.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { readPositions } from '#src/treasury/position.ts';
import { changeVenue } from '#src/treasury/venues.ts';
import { lookUpOrder } from '#src/treasury/follow-order.ts';
import { orderColumns, type OrderRow } from '#src/treasury/order-row.ts';
import { advanceMarket, runTreasury } from '#src/treasury/run-treasury.ts';
import { adjust } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';
import { MemoryVenue, testBounds, type Trick } from './support/memory-venue.ts';

let ledger: LedgerFixture;
let venue: MemoryVenue;
/** The last order of the tests before. */
let earlier: { readonly id: string | null } | undefined;
let nowMs = Date.now();
let dependencies: TreasuryDependencies;

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => await ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await ledger.database.query(`update conversion set covered_by = 'by hand' where covered_by is null`);
  await ledger.database.query('update treasury_order set next_at = null');
  await ledger.database.query('delete from treasury_surplus');
  await ledger.database.query('delete from treasury_balance');
  [earlier] = await ledger.database.query<{ id: string }>('select max(id) as id from treasury_order');
  venue = new MemoryVenue(() => nowMs);
  nowMs = Date.now();
  dependencies = {
    database: ledger.database,
    askLedger: ledger.ask,
    venues: [{ venue, currencies: ['BRL'] }],
    ...{ logger: silentLogger, now: () => nowMs, gatherMs: 0, bounds: testBounds },
  };
});

type From = 'BRL' | 'MXN';
const funded = async (amount: number, currency: From = 'BRL') => {
  const accountId = newId('account');
  await ledger.ask({ ...adjust(accountId, amount), environment: 'live', currency });
  return accountId;
};
const convert = async (accountId: string, amount: number, uncoveredMax?: number, from: From = 'BRL') => {
  const given = { ...dependencies, rates: { test: fixedRates, live: fixedRates } };
  const order = { kind: 'market', from, to: 'USDT', amount } as const;
  const wanted = { environment: 'live', accountId, externalId: newId('request'), order } as const;
  const limited = uncoveredMax === undefined ? given : { ...given, uncoveredMax };
  return (await createConversion(limited, wanted)).conversion;
};
const converted = async (amount: number, uncoveredMax?: number, from?: From) =>
  await convert(await funded(amount, from), amount, uncoveredMax, from);
/** Rounds of the worker, some time apart; a process that dies in one is followed by the next. */
const rounds = async (count: number, apartMs = 3_000) => {
  for (let round = 0; round < count; round += 1) {
    await runTreasury(dependencies).catch(() => undefined);
    nowMs += apartMs;
  }
};
const uncovered = async () =>
  (await readPositions(ledger.database)).reduce((sum, position) => sum + position.uncovered, 0);
const orders = () =>
  ledger.database.query<{ id: string; state: string; result: string; booked_bought: number; booked_spent: number }>(
    `select id, state, result, booked_bought, booked_spent from treasury_order
     where $1::text is null or id > $1 order by id`,
    [earlier?.id ?? null],
  );
const coveredBy = async (id: string) =>
  (await ledger.database.query<{ by: string | null }>('select covered_by as by from conversion where id = $1', [id]))[0]
    ?.by;
const booked = async () => {
  const rows = await ledger.database.query<{ account: string; currency: Currency; amount: number }>(
    `select account, currency, sum(amount)::bigint as amount from system_balance where environment = 'live'
     group by account, currency`,
  );
  return new Map(rows.map(({ account, currency, amount }) => [`${account} ${currency}`, amount]));
};

describe('what a live conversion owes', () => {
  test('is bought, booked on the account at the exchange, and the conversion names its order', async () => {
    const before = await booked();
    const { id, toAmount } = await converted(54_000);
    expect(await uncovered()).toBe(toAmount);
    await rounds(1);
    const [order, ...others] = await orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({ state: 'DONE', result: 'FILLED' });
    expect(await coveredBy(id)).toBe(order?.id);
    const after = await booked();
    const change = (account: string) => (after.get(account) ?? 0) - (before.get(account) ?? 0);
    // 100.11 bought at 5.38 for 538.5918, less 0.10011 as a fee: 100.00989 held.
    expect(change('treasury:bitso BRL')).toBe(53_860);
    expect(change('treasury:bitso USDT')).toBe(-10_000);
    expect(change('trading-fees BRL')).toBe(-53);
    expect(change('fx USDT')).toBe(0);
    expect(change('fx BRL')).toBe(54_000 - (53_860 - 53));
    expect(await uncovered()).toBe(0);
  });

  test('is gathered into one order', async () => {
    dependencies = { ...dependencies, gatherMs: 30_000 };
    for (const amount of [10_000, 20_000, 30_000]) await converted(amount);
    await rounds(1, 31_000);
    expect(await orders()).toEqual([]);
    await rounds(1);
    expect(await orders()).toMatchObject([{ result: 'FILLED' }]);
    expect(await uncovered()).toBeLessThanOrEqual(0);
  });

  test('is bought in parts where the market has no more', async () => {
    venue.trick = 'part';
    const first = await converted(10_000);
    const second = await converted(54_000);
    await rounds(4);
    const [part, rest] = await orders();
    expect([part?.result, rest?.result]).toEqual(['PARTIALLY_FILLED', 'FILLED']);
    expect([await coveredBy(first.id), await coveredBy(second.id)]).toEqual([part?.id, rest?.id]);
    const total = (part?.booked_bought ?? 0) + (rest?.booked_bought ?? 0);
    expect(total - first.toAmount - second.toAmount).toBe(0 - (await uncovered()));
    expect(await uncovered()).toBeLessThanOrEqual(0);
  });
});

describe('an order', () => {
  test.each<[string, Trick, number]>([
    ['recorded before the process dies, and not sent', 'dies_before', 0],
    ['sent before the process dies', 'dies_after', 1],
    ['whose answer is lost', 'lost_answer', 1],
  ])('%s is asked for by its own id, and never sent again', async (_case, trick, arrived) => {
    venue.trick = trick;
    const { id } = await converted(54_000);
    await rounds(40);
    expect(await uncovered()).toBeLessThanOrEqual(0);
    expect(await coveredBy(id)).toMatch(/^tro_/);
    expect(new Set(venue.sent).size).toBe(venue.sent.length);
    expect(venue.orders.size).toBe(1);
    expect(await orders()).toHaveLength(2 - arrived);
  });

  test('that never arrived is given time to be seen before another one is made', async () => {
    venue.trick = 'never_arrived';
    await converted(54_000);
    await rounds(18);
    expect(venue.sent).toHaveLength(1);
    await rounds(20);
    expect(await orders()).toMatchObject([{ result: 'UNFILLED' }, { result: 'FILLED' }]);
    expect(new Set(venue.sent).size).toBe(2);
  });

  test('without an answer stays open as long as it cannot be looked up', async () => {
    venue.trick = 'lost_answer';
    venue.canLookUp = false;
    await converted(54_000);
    await rounds(60, 10_000);
    expect(await orders()).toMatchObject([{ state: 'UNKNOWN' }]);
    venue.canLookUp = true;
    await rounds(2, 10_000);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED' }]);
  });

  test.each<Trick>(['refused', 'not_sent'])('that is %s waits before the next, with what was owed', async (trick) => {
    venue.trick = trick;
    await converted(54_000);
    await rounds(16, 2_000);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'UNFILLED' }]);
    await rounds(3, 1_000);
    expect(await orders()).toHaveLength(1);
    await rounds(2, 5_000);
    expect(await orders()).toMatchObject([{ result: 'UNFILLED' }, { result: 'FILLED' }]);
  });

  test('that shows an execution after its end is booked once more', async () => {
    venue.trick = 'never_arrived';
    await converted(54_000);
    await rounds(25);
    const [lost] = await orders();
    const value = { isOpen: false, venueOrderId: 'oid-late', bought: '10', spent: '53.8', fee: '0.01' };
    venue.orders.set(lost?.id ?? '', value);
    const before = await booked();
    await rounds(2, 600_000);
    expect((await orders())[0]).toMatchObject({ state: 'DONE', result: 'PARTIALLY_FILLED', booked_bought: 999 });
    expect(((await booked()).get('treasury:bitso USDT') ?? 0) - (before.get('treasury:bitso USDT') ?? 0)).toBe(-999);
  });

  test('that its exchange has taken is given time to be shown before another one is made', async () => {
    await converted(54_000);
    venue.shownAfterMs = 20_000;
    await rounds(12);
    expect(venue.sent).toHaveLength(1);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
  });

  test('that has ended keeps what it bought, whatever a process that comes late has found before', async () => {
    venue.trick = 'lost_answer';
    await converted(54_000);
    const dying = { ...dependencies, askLedger: async () => await Promise.reject(new Error('away')) };
    await expect(advanceMarket(dying, venue, 'BRL')).rejects.toThrow('away');
    const [row] = await ledger.database.query<OrderRow>(`select ${orderColumns} from treasury_order order by id desc`);
    expect(row).toMatchObject({ state: 'BOOKING' });
    const nothingYet = Object.assign(new MemoryVenue(() => nowMs), { orders: new Map() });
    await lookUpOrder(dependencies, nothingYet, { ...row!, state: 'UNKNOWN' });
    await rounds(2);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
  });

  test('that is open at an exchange which covers its currency no more is followed by none elsewhere', async () => {
    Object.assign(venue, { trick: 'lost_answer', canLookUp: false });
    await converted(54_000);
    await rounds(2);
    const other = Object.assign(new MemoryVenue(() => nowMs), { id: 'another' });
    const { venues } = dependencies;
    dependencies = { ...dependencies, venues: [{ venue: other, currencies: ['BRL'] }] };
    await rounds(3, 60_000);
    expect(other.sent).toEqual([]);
    dependencies = { ...dependencies, venues };
    venue.canLookUp = true;
    await rounds(2);
    expect(await orders()).toMatchObject([{ state: 'DONE', result: 'FILLED', booked_bought: 10_000 }]);
  });

  test('is made and sent once by two workers at the same moment', async () => {
    await converted(54_000);
    await Promise.all([1, 2, 3].map(() => advanceMarket(dependencies, venue, 'BRL')));
    await rounds(3);
    expect(venue.sent).toHaveLength(1);
    expect(await orders()).toMatchObject([{ result: 'FILLED', booked_bought: 10_000 }]);
  });
});

describe('the account at the exchange', () => {
  const balances = () =>
    ledger.database.query<{ currency: string; difference: number; own_funds: number }>(
      'select currency, difference, own_funds from treasury_balance order by currency',
    );
  const treasuryCheck = async () =>
    (await reconcile(ledger.database.pool)).find(({ name }) => name === 'treasury_agrees');

  test('holds what is booked there, to the cent, whatever was rounded; what it held before is our own', async () => {
    await rounds(1, 61_000);
    const own = await balances();
    for (const amount of [5_401, 7_777, 54_321]) {
      await converted(amount);
      await rounds(2, 31_000);
    }
    await rounds(1, 61_000);
    expect(await balances()).toEqual(own.map((row) => ({ ...row, difference: 0 })));
    expect(await treasuryCheck()).toMatchObject({ status: 'OK', findings: [] });
  });

  test('is found to lack money by the reconciliation, until two operators have stated that it was taken out', async () => {
    await rounds(1, 61_000);
    venue.held = { ...venue.held, BRL: venue.held.BRL - exact('12.34') };
    await rounds(1, 61_000);
    const [brl] = await balances();
    // What was our own at first is known to the cent below.
    expect([-1_234, -1_233]).toContain(brl?.difference);
    expect((await treasuryCheck())?.findings).toEqual([
      `bitso BRL: the exchange holds ${-(brl?.difference ?? 0)} less than the books explain`,
    ]);
    const ownFunds = { currency: 'BRL', amount: (brl?.own_funds ?? 0) + (brl?.difference ?? 0) } as const;
    const { venue: changed } = await changeVenue(ledger.database, dependencies.venues, { id: 'bitso', ownFunds });
    expect(changed.balances[0]).toMatchObject({ currency: 'BRL', difference: 0, ownFunds: ownFunds.amount });
    expect(await treasuryCheck()).toMatchObject({ status: 'OK' });
  });
});

test('conversions are refused in words while more is owed than the operator allows', async () => {
  venue.trick = 'refused';
  await converted(54_000, 15_000);
  await expect(converted(54_000, 15_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 60 });
  await rounds(7, 6_000);
  expect((await converted(54_000, 15_000)).toAmount).toBe(10_000);
});

test('conversions that are made at the same moment owe no more together than the operator allows', async () => {
  const accountIds = await Promise.all([1, 2, 3, 4, 5].map(() => funded(54_000)));
  const made = await Promise.allSettled(accountIds.map((id) => convert(id, 54_000, 25_000)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await uncovered()).toBe(20_000);
});

test('a market that cannot be used keeps USDT from being bought in no other', async () => {
  const market = await venue.market();
  venue.market = async (currency) => (currency === 'BRL' ? await Promise.reject(new Error('odd')) : market);
  dependencies = { ...dependencies, venues: [{ venue, currencies: ['BRL', 'MXN'] }] };
  const first = await converted(54_000);
  const second = await converted(54_000, undefined, 'MXN');
  await rounds(2);
  expect([await coveredBy(first.id), await coveredBy(second.id)]).toEqual([null, expect.stringMatching(/^tro_/)]);
});

test('law: what was converted is what was bought and what is not covered, whatever the exchange does', async () => {
  const tricks: Trick[] = [
    'part',
    'lost_answer',
    'refused',
    'none',
    'dies_after',
    'never_arrived',
    'part',
    'dies_before',
  ];
  const before = await booked();
  let sold = 0;
  for (const [index, trick] of tricks.entries()) {
    venue.trick = trick;
    sold += (await converted(5_000 + index * 7_777)).toAmount;
    await rounds(3);
    const bought = (await orders()).reduce((sum, order) => sum + order.booked_bought, 0);
    expect(sold).toBe(bought + (await uncovered()));
    const after = await booked();
    const fx = (currency: Currency) => (after.get(`fx ${currency}`) ?? 0) - (before.get(`fx ${currency}`) ?? 0);
    expect(fx('USDT')).toBe(0 - (await uncovered()));
  }
  await rounds(60);
  expect(await uncovered()).toBeLessThanOrEqual(0);
  const checks = await reconcile(ledger.database.pool);
  expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
});
