import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { PaymentProvider } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { listRefunds } from '#src/refund/read-refunds.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.ledger.answerAgain());
afterAll(async () => stage[Symbol.asyncDispose]());

const created = 'event.deposits.deposit.created.v1';
const paid = 'event.deposits.deposit.paid.v1';
const refunded = 'event.deposits.deposit.refunded.v1';

/** A paid deposit, and enough of a balance to give all of it back. */
async function paidDeposit(provider?: Partial<PaymentProvider>) {
  const dependencies = provider ? stage.onTheWire(provider) : stage.dependencies;
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, deposit.fee);
  return { deposit, dependencies };
}

async function refund(
  { accountId, id: depositId }: Deposit,
  amount: number | null,
  { dependencies = stage.dependencies, externalId = newId('request'), timeoutMs = 5_000 } = {},
) {
  const request = { environment: 'test', accountId, depositId, externalId, amount, reason: 'item missing' } as const;
  return await createRefund(dependencies, request, { timeoutMs });
}

async function current({ accountId, id }: Deposit) {
  const { deposit } = await getDeposit(stage.dependencies, { environment: 'test', accountId, id });
  return deposit;
}

async function refundsOf({ accountId, id: depositId }: Deposit, page: { limit?: number; cursor?: string } = {}) {
  return await listRefunds(stage.dependencies, { environment: 'test', accountId, depositId, limit: 50, ...page });
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId).available;

describe('a refund', () => {
  test('of everything leaves the deposit REFUNDED and says so; the fee is not returned', async () => {
    const { deposit } = await paidDeposit();
    const { created: isNew, refund: record } = await refund(deposit, null);
    expect(isNew).toBe(true);
    expect(record).toMatchObject({ status: 'DONE', amount: 10_000, reason: 'item missing', failureReason: null });
    expect(record.returnId).toMatch(/^D/);
    expect(await current(deposit)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
    expect(balanceOf(deposit)).toBe(0);
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid, refunded]);
  });

  test('in parts adds up to at most the amount; the last part without an amount is what is left', async () => {
    const { deposit } = await paidDeposit();
    await refund(deposit, 4_000);
    expect(await current(deposit)).toMatchObject({ status: 'PAID', refunded: 4_000 });
    await expect(refund(deposit, 6_001)).rejects.toMatchObject({ code: 'REFUND_EXCEEDS_AMOUNT' });
    expect(await refund(deposit, null)).toMatchObject({ refund: { amount: 6_000, status: 'DONE' } });
    expect(await current(deposit)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
    for (const amount of [1, null]) {
      await expect(refund(deposit, amount)).rejects.toMatchObject({ code: 'REFUND_EXCEEDS_AMOUNT' });
    }
    expect(await stage.eventsOf(deposit.id)).toEqual([created, paid, refunded]);
  });

  test('raced by five others of half the amount succeeds with exactly one of them', async () => {
    const { deposit } = await paidDeposit();
    await stage.give(deposit.accountId, 100_000);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => refund(deposit, 5_000)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await current(deposit)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
    expect(balanceOf(deposit)).toBe(100_000);
  });

  test('without the balance is refused, leaves no record, and the external_id is free', async () => {
    const deposit = await stage.paid();
    const externalId = newId('request');
    await expect(refund(deposit, null, { externalId })).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await refundsOf(deposit)).toEqual({ refunds: [], nextCursor: null });
    await stage.give(deposit.accountId, 150);
    expect(await refund(deposit, null, { externalId })).toMatchObject({ created: true, refund: { status: 'DONE' } });
  });

  test('repeated answers the record, whatever the repeated body says, with one refund', async () => {
    const { deposit } = await paidDeposit();
    const externalId = newId('request');
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(deposit, 3_000, { externalId })));
    expect(answers.filter(({ created: isNew }) => isNew)).toHaveLength(1);
    expect(await refund(deposit, 77, { externalId })).toMatchObject({ created: false, refund: { amount: 3_000 } });
    expect(balanceOf(deposit)).toBe(7_000);
  });

  test('of test mode fails when its reason asks for it: at once, or when its provider is asked', async () => {
    const { deposit } = await paidDeposit();
    const { accountId, id: depositId } = deposit;
    const wanted = { environment: 'test', accountId, depositId, amount: 100 } as const;
    const failing = async (reason: string) =>
      (await createRefund(stage.dependencies, { ...wanted, externalId: reason, reason }, { timeoutMs: 5_000 })).refund;
    expect(await failing('refuse@sandbox.test')).toMatchObject({ status: 'FAILED', failureReason: 'account_closed' });
    expect(await failing('fail@sandbox.test')).toMatchObject({ status: 'PROCESSING' });
    stage.passSeconds(6);
    await finishRefunds(stage.dependencies);
    const { refunds } = await refundsOf(deposit);
    expect(refunds).toMatchObject([{ status: 'FAILED', failureReason: 'account_closed' }, { status: 'FAILED' }]);
    expect(balanceOf(deposit)).toBe(10_000);
  });

  test('of a deposit that is not paid, or of another account, is refused', async () => {
    const { deposit } = await paidDeposit();
    await expect(refund({ ...deposit, accountId: account().id }, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const [state, message] of [
      ['PENDING', 'a deposit that is PENDING cannot be refunded before it is paid'],
      ['EXPIRED', 'a deposit that is EXPIRED cannot be refunded since it was not paid'],
      ['FAILED', 'a deposit that is FAILED cannot be refunded since it was not paid'],
    ]) {
      await stage.dependencies.database.query(`update deposit set state = $2 where id = $1`, [deposit.id, state]);
      await expect(refund(deposit, 1)).rejects.toMatchObject({ code: 'INVALID_STATE', message });
    }
    expect(await refundsOf(deposit)).toMatchObject({ refunds: [] });
  });

  test('is listed newest first, page by page', async () => {
    const { deposit } = await paidDeposit();
    for (const amount of [100, 200, 300]) await refund(deposit, amount);
    const first = await refundsOf(deposit, { limit: 2 });
    expect(first.refunds.map(({ amount }) => amount)).toEqual([300, 200]);
    const rest = await refundsOf(deposit, { limit: 2, cursor: first.nextCursor! });
    expect(rest).toMatchObject({ refunds: [{ amount: 100 }], nextCursor: null });
    const foreign = (await refund((await paidDeposit()).deposit, 1)).refund.id;
    await expect(refundsOf(deposit, { cursor: foreign })).rejects.toMatchObject({ details: [{ path: 'cursor' }] });
  });
});

