import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { registerProviders } from '#src/reconciliation/provider-accounts.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

const live = { environment: 'live', provider: 'nosuchprovider' } as const;
const booked = async () =>
  await ledger.database.query(`select account from system_balance where account like 'provider:no%'`);

test('money is booked at no provider the ledger was not told of, neither in nor out, and nothing is remembered', async () => {
  const accountId = newId('account');
  const credit = creditDeposit(accountId, live);
  expect(await ledger.ask(credit)).toMatchObject({
    outcome: 'refused',
    refusal: 'unknown_provider',
    field: 'provider',
  });
  const { payoutId, amount, currency } = debitPayout(accountId);
  const common = { ...live, accountId, currency, amount };
  const [refundId, depositId] = [newId('refund'), newId('deposit')];
  for (const command of [
    { ...common, kind: 'hold-receipt', id: `hold-receipt:${refundId}`, refundId, depositId },
    { ...common, kind: 'settle-payout', id: `settle-payout:${payoutId}`, payoutId },
    { ...common, kind: 'return-payout', id: `return-payout:${payoutId}`, payoutId },
    { ...common, kind: 'redebit-payout', id: `redebit-payout:${payoutId}`, payoutId, fee: 0 },
  ] as const) {
    expect(await ledger.ask(command)).toMatchObject({ outcome: 'refused', refusal: 'unknown_provider' });
  }
  expect(await booked()).toEqual([]);
  expect(await ledger.database.query('select 1 from command')).toEqual([]);
});

test('a provider it is told of later is known at once, and in live alone', async () => {
  const credit = creditDeposit(newId('account'), { environment: 'live', provider: 'latecomer' });
  expect(await ledger.ask(credit)).toMatchObject({ refusal: 'unknown_provider' });
  await registerProviders(ledger.database, [{ id: 'latecomer', isCompared: true }]);
  await registerProviders(ledger.database, []);
  expect(await ledger.ask(credit)).toMatchObject({ outcome: 'applied', replayed: false });
  expect(await ledger.ask(creditDeposit(newId('account'), { provider: 'latecomer' }))).toMatchObject({
    refusal: 'unknown_provider',
  });
});
