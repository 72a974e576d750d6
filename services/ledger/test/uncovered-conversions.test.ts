import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { fixedRates } from '#src/rates/rate-source.ts';
import { readPositions } from '#src/treasury/position.ts';

let ledger: TestDatabase;
let dependencies: ConversionDependencies;

beforeAll(async () => {
  ledger = await createTestDatabase('ledger', { migrations });
  dependencies = {
    database: ledger.database,
    askLedger: async ({ id: commandId }) => ({
      ...{ commandId, outcome: 'applied', refusal: null, field: null },
      ...{ balances: [], amounts: {}, replayed: false },
    }),
    rates: { test: fixedRates, live: fixedRates },
    uncoveredMax: 15_000,
    logger: silentLogger,
    now: () => Date.now(),
  };
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

test('calls at the same moment under one external_id are one conversion, also where no second one is allowed', async () => {
  const owner = { environment: 'live', accountId: newId('account'), externalId: newId('request') } as const;
  const order = { kind: 'market', from: 'BRL', to: 'USDT', amount: 54_000 } as const;
  const made = await Promise.all([1, 2, 3, 4].map(() => createConversion(dependencies, { ...owner, order })));
  expect(new Set(made.map(({ conversion }) => conversion.id)).size).toBe(1);
  expect(made.filter(({ created }) => created)).toHaveLength(1);
  expect(await readPositions(ledger.database)).toMatchObject([{ currency: 'BRL', uncovered: 10_000 }]);
});
