import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import { createQuote } from '#src/conversions/create-quote.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { StoredSwitch } from '#src/conversions/stored-switch.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { fixedRates, whileOn } from '#src/rates/rate-source.ts';

let ledger: TestDatabase;
let replica: StoredSwitch;
let dependencies: ConversionDependencies;

const now = () => Date.now();
const started = (isAllowed = true) => new StoredSwitch({ database: ledger.database, isAllowed, now });

beforeAll(async () => {
  ledger = await createTestDatabase('ledger', { migrations });
});
afterAll(async () => await ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await ledger.database.query(
    `update conversion_switch set position = 'off', version = 0, set_by = null, set_at = null, reason = null`,
  );
  replica = started();
  dependencies = {
    database: ledger.database,
    askLedger: async ({ id: commandId }) => ({
      ...{ commandId, outcome: 'applied', refusal: null, field: null },
      ...{ balances: [], amounts: {}, replayed: false, link: null },
    }),
    rates: { test: fixedRates, live: whileOn(fixedRates, async () => (await replica.read()).live === 'on') },
    logger: silentLogger,
    now,
  };
});

const on = (ifVersion: number) => ({ live: 'on', by: 'bruno', reason: 'counsel agrees', ifVersion }) as const;
const off = { live: 'off', by: 'ana', reason: 'the exchange is down', ifVersion: null } as const;
const owner = { environment: 'live', accountId: newId('account') } as const;
const pair = { from: 'BRL', to: 'USDT', amount: 5_400 } as const;
const quote = () => createQuote(dependencies, { ...owner, ...pair, fixed: 'from' });
const convert = (order: Parameters<typeof createConversion>[1]['order']) =>
  createConversion(dependencies, { ...owner, externalId: newId('request'), order });
const notEnabled = { code: 'CURRENCY_NOT_SUPPORTED' };
const invalid = { code: 'INVALID_STATE' };

describe('the switch of live conversions', () => {
  test('is off before anyone has set it, and then stays as it was set, also for a process that starts', async () => {
    expect(await replica.read()).toEqual({
      ...{ live: 'off', allowed: true, version: 0, by: null, at: null, reason: null },
    });
    const { before, after } = await replica.set(on(0));
    expect([before.live, after]).toMatchObject([
      'off',
      { live: 'on', by: 'bruno', reason: 'counsel agrees', version: 1 },
    ]);
    expect(await started().read()).toEqual(after);
    await replica.set(off);
    expect(await started().read()).toMatchObject({ live: 'off', by: 'ana', version: 2 });
  });

  test('that is off refuses quotes and conversions from the next call on, and leaves a quote good that was given', async () => {
    const market = { kind: 'market', ...pair } as const;
    await expect(quote()).rejects.toMatchObject(notEnabled);
    await expect(convert(market)).rejects.toMatchObject(notEnabled);
    await replica.set(on(0));
    const given = await quote();
    expect((await convert(market)).created).toBe(true);
    // By another replica.
    await started().set(off);
    await expect(quote()).rejects.toMatchObject(notEnabled);
    await expect(convert(market)).rejects.toMatchObject(notEnabled);
    expect((await convert({ kind: 'quoted', quoteId: given.quote.id })).created).toBe(true);
  });

  test('is not switched on where somebody has set it since the proposal, although it was off before and after', async () => {
    await replica.set(off);
    await expect(replica.set(on(0))).rejects.toMatchObject(invalid);
    expect(await replica.read()).toMatchObject({ live: 'off', version: 1 });
  });

  test('is switched on once, however often the same is asked, and never again after it was switched off', async () => {
    const { after } = await replica.set(on(0));
    expect((await replica.set(on(0))).after).toEqual(after);
    await replica.set(off);
    await expect(replica.set(on(0))).rejects.toMatchObject(invalid);
    expect(await replica.read()).toMatchObject({ live: 'off', version: 2 });
  });

  test('is not switched on where the configuration does not allow it, and can be switched off there', async () => {
    await expect(started(false).set(on(0))).rejects.toMatchObject(invalid);
    expect((await started(false).set(off)).after).toMatchObject({ live: 'off', allowed: false });
  });
});
