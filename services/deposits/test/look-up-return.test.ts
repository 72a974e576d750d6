import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import type { RefundState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import { listOrphanReceipts } from '#src/orphan-receipts/operator-requests.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { lookUpReturnForOperator } from '#src/provider-feed/look-up-for-operator.ts';
import { doneState, failedState, refunding, refundingBank, refundOf } from './refunding.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

let banks = 0;

/** A refund whose call was not answered; the provider answers questions as the test says. */
async function underWay(question: () => RefundState) {
  const call = { kind: 'unknown', cause: 'no answer' } as const;
  const bank = refundingBank(stage, { call: () => call, question }, `asked${++banks}`);
  const deposit = await stage.paid(account(), bank.dependencies);
  await refunding(bank.dependencies, deposit);
  const { id } = await refundOf(stage, deposit);
  return { bank, deposit, id };
}

describe('a refund that an operator has looked up', () => {
  test.each<[string, RefundState, string, number]>([
    ['is done once its provider says so', doneState, 'DONE', 4_850],
    ['has failed once its provider says so, and its money is back in the balance', failedState, 'FAILED', 9_850],
  ])('%s', async (_what, state, status, available) => {
    const { bank, deposit, id } = await underWay(() => state);
    const answer = await lookUpReturnForOperator(bank.dependencies, { id, kind: 'refund' });
    expect(answer).toMatchObject({ before: { id, status: 'PROCESSING' }, after: { id, status } });
    expect(stage.ledger.books.balanceOf(deposit.accountId).available).toBe(available);
    const again = await lookUpReturnForOperator(bank.dependencies, { id, kind: 'refund' });
    expect(again).toMatchObject({ before: { status }, after: { status } });
    expect(stage.ledger.books.balanceOf(deposit.accountId).available).toBe(available);
    expect(bank.calls).toHaveLength(1);
  });

  test('stays as it is while its provider does not answer, and the operator reads that', async () => {
    const { bank, deposit, id } = await underWay(() => ({ status: 'UNAVAILABLE', cause: 'down' }));
    const asking = lookUpReturnForOperator(bank.dependencies, { id, kind: 'refund' });
    await expect(asking).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'PROCESSING' });
  });

  test.each(['refund', 'orphan_receipt'] as const)('and does not exist is not found as a %s', async (kind) => {
    const id = newId('refund');
    const asking = lookUpReturnForOperator(stage.dependencies, { id, kind });
    await expect(asking).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** An orphan receipt on its way back: the call was not answered, and the provider says that it is done. */
async function orphaned() {
  const call = { kind: 'unknown', cause: 'no answer' } as const;
  const {
    id: provider,
    dependencies,
    calls,
  } = refundingBank(stage, { call: () => call, question: () => doneState }, `asked${++banks}`);
  const owner = account();
  const { deposit } = await stage.create(request(owner), dependencies);
  await cancelDeposit(dependencies, { environment: 'test', accountId: owner.id, id: deposit.id });
  const charge = { environment: 'test', provider, reference: deposit.id.slice(4) } as const;
  const money = { currency: 'BRL', amount: 10_000 } as const;
  const receipt = asked({ e2eId: `E${newId('request')}`, money, paidAt: stage.dependencies.now() });
  await applyReceipt(dependencies, charge, receipt, 5_000);
  await returnOrphanReceipts(dependencies);
  const { receipts } = await listOrphanReceipts(dependencies, { limit: 1, depositId: deposit.id });
  return { id: receipts[0]!.id, dependencies, calls, again: () => applyReceipt(dependencies, charge, receipt, 5_000) };
}

test('the return of an orphan receipt that an operator looks up ends as its provider says', async () => {
  const { id, dependencies, calls } = await orphaned();
  const answer = await lookUpReturnForOperator(dependencies, { id, kind: 'orphan_receipt' });
  expect(answer).toMatchObject({ before: { state: 'RETURNING' }, after: { state: 'RETURNED' } });
  expect(calls).toHaveLength(1);
});

test('an orphan receipt whose provider is not configured any more cannot be looked up, and the operator reads that', async () => {
  const { id } = await orphaned();
  const asking = lookUpReturnForOperator(stage.dependencies, { id, kind: 'orphan_receipt' });
  await expect(asking).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});

test('an orphan receipt that a restored database has forgotten is sent back under the reference and the time it had', async () => {
  const { id, dependencies, calls, again } = await orphaned();
  const times = async () =>
    await dependencies.database.query('select sent_at, paid_at from orphan_receipt where id = $1', [id]);
  const [first] = await times();
  await dependencies.database.query('delete from orphan_receipt where id = $1', [id]);
  stage.passSeconds(86_400);
  await again();
  await returnOrphanReceipts(dependencies);
  expect(new Set(calls)).toEqual(new Set([id.slice(4)]));
  expect(await times()).toEqual([first]);
  expect(first).toMatchObject({ sent_at: (first as { paid_at: Date }).paid_at });
});