describe('a refund at a provider on the wire', () => {
  test('that takes its time is PROCESSING, then DONE', async () => {
    let state: 'PROCESSING' | 'DONE' = 'PROCESSING';
    const { deposit, dependencies } = await paidDeposit({
      refund: async () => ({ kind: 'accepted', status: 'PROCESSING', providerRef: 'P1' }),
      getRefund: async () => asked({ status: state, providerRef: 'P1', returnId: 'D1' }),
    });
    expect(await refund(deposit, null, { dependencies })).toMatchObject({ refund: { status: 'PROCESSING' } });
    await expect(refund(deposit, 1, { dependencies })).rejects.toMatchObject({ code: 'REFUND_EXCEEDS_AMOUNT' });
    stage.passSeconds(60);
    await finishRefunds(dependencies);
    expect(await current(deposit)).toMatchObject({ status: 'PAID', refunded: 0 });
    state = 'DONE';
    stage.passSeconds(60);
    await finishRefunds(dependencies);
    expect(await current(deposit)).toMatchObject({ status: 'REFUNDED', refunded: 10_000 });
    expect(await refundsOf(deposit)).toMatchObject({ refunds: [{ status: 'DONE', returnId: 'D1' }] });
  });

  test('that refuses gives the money back, and the amount may be refunded again', async () => {
    const { deposit, dependencies } = await paidDeposit({
      refund: async () => ({ kind: 'refused', code: 'account_closed', message: 'AC07', raw: null }),
    });
    expect(await refund(deposit, null, { dependencies })).toMatchObject({
      refund: { status: 'FAILED', failureReason: 'account_closed', failureMessage: 'AC07', returnId: null },
    });
    expect(balanceOf(deposit)).toBe(10_000);
    expect(await current(deposit)).toMatchObject({ status: 'PAID', refunded: 0 });
    expect(await refund(deposit, null, { dependencies: stage.onTheWire({}) })).toMatchObject({
      refund: { status: 'DONE' },
    });
  });
});

describe('a refund whose process died', () => {
  const dyingAfter = (kind: string): Dependencies => ({
    ...stage.dependencies,
    askLedger: async (command, timeoutMs) => {
      const result = await stage.dependencies.askLedger(command, timeoutMs);
      if (command.kind === kind) throw new Error('the process ends here');
      return result;
    },
  });

  test('after the debit is finished by a repetition', async () => {
    const { deposit } = await paidDeposit();
    const externalId = newId('request');
    const dying = dyingAfter('refund-deposit');
    await expect(refund(deposit, 4_000, { dependencies: dying, externalId })).rejects.toThrow('the process ends here');
    expect(await refund(deposit, 4_000, { externalId })).toMatchObject({
      created: false,
      refund: { status: 'PROCESSING' },
    });
    stage.passSeconds(60);
    await Promise.all([finishRefunds(stage.dependencies), finishRefunds(stage.dependencies)]);
    expect(await current(deposit)).toMatchObject({ refunded: 4_000 });
    expect(balanceOf(deposit)).toBe(6_000);
  });

  test('after the provider refused, while giving the money back, gives it back once', async () => {
    const { deposit } = await paidDeposit({});
    const refusing = stage.onTheWire({
      refund: async () => ({ kind: 'refused', code: 'account_closed', message: 'AC07', raw: null }),
    });
    const dying = { ...dyingAfter('reverse-refund'), chargeRoutes: refusing.chargeRoutes };
    expect(await refund(deposit, 4_000, { dependencies: dying })).toMatchObject({ refund: { status: 'PROCESSING' } });
    expect(await refundsOf(deposit)).toMatchObject({ refunds: [{ status: 'PROCESSING' }] });
    stage.passSeconds(60);
    await finishRefunds(refusing);
    expect(await refundsOf(deposit)).toMatchObject({ refunds: [{ status: 'FAILED' }] });
    expect(balanceOf(deposit)).toBe(10_000);
  });
});
