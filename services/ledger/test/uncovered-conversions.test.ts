import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { DueWork } from '@gateway/persistence';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { fixedRates } from '#src/rates/rate-source.ts';
import { readOrders } from '#src/treasury/list-orders.ts';
import { readPositions } from '#src/treasury/position.ts';
import { coverByHand, readUncovered } from '#src/treasury/uncovered.ts';
import { treasuryDue } from '#src/workers.ts';
import { applyingLedger, emptyTreasury } from './support/treasury.ts';

let ledger: TestDatabase;
let dependencies: ConversionDependencies;

beforeAll(async () => {
  ledger = await createTestDatabase('ledger', { migrations });
  dependencies = {
    database: ledger.database,
    askLedger: applyingLedger,
    rates: { test: fixedRates, live: fixedRates },
    uncoveredMax: 15_000,
    logger: silentLogger,
    now: () => Date.now(),
  };
});
afterAll(async () => await ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyTreasury(ledger.database);
});

test('calls at the same moment under one external_id are one conversion, also where no second one is allowed', async () => {
  const owner = { environment: 'live', accountId: newId('account'), externalId: newId('request') } as const;
  const order = { kind: 'market', from: 'BRL', to: 'USDT', amount: 54_000 } as const;
  const made = await Promise.all([1, 2, 3, 4].map(() => createConversion(dependencies, { ...owner, order })));
  expect(new Set(made.map(({ conversion }) => conversion.id)).size).toBe(1);
  expect(made.filter(({ created }) => created)).toHaveLength(1);
  expect(await readPositions(ledger.database)).toMatchObject([{ currency: 'BRL', uncovered: 10_000 }]);
});

const brl = async () => (await readUncovered(ledger.database)).positions.find(({ currency }) => currency === 'BRL')!;
const convert = async () => {
  const order = { kind: 'market', from: 'BRL', to: 'USDT', amount: 27_000 } as const;
  const owner = { environment: 'live', accountId: newId('account'), externalId: newId('request') } as const;
  return (await createConversion(dependencies, { ...owner, order })).conversion;
};
const record = async (state: string, currency = 'BRL') => {
  const id = newId('treasuryOrder');
  await ledger.database.query(
    `insert into treasury_order (id, venue, currency, state, amount, price_max, created_at)
     values ($1, 'bitso', $3, $2, 50.5, 5.43, now())`,
    [id, state, currency],
  );
  return id;
};

test('what is owed wakes the treasury of a machine whose clock is behind the database', async () => {
  await convert();
  const woken = Promise.withResolvers<void>();
  const behind = () => new Date(Date.now() - 60_000);
  await using dueWork = new DueWork({ database: ledger.database, logger: silentLogger, now: behind });
  dueWork.add({ name: 'treasury', firstDue: treasuryDue, wake: woken.resolve });
  await woken.promise;
});

describe('conversions that two operators have covered by hand', () => {
  const decided = async () => {
    const { through, owed, uncovered } = await brl();
    return {
      currency: 'BRL',
      through: through!,
      owed,
      surplus: owed - uncovered,
      approvalId: newId('approval'),
    } as const;
  };

  test('owe nothing from then on, so that conversions are accepted again where no exchange is configured', async () => {
    await convert();
    const { id } = await convert();
    await convert();
    await expect(convert()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await brl()).toMatchObject({ conversions: 3, owed: 15_000, given: 81_000, uncovered: 15_000, held: null });
    const wanted = await decided();
    const made = await Promise.all([1, 2].map(() => coverByHand(ledger.database, wanted)));
    expect(made.map(({ after }) => after.owed)).toEqual([0, 0]);
    const [row] = await ledger.database.query('select covered_by from conversion where id = $1', [id]);
    expect(row).toEqual({ covered_by: `by hand (${wanted.approvalId})` });
    expect((await convert()).toAmount).toBe(5_000);
  });

  test('are those that the first of them saw, and none that was made since', async () => {
    await convert();
    const wanted = await decided();
    const later = await convert();
    const { after } = await coverByHand(ledger.database, wanted);
    expect(after).toMatchObject({ conversions: 1, through: later.id, owed: 5_000 });
  });

  test('take what earlier orders have left over, since only the rest had to be bought', async () => {
    await ledger.database.query(`insert into treasury_surplus (currency, amount) values ('BRL', 2000)`);
    await convert();
    expect(await brl()).toMatchObject({ owed: 5_000, uncovered: 3_000 });
    const { after } = await coverByHand(ledger.database, await decided());
    expect(after).toMatchObject({ owed: 0, uncovered: 0 });
    await convert();
    expect(await brl()).toMatchObject({ owed: 5_000, uncovered: 5_000 });
  });

  test('stay as they are when an order has bought some late, and what it bought is not lost', async () => {
    await convert();
    const wanted = await decided();
    await ledger.database.query(`insert into treasury_surplus (currency, amount) values ('BRL', 500)`);
    await expect(coverByHand(ledger.database, wanted)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await brl()).toMatchObject({ owed: 5_000, uncovered: 4_500 });
  });

  test('stay as they are while an order is open, and when some were bought since', async () => {
    await convert();
    const wanted = await decided();
    const order = await record('REFUSED');
    const invalid = { code: 'INVALID_STATE' };
    await expect(coverByHand(ledger.database, wanted)).rejects.toMatchObject(invalid);
    expect(await brl()).toMatchObject({ order, owed: 5_000 });
    await ledger.database.query(`update treasury_order set state = 'DONE'`);
    await ledger.database.query('update conversion set covered_by = $1', [order]);
    await expect(coverByHand(ledger.database, wanted)).rejects.toMatchObject(invalid);
  });
});

test('operators find orders by exchange, currency, state and time, newest first and page by page', async () => {
  const ids = [await record('DONE'), await record('DONE', 'MXN'), await record('UNKNOWN')];
  const found = async (filter: object) =>
    (await readOrders(ledger.database, { limit: 10, ...filter })).orders.map(({ id }) => id);
  expect(await found({})).toEqual([...ids].sort().reverse());
  expect(await found({ currency: 'MXN' })).toEqual([ids[1]]);
  expect(await found({ state: 'UNKNOWN', venue: 'bitso' })).toEqual([ids[2]]);
  expect(await found({ venue: 'another' })).toEqual([]);
  expect(await found({ to: 1 })).toEqual([]);
  const first = await readOrders(ledger.database, { limit: 2 });
  expect(first.orders).toHaveLength(2);
  expect(await found({ cursor: first.nextCursor })).toHaveLength(1);
  const unknown = readOrders(ledger.database, { limit: 2, cursor: newId('treasuryOrder') });
  await expect(unknown).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
