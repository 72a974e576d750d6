import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { ChargeReceipt, RefundOutcome, RefundState } from '@gateway/providers';
import { metricsText } from '@gateway/runtime';
import { readWaiting } from '@gateway/messaging';
import { asked } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { listOrphanReceipts, retryOrphanReceipt } from '#src/orphan-receipts/operator-requests.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { observeOpen } from '#src/resolution/watch-open-returns.ts';
import { recheckFailed, rechecksPerRound } from '#src/resolution/recheck-failed.ts';
import { getReturn, resolveReturn } from '#src/resolution/resolve-return.ts';
import { waitingReturns } from '#src/resolution/waiting-returns.ts';
import {
  accountClosed,
  contradictionsOf,
  doneState,
  failedState,
  refundedAmount,
  refunding,
  refundingBank,
  refundOf,
} from './refunding.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const amount = refundedAmount;
const daySec = 86_400;
const [done, failed, refusal] = [doneState, failedState, accountClosed];
const two = { proposedBy: 'ana', approvedBy: 'bruno' };

let banks = 0;
const bank = (answers: Parameters<typeof refundingBank>[1] = {}) => refundingBank(stage, answers, `failing${++banks}`);

async function failedRefund(dependencies: Dependencies) {
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, 1_000);
  await refunding(dependencies, deposit);
  const { id, status } = await refundOf(stage, deposit);
  expect(status).toBe('FAILED');
  return { deposit, id };
}

/** Money that came twice, and that the provider has been asked to send back. */
async function orphan({ id: provider, dependencies }: ReturnType<typeof bank>) {
  const deposit = await stage.paid(account(), dependencies);
  const [row] = await dependencies.database.query<{ reference: string }>(
    'select reference from deposit where id = $1',
    [deposit.id],
  );
  const receipt = asked<ChargeReceipt>({
    e2eId: `E${deposit.id.slice(4)}`,
    money: { currency: 'BRL', amount: 7_000 },
    paidAt: stage.dependencies.now(),
  });
  await applyReceipt(dependencies, { environment, provider, reference: row!.reference }, receipt, 5_000);
  return deposit;
}

async function receiptOf({ id: depositId }: Deposit) {
  const { receipts } = await listOrphanReceipts(stage.dependencies, { depositId, limit: 10 });
  return receipts[0]!;
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId).available;

