import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exact } from '@gateway/providers/venues';
import type { Database } from '@gateway/persistence';
import { metricsText } from '@gateway/runtime';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { compareVenue } from '#src/treasury/compare-venue.ts';
import { showDifferences } from '#src/treasury/observe-treasury.ts';
import { changeVenue } from '#src/treasury/venues.ts';
import { MemoryVenue } from './support/memory-venue.ts';

let ledger: TestDatabase;
let venue: MemoryVenue;
let nowMs = Date.now();

beforeAll(async () => {
  ledger = await createTestDatabase('ledger', { migrations });
});
afterAll(async () => await ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await ledger.database.query('delete from treasury_balance');
  venue = new MemoryVenue(() => nowMs);
  nowMs = Date.now();
});

const currencies = ['BRL'] as const;
/** A minute after the one before. */
const compare = async (database: Database = ledger.database) => {
  nowMs += 61_000;
  await compareVenue({ database, now: () => nowMs, logger: silentLogger }, { venue, currencies });
};
const balance = async () => {
  const rows = await ledger.database.query(
    `select held, own_funds, difference, problem from treasury_balance where currency = 'BRL'`,
  );
  return rows[0];
};
const takeOut = (amount: string) => (venue.held = { ...venue.held, BRL: venue.held.BRL - exact(amount) });
const silence = () => (venue.balances = async () => ({ ok: false, cause: 'no answer' }) as never);
const stateOwnFunds = (amount: number) =>
  changeVenue(ledger.database, [{ venue, currencies }], { id: venue.id, ownFunds: { currency: 'BRL', amount } });
const findings = async () =>
  (await reconcile(ledger.database.pool)).find(({ name }) => name === 'treasury_agrees')?.findings;

describe('a comparison with an exchange that does not answer', () => {
  test('leaves what was found before, with the reason', async () => {
    await compare();
    takeOut('12.34');
    await compare();
    const found = { held: 99_998_766, own_funds: 100_000_000, difference: -1_234 };
    expect(await balance()).toEqual({ ...found, problem: null });
    silence();
    await compare();
    expect(await balance()).toEqual({ ...found, problem: 'no answer' });
  });

  test('is no comparison: after an hour of them the reconciliation says so', async () => {
    await compare();
    await ledger.database.query(
      `update treasury_balance set compared_at = now() - interval '61 minutes', tried_at = null`,
    );
    silence();
    await compare();
    expect(await findings()).toEqual([
      'bitso BRL: could not be compared for an hour: no answer',
      'bitso USDT: could not be compared for an hour: no answer',
    ]);
  });

  test('is tried once a minute', async () => {
    let asked = 0;
    venue.balances = async () => ({ ok: false, cause: `no answer to ${(asked += 1)}` }) as never;
    await compare();
    nowMs -= 30_000;
    await compare();
    expect(await balance()).toMatchObject({ problem: 'no answer to 1' });
    await compare();
    expect(await balance()).toMatchObject({ problem: 'no answer to 2' });
  });
});

test('a comparison follows the end of an order, once what it bought shows in the balance', async () => {
  const compareAfter = async (ms: number) => {
    nowMs += ms;
    await compareVenue({ database: ledger.database, now: () => nowMs, logger: silentLogger }, { venue, currencies });
    return await balance();
  };
  const ownAndHeld = { own_funds: 100_000_000, held: 100_000_000, problem: null };
  expect(await compareAfter(0)).toMatchObject(ownAndHeld);
  await ledger.database.query(
    `insert into treasury_order (id, venue, currency, state, result, amount, price_max, created_at, ended_at)
     values ('tro_compared', $1, 'BRL', 'DONE', 'UNFILLED', 1, 6, $2, $2)`,
    [venue.id, new Date(nowMs + 1_000)],
  );
  takeOut('1');
  expect(await compareAfter(3_000)).toMatchObject(ownAndHeld);
  expect(await compareAfter(4_000)).toMatchObject({ held: 99_999_900 });
  takeOut('1');
  expect(await compareAfter(10_000)).toMatchObject({ held: 99_999_900 });
  await ledger.database.query(`delete from treasury_order where id = 'tro_compared'`);
});

test('what a comparison has found is shown by every process, until another has found it gone', async () => {
  await compare();
  takeOut('12.34');
  await compare();
  const shown = async () => {
    await showDifferences(ledger.database, [{ venue, currencies }]);
    return (await metricsText()).text.split('\n').filter((line) => line.startsWith('gateway_treasury_difference'));
  };
  const line = (currency: string, cents: number) =>
    `gateway_treasury_difference_cents{venue="bitso",currency="${currency}"} ${cents}`;
  expect(await shown()).toEqual([line('BRL', -1_234), line('USDT', 0)]);
  // By another process, which does not share its metrics with this one.
  await ledger.database.query('update treasury_balance set difference = 0');
  expect(await shown()).toEqual([line('BRL', 0), line('USDT', 0)]);
});

test('what operators state of their own money while it is compared is not undone', async () => {
  await compare();
  takeOut('500');
  const meanwhile = async (...[text, params]: Parameters<Database['query']>) => {
    if (text.includes('insert into treasury_balance')) await stateOwnFunds(99_950_000);
    return await ledger.database.query(text, params);
  };
  await compare(Object.assign(Object.create(ledger.database) as Database, { query: meanwhile }));
  expect(await balance()).toMatchObject({ own_funds: 99_950_000 });
  await compare();
  expect(await balance()).toMatchObject({ own_funds: 99_950_000, difference: 0 });
});
