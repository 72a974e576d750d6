import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestDatabase, silentLogger } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import { createQuote } from '#src/conversions/create-quote.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { readQuote } from '#src/conversions/read-quote.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { fixedRates } from '#src/rates/rate-source.ts';

let stack: AsyncDisposableStack;
let dependencies: ConversionDependencies;
let nowMs = Date.now();

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const { database } = stack.use(await createTestDatabase('ledger', { migrations }));
  dependencies = {
    database,
    askLedger: async ({ id: commandId }) => ({
      ...{ commandId, outcome: 'applied', refusal: null, field: null },
      ...{ balances: [], amounts: {}, replayed: false, link: null },
    }),
    rates: { test: fixedRates, live: fixedRates },
    logger: silentLogger,
    now: () => nowMs,
  };
});
afterAll(async () => await stack.disposeAsync());

const owner = { environment: 'test', accountId: newId('account') } as const;
const quoted = async () => {
  const wish = { from: 'BRL', to: 'USDT', fixed: 'from', amount: 5_400 } as const;
  return (await createQuote(dependencies, { ...owner, ...wish })).quote;
};
const statusOf = async ({ id }: { readonly id: string }) => (await readQuote(dependencies, { ...owner, id })).status;

test('a quote is ACTIVE as it was made, USED once a conversion has it, and EXPIRED when none had it in time', async () => {
  const [used, unused] = [await quoted(), await quoted()];
  expect(used.status).toBe('ACTIVE');
  expect(await readQuote(dependencies, { ...owner, id: used.id })).toEqual(used);
  const order = { kind: 'quoted', quoteId: used.id } as const;
  await createConversion(dependencies, { ...owner, externalId: newId('request'), order });
  expect([await statusOf(used), await statusOf(unused)]).toEqual(['USED', 'ACTIVE']);
  nowMs = unused.expiresAt * 1_000;
  expect([await statusOf(used), await statusOf(unused)]).toEqual(['USED', 'EXPIRED']);
  nowMs = Date.now();
});

test.each([{ accountId: newId('account') }, { environment: 'live' as const }])(
  'a quote is not found for %j, which it is not of',
  async (foreign) => {
    const { id } = await quoted();
    await expect(readQuote(dependencies, { ...owner, ...foreign, id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  },
);
