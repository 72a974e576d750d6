import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerCommandKind, LedgerCommandOf } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

let ledger: DirectLedger;
let accountId: string;
beforeEach(async () => {
  ledger = await startDirectLedger();
  accountId = newId('account');
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

function command<K extends LedgerCommandKind>(
  kind: K,
  given: Omit<LedgerCommandOf<K>, 'kind' | 'id' | 'environment' | 'accountId' | 'currency'>,
): LedgerCommandOf<K> {
  const id = `${kind}:${newId('event')}`;
  return { kind, id, environment: 'test', accountId, currency: 'BRL', ...given } as unknown as LedgerCommandOf<K>;
}

const credit = async (amount: number, depositId = newId('deposit')) =>
  (await ledger.write(creditDeposit(accountId, { depositId, amount, fee: 0 })))[0];
const available = (amount: number) => ({ outcome: 'applied', balances: [{ available: amount }] });

const entries = async () =>
  await ledger.database.query<{ type: string; amount: number }>(
    'select type, amount from entry where account_id = $1 order by id',
    [accountId],
  );
const owed = async () =>
  (
    await ledger.database.query<{ amount: number }>(`select amount from system_balance where account = 'receivables'`)
  )[0]?.amount;

const payout = { amount: 8_000, fee: 100 };

/** A payout that was reversed; of what came back 7,000 were paid out again. */
async function reversedAndSpent(): Promise<string> {
  const payoutId = newId('payout');
  await credit(8_100);
  await ledger.write(
    debitPayout(accountId, { payoutId, ...payout }),
    command('reverse-payout', { payoutId, ...payout }),
  );
  await ledger.write(debitPayout(accountId, { amount: 7_000, fee: 0 }));
  return payoutId;
}

describe('a payout that the rail paid after it had been reversed', () => {
  test('is debited again whatever the balance holds, and later credits pay what it did not cover', async () => {
    const payoutId = await reversedAndSpent();
    const again = command('redebit-payout', { payoutId, provider: 'sandbox', ...payout });
    const [redebited] = await ledger.write(again);
    expect(redebited).toMatchObject({ ...available(0), amounts: { debited: 1_100, shortfall: 7_000 } });
    expect(await credit(6_950)).toMatchObject(available(0));
    expect(await owed()).toBe(-50);
    expect(await credit(1_000)).toMatchObject(available(950));
    expect(await owed()).toBe(0);
    const paid = (await entries()).filter(({ type }) => type === 'PAYOUT_FEE').map(({ amount }) => amount);
    expect(paid).toEqual([-100, -50, -50]);
    const checks = await reconcile(ledger.database.pool);
    expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
  });

  test('takes its debt before any new payout of the account, however fast those are asked for', async () => {
    const payoutId = await reversedAndSpent();
    await ledger.write(command('redebit-payout', { payoutId, provider: 'sandbox', ...payout }));
    const loop = Array.from({ length: 20 }, () => debitPayout(accountId, { amount: 400, fee: 0 }));
    const incoming = () => creditDeposit(accountId, { amount: 500, fee: 0 });
    const results = await ledger.write(...loop.flatMap((debit) => [incoming(), debit]));
    const applied = results.filter((_, index) => index % 2 === 1).map(({ outcome }) => outcome);
    expect(applied).toEqual([...Array<string>(14).fill('refused'), ...Array<string>(6).fill('applied')]);
    expect(await owed()).toBe(0);
  });

  test('is settled by it: it can come back, and cannot be debited, settled or reversed again', async () => {
    const payoutId = await reversedAndSpent();
    const redebit = () => command('redebit-payout', { payoutId, provider: 'sandbox', ...payout });
    await ledger.write(redebit());
    const results = await ledger.write(
      redebit(),
      command('settle-payout', { payoutId, provider: 'sandbox', amount: 8_000 }),
      command('reverse-payout', { payoutId, ...payout }),
      command('return-payout', { payoutId, provider: 'sandbox', amount: 8_000 }),
    );
    expect(results.map(({ refusal }) => refusal)).toEqual(['invalid_state', 'invalid_state', 'invalid_state', null]);
    expect(results[3]).toMatchObject(available(1_000));
    expect(await owed()).toBe(0);
  });

  test('leaves the same debt to the next writer', async () => {
    const payoutId = await reversedAndSpent();
    await ledger.write(command('redebit-payout', { payoutId, provider: 'sandbox', ...payout }));
    await ledger.restart();
    expect(await credit(7_500)).toMatchObject(available(500));
    expect(await owed()).toBe(0);
  });

  test('of another amount, or that was never reversed, is not touched', async () => {
    const payoutId = newId('payout');
    await credit(8_100);
    const redebit = { payoutId, provider: 'sandbox', ...payout };
    const results = await ledger.write(
      command('redebit-payout', redebit),
      debitPayout(accountId, { payoutId, ...payout }),
      command('redebit-payout', redebit),
      command('redebit-payout', { ...redebit, amount: 7_999 }),
    );
    expect(results.map(({ refusal }) => refusal)).toEqual([
      'unknown_reference',
      null,
      'invalid_state',
      'exceeds_reference',
    ]);
  });
});

describe('a refund that was carried out after it had been reversed', () => {
  const refund = (depositId: string, refundId: string) => ({ depositId, refundId, provider: 'sandbox', amount: 6_000 });

  async function reversed(): Promise<{ depositId: string; refundId: string }> {
    const [depositId, refundId] = [newId('deposit'), newId('refund')];
    await credit(10_000, depositId);
    const body = refund(depositId, refundId);
    await ledger.write(
      command('refund-deposit', { ...body, depositAmount: 10_000 }),
      command('reverse-refund', body),
      debitPayout(accountId, { amount: 9_000, fee: 0 }),
    );
    return { depositId, refundId };
  }

  test('is debited again whatever the balance holds, and later credits pay what it did not cover', async () => {
    const { depositId, refundId } = await reversed();
    const [redebited] = await ledger.write(command('redebit-refund', refund(depositId, refundId)));
    expect(redebited).toMatchObject({ ...available(0), amounts: { debited: 1_000, shortfall: 5_000 } });
    expect(await credit(5_600)).toMatchObject(available(600));
    expect(await owed()).toBe(0);
  });

  test.each([
    ['of which a part is owed still', 0],
    ['of which a later credit paid a part of what was owed', 2_000],
    ['whose debt was paid', 5_600],
  ])('%s is credited what was debited when it comes back, once, and can be refunded again', async (_what, later) => {
    const { depositId, refundId } = await reversed();
    await ledger.write(command('redebit-refund', refund(depositId, refundId)));
    if (later > 0) await credit(later);
    const [back] = await ledger.write(command('reverse-refund', refund(depositId, refundId)));
    expect(back).toMatchObject(available(1_000 + later));
    expect(await owed()).toBe(0);
    const [again, ofNew] = await ledger.write(
      command('reverse-refund', refund(depositId, refundId)),
      command('refund-deposit', { ...refund(depositId, newId('refund')), amount: 1_000, depositAmount: 10_000 }),
    );
    expect([again?.refusal, ofNew?.refusal]).toEqual(['invalid_state', null]);
    const checks = await reconcile(ledger.database.pool);
    expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
  });

  test('counts against what the deposit may still give back, also beyond what was paid', async () => {
    const { depositId, refundId } = await reversed();
    await credit(50_000);
    const other = { ...refund(depositId, newId('refund')), depositAmount: 10_000 };
    const disputeId = newId('dispute');
    const results = await ledger.write(
      command('refund-deposit', other),
      command('redebit-refund', refund(depositId, refundId)),
      command('refund-deposit', { ...other, refundId: newId('refund'), amount: 1 }),
      command('block-dispute', { disputeId, depositId, amount: 10_000, captureUntil: 2_000_000_000 }),
      command('redebit-refund', refund(depositId, refundId)),
    );
    expect(results.map(({ refusal }) => refusal)).toEqual([null, null, 'exceeds_reference', null, 'invalid_state']);
    expect(results[3]?.amounts).toEqual({ blocked: 0 });
  });
});

test('debts are paid before disputes, each the oldest first', async () => {
  const payoutId = await reversedAndSpent();
  const depositId = newId('deposit');
  await credit(900, depositId);
  await ledger.write(
    debitPayout(accountId, { amount: 2_000, fee: 0 }),
    command('block-dispute', { disputeId: newId('dispute'), depositId, amount: 900, captureUntil: 2_000_000_000 }),
    command('redebit-payout', { payoutId, provider: 'sandbox', ...payout }),
  );
  const after = await credit(8_500);
  expect(after).toMatchObject({ balances: [{ available: 0, blocked: 400 }] });
  expect(await owed()).toBe(0);
});
