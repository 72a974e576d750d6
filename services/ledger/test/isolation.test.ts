import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { registerProviders } from '#src/reconciliation/provider-accounts.ts';
import { BalanceReader } from '#src/statement/get-balance.ts';
import { readEntries } from '#src/statement/list-entries.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger } from './support/direct-ledger.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await startLedger();
  await registerProviders(ledger.database, [{ id: 'one', isCompared: true }]);
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

const live = { environment: 'live', provider: 'one' } as const;

test('the same ids in live and in test mean two commands, two records and two balances', async () => {
  const accountId = newId('account');
  const given = { depositId: newId('deposit'), fee: 0 };
  expect(await ledger.ask(creditDeposit(accountId, given))).toMatchObject({ balances: [{ available: 10_000 }] });
  const payout = debitPayout(accountId, { amount: 9_000, fee: 0 });
  expect(await ledger.ask(payout)).toMatchObject({ balances: [{ available: 1_000 }] });
  const { payoutId, amount, currency } = payout;
  const settle = { kind: 'settle-payout', id: `settle-payout:${payoutId}`, accountId, currency, payoutId } as const;
  expect(await ledger.ask({ ...settle, ...live, amount })).toMatchObject({ refusal: 'unknown_reference' });
  const credit = creditDeposit(accountId, { ...given, ...live, amount: 3_000 });
  expect(await ledger.ask(credit)).toMatchObject({ replayed: false, balances: [{ available: 3_000 }] });
  expect(await ledger.ask({ ...payout, environment: 'live' })).toMatchObject({ refusal: 'insufficient_funds' });
  expect(await ledger.ask({ ...settle, environment: 'test', provider: 'sandbox', amount })).toMatchObject({
    outcome: 'applied',
    balances: [],
  });
});

test('balances and statements of the past are those of their own environment', async () => {
  const accountId = newId('account');
  await ledger.ask(creditDeposit(accountId, { amount: 700, fee: 0 }));
  await ledger.ask(creditDeposit(accountId, { ...live, amount: 300, fee: 0 }));
  const at = Math.floor(Date.now() / 1_000) + 60;
  for (const [environment, amount] of [
    ['test', 700],
    ['live', 300],
  ] as const) {
    const owner = { environment, accountId };
    expect(await new BalanceReader(ledger.database).read({ ...owner, at })).toMatchObject([{ available: amount }]);
    const { entries } = await readEntries(ledger.database, { ...owner, limit: 10 });
    expect(entries).toMatchObject([{ environment, amount }]);
  }
});

test('a shortfall of one environment is paid by no credit of the other', async () => {
  await using direct = await startDirectLedger();
  const accountId = newId('account');
  const depositId = newId('deposit');
  const disputeId = newId('dispute');
  const block = { kind: 'block-dispute', id: `block-dispute:${disputeId}`, disputeId, depositId } as const;
  const owner = { environment: 'test', accountId, currency: 'BRL' } as const;
  await direct.write(
    creditDeposit(accountId, { depositId, fee: 0 }),
    debitPayout(accountId, { amount: 10_000, fee: 0 }),
    { ...block, ...owner, amount: 10_000, captureUntil: 2_000_000_000 },
  );
  await direct.database.query(`update reference set environment = 'live' where id = $1`, [disputeId]);
  await direct.restart();
  const [credited] = await direct.write(creditDeposit(accountId, { amount: 500, fee: 0 }));
  expect(credited?.balances).toMatchObject([{ available: 500, blocked: 0 }]);
});