describe('a refund that failed', () => {
  test('is asked about again after 1, 7, 30 and 91 days, by its own id, and then no more', async () => {
    const { questions, dependencies } = bank();
    const begun = stage.dependencies.now().getTime();
    const { id } = await failedRefund(dependencies);
    for (let days = 0; days < 120; days++) {
      await recheckFailed(dependencies);
      stage.passSeconds(daySec);
    }
    const days = questions.map(({ at }) => Math.round((at.getTime() - begun) / daySec / 1_000));
    expect(days).toEqual([1, 7, 30, 91]);
    expect(questions.every(({ ref }) => id.endsWith(ref))).toBe(true);
  });

  test('and was done all the same is debited again, without any notification', async () => {
    const { dependencies } = bank({ question: () => done });
    const { deposit } = await failedRefund(dependencies);
    expect(balanceOf(deposit)).toBe(10_850);
    stage.passSeconds(daySec);
    for (let times = 0; times < 2; times++) await recheckFailed(dependencies);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE', returnId: 'D1', failureReason: null });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('is asked about an hour later where its provider did not answer', async () => {
    let isAway = true;
    const { questions, dependencies } = bank({
      question: () => (isAway ? { status: 'UNAVAILABLE', cause: 'timeout' } : done),
    });
    const { deposit } = await failedRefund(dependencies);
    stage.passSeconds(daySec);
    for (let times = 0; times < 3; times++) await recheckFailed(dependencies);
    expect(questions).toHaveLength(1);
    isAway = false;
    stage.passSeconds(3_600);
    await recheckFailed(dependencies);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE' });
  });

  test('shows how long its question is overdue, however often it was put off, until its provider answers', async () => {
    const overdue = async () => {
      await observeOpen(stage.dependencies);
      const line = 'gateway_returns_recheck_overdue_seconds{environment="test",record="refund"} ';
      const found = (await metricsText()).text.split('\n').find((each) => each.startsWith(line));
      return Number(found?.slice(line.length));
    };
    await stage.dependencies.database.query('update refund set recheck_at = null');
    let isAway = true;
    const { dependencies } = bank({ question: () => (isAway ? { status: 'UNAVAILABLE', cause: 'timeout' } : done) });
    await failedRefund(dependencies);
    expect(await overdue()).toBe(0);
    stage.passSeconds(daySec);
    for (let hours = 0; hours < 3; hours++) {
      await recheckFailed(dependencies);
      stage.passSeconds(3_600);
    }
    expect(await overdue()).toBe(3 * 3_600);
    isAway = false;
    await recheckFailed(dependencies);
    expect(await overdue()).toBe(0);
  });

  test('and is under way at its provider needs operators, and ends as the provider says', async () => {
    let state: RefundState = { status: 'PROCESSING', providerRef: 'P1' };
    const { dependencies } = bank({ question: () => state });
    const { deposit, id } = await failedRefund(dependencies);
    stage.passSeconds(daySec);
    await recheckFailed(dependencies);
    expect(await getReturn(dependencies, { id })).toMatchObject({ record: { attention: 'contradiction' } });
    const stuck = async () =>
      (await readWaiting(dependencies.database, waitingReturns)).find(({ kind }) => kind === 'refund_stuck')?.count ??
      0;
    const counted = await stuck();
    expect(counted).toBeGreaterThan(0);
    state = done;
    stage.passSeconds(3_600);
    await recheckFailed(dependencies);
    expect(await getReturn(dependencies, { id })).toMatchObject({ record: { status: 'DONE', attention: null } });
    expect(await stuck()).toBe(counted - 1);
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('waits where more are due than a round asks about, and none is left out', async () => {
    const { questions, dependencies } = bank();
    const deposit = await stage.paid(account(), dependencies);
    for (let number = 0; number < rechecksPerRound + 2; number++) await refunding(dependencies, deposit, 100);
    stage.passSeconds(daySec);
    await recheckFailed(dependencies);
    expect(questions).toHaveLength(rechecksPerRound);
    await recheckFailed(dependencies);
    expect(new Set(questions.map(({ ref }) => ref)).size).toBe(rechecksPerRound + 2);
    await recheckFailed(dependencies);
    expect(questions).toHaveLength(rechecksPerRound + 2);
  });

  test('keeps what its provider calls it, also where the failure was the first to name it', async () => {
    const { dependencies } = bank({ call: () => ({ kind: 'unknown', cause: 'timeout' }), question: () => failed });
    const deposit = await stage.paid(account(), dependencies);
    await refunding(dependencies, deposit);
    stage.passSeconds(10);
    await finishRefunds(dependencies);
    const { id } = await refundOf(stage, deposit);
    expect(await getReturn(dependencies, { id })).toMatchObject({ record: { status: 'FAILED', providerRef: 'P1' } });
  });

  test('and that two found to have been done is debited again, once', async () => {
    const { dependencies } = bank();
    const { deposit, id } = await failedRefund(dependencies);
    const wanted = { id, outcome: 'done', evidence: 'Statement, line 3', returnId: 'D9', ...two } as const;
    for (let times = 0; times < 2; times++) await resolveReturn(dependencies, wanted);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE', returnId: 'D9', failureReason: null });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('and never reached any provider is not asked about', async () => {
    const { questions, dependencies } = bank();
    const { id } = await failedRefund(dependencies);
    await stage.dependencies.database.query(
      'update refund set called_at = null, state = $2, next_attempt_at = now(), finished_at = null, recheck_at = null where id = $1',
      [id, 'REVERSING'],
    );
    await finishRefunds(dependencies);
    stage.passSeconds(100 * daySec);
    await recheckFailed(dependencies);
    expect(questions).toEqual([]);
  });
});

describe('while a call is under way', () => {
  async function underWay() {
    const answer = Promise.withResolvers<RefundOutcome>();
    const { calls, dependencies } = bank({ call: () => answer.promise });
    const deposit = await stage.paid(account(), dependencies);
    await stage.give(deposit.accountId, 1_000);
    const creating = refunding(dependencies, deposit);
    await expect.poll(() => calls.length).toBe(1);
    const { id } = await refundOf(stage, deposit);
    const wanted = { id, outcome: 'failed', evidence: 'Statement', returnId: null, ...two } as const;
    return { answer, dependencies, deposit, creating, wanted };
  }

  test('two cannot say that a refund has failed, and its success counts', async () => {
    const { answer, dependencies, deposit, creating, wanted } = await underWay();
    await expect(resolveReturn(dependencies, wanted)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
    answer.resolve({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' });
    expect(await creating).toMatchObject({ refund: { status: 'DONE' } });
    await expect(resolveReturn(dependencies, wanted)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('that lost its process, two can say so when its lease is over', async () => {
    const { answer, dependencies, deposit, creating, wanted } = await underWay();
    stage.passSeconds(60);
    await resolveReturn(dependencies, wanted);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'FAILED', failureReason: 'settlement_failed' });
    answer.resolve({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' });
    await creating;
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE' });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });
});

describe('an orphan receipt', () => {
  const evidence = 'Statement, line 7';

  async function failedOrphan(says: Parameters<typeof bank>[0] = {}) {
    const at = bank(says);
    const deposit = await orphan(at);
    for (let times = 0; times < 2; times++) {
      await returnOrphanReceipts(at.dependencies);
      stage.passSeconds(30);
    }
    const { id, state } = await receiptOf(deposit);
    expect(state).toBe('FAILED');
    return { ...at, deposit, id };
  }

  const booked = (id: string) =>
    stage.ledger.decided.filter((command) => 'refundId' in command && command.refundId === id).map(({ kind }) => kind);

  test('that failed and that two found to have gone back is booked as returned, once', async () => {
    const { dependencies, deposit, id } = await failedOrphan();
    const wanted = { id, outcome: 'done', evidence, returnId: 'D7', ...two } as const;
    for (let times = 0; times < 2; times++) await resolveReturn(dependencies, wanted);
    expect(await receiptOf(deposit)).toMatchObject({ state: 'RETURNED', returnId: 'D7', failure: null });
    expect(booked(id)).toEqual(['hold-receipt', 'return-receipt']);
  });

  test('that failed is asked about again by the same plan, and is returned where it had gone back', async () => {
    const { dependencies, deposit, id } = await failedOrphan({ question: () => done });
    const before = await contradictionsOf('orphan_receipt');
    stage.passSeconds(daySec);
    await recheckFailed(dependencies);
    expect(await contradictionsOf('orphan_receipt')).toBe(before + 1);
    expect(await receiptOf(deposit)).toMatchObject({ state: 'RETURNED', returnId: 'D1' });
    expect(booked(id)).toEqual(['hold-receipt', 'return-receipt']);
  });

  test('that failed after its provider had named it is sent anew when an operator says so', async () => {
    const { calls, dependencies, deposit, id } = await failedOrphan({
      call: (number) => (number === 1 ? { kind: 'accepted', status: 'PROCESSING', providerRef: 'P1' } : refusal),
      question: () => failed,
    });
    await retryOrphanReceipt(dependencies, { id });
    await returnOrphanReceipts(dependencies);
    expect(calls).toHaveLength(2);
    expect(await receiptOf(deposit)).toMatchObject({ state: 'FAILED' });
  });

  test('of which two say at the same time that it has gone back and that it has not ends as one of them', async () => {
    for (let times = 0; times < 20; times++) {
      const at = bank({ call: () => ({ kind: 'unknown', cause: 'timeout' }) });
      const deposit = await orphan(at);
      await returnOrphanReceipts(at.dependencies);
      const { id } = await receiptOf(deposit);
      const resolutions = (['failed', 'done'] as const).map((outcome) =>
        resolveReturn(at.dependencies, { id, outcome, evidence, returnId: null, ...two }),
      );
      await Promise.allSettled(resolutions);
      const { state, resolution } = await receiptOf(deposit);
      expect(state).toBe(resolution?.outcome === 'done' ? 'RETURNED' : 'FAILED');
      expect(booked(id)).toEqual(state === 'RETURNED' ? ['hold-receipt', 'return-receipt'] : ['hold-receipt']);
    }
  });

  test('whose return is decided while the ledger is away is booked when it is back', async () => {
    const { dependencies, deposit, id } = await failedOrphan();
    const dying: Dependencies = {
      ...dependencies,
      askLedger: () => Promise.reject(new Error('the process ends here')),
    };
    const wanted = { id, outcome: 'done', evidence, returnId: 'D7', ...two } as const;
    await expect(resolveReturn(dying, wanted)).rejects.toThrow('the process ends here');
    expect(await receiptOf(deposit)).toMatchObject({ state: 'RETURNING', returnId: 'D7' });
    stage.passSeconds(60);
    await returnOrphanReceipts(dependencies);
    expect(await receiptOf(deposit)).toMatchObject({ state: 'RETURNED', returnId: 'D7' });
    expect(booked(id)).toEqual(['hold-receipt', 'return-receipt']);
  });
});
