import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import type { RefundState } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { abandonRefund } from '#src/refund/abandon-refund.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { askForReversal } from '#src/refund/ledger-steps.ts';
import { getRefund, listRefunds } from '#src/refund/read-refunds.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { resolveReturn } from '#src/resolution/resolve-return.ts';
import { doneState, refundingBank } from './refunding.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  stage.ledger.answerAgain();
  stage.ledger.resume();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const accepted = { kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' } as const;
const nothing = { code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 };

let banks = 0;

/** A paid deposit of 10,000, and enough of a balance to give all of it back. */
async function paidDeposit(question?: () => RefundState) {
  const answers = { call: () => accepted, ...(question ? { question } : {}) };
  const bank = refundingBank(stage, answers, `abandoning${++banks}`);
  const deposit = await stage.paid(account(), bank.dependencies);
  await stage.give(deposit.accountId, deposit.fee);
  return { deposit, ...bank };
}

const requestOf = ({ accountId, id: depositId }: Deposit, externalId: string) =>
  ({ environment, accountId, depositId, externalId, amount: 4_000, reason: null }) as const;

async function refund(dependencies: Dependencies, deposit: Deposit, externalId: string, timeoutMs = 5_000) {
  return await createRefund(dependencies, requestOf(deposit, externalId), { timeoutMs });
}

async function listed({ accountId, id: depositId }: Deposit) {
  return (await listRefunds(stage.dependencies, { environment, accountId, depositId, limit: 10 })).refunds;
}

async function rowOf({ id: depositId }: Deposit) {
  return await stage.dependencies.database.reader().findOneOrFail(RefundEntity, { depositId, releasedAt: null });
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId).available;

/** A process that ends as soon as the ledger has decided. */
const dying = (dependencies: Dependencies): Dependencies => ({
  ...dependencies,
  askLedger: async (command, timeoutMs) => {
    await dependencies.askLedger(command, timeoutMs);
    throw new Error('the process ends here');
  },
});

const behind = (dependencies: Dependencies): Dependencies => ({
  ...dependencies,
  askLedger: async () => await Promise.reject(new DomainError('SERVICE_UNAVAILABLE', 'too much to do')),
});

describe('a refund that was answered 503', () => {
  test('is never sent: its debit is given back, its external_id is free, and its id shows what became of it', async () => {
    const { deposit, dependencies, calls } = await paidDeposit();
    stage.ledger.loseAnswers();
    await expect(refund(dependencies, deposit, 'first', 700)).rejects.toMatchObject(nothing);
    await eventually(() => expect(balanceOf(deposit)).toBe(6_000));
    const { id, accountId } = await rowOf(deposit);
    await expect(refund(dependencies, deposit, 'first', 700)).rejects.toMatchObject(nothing);
    expect(await listed(deposit)).toEqual([]);
    stage.ledger.answerAgain();
    stage.passSeconds(60);
    await Promise.all([finishRefunds(dependencies), finishRefunds(dependencies)]);
    expect([balanceOf(deposit), calls, await listed(deposit)]).toEqual([10_000, [], []]);
    expect(stage.ledger.decidedFor(id)).toEqual(['refund-deposit', 'reverse-refund']);
    const abandoned = { status: 'FAILED', failureReason: 'creation_abandoned' };
    expect(await getRefund(dependencies, { environment, accountId, id })).toMatchObject({ refund: abandoned });
    const sent = `select 1 from outbox where payload::jsonb #>> '{refund,id}' = $1`;
    expect(await stage.dependencies.database.query(sent, [id])).toEqual([]);
    expect(await refund(dependencies, deposit, 'first')).toMatchObject({ created: true, refund: { status: 'DONE' } });
    expect([balanceOf(deposit), calls.length]).toEqual([6_000, 1]);
  });

  test('since the ledger had too much to do leaves nothing behind once the ledger decides: the second one is the only one', async () => {
    const { deposit, dependencies, calls } = await paidDeposit();
    await expect(refund(behind(dependencies), deposit, 'first')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await listed(deposit)).toEqual([]);
    expect(await refund(dependencies, deposit, 'second')).toMatchObject({ created: true });
    stage.passSeconds(600);
    await finishRefunds(dependencies);
    stage.passSeconds(600);
    await finishRefunds(dependencies);
    expect([balanceOf(deposit), calls.length]).toEqual([6_000, 1]);
    expect(await listed(deposit)).toMatchObject([{ externalId: 'second' }]);
  });

  test('by the gateway, to which nothing was answered, is not made by the call that is still under way', async () => {
    const { deposit, dependencies, calls } = await paidDeposit();
    stage.ledger.hold();
    const underWay = refund(dependencies, deposit, 'first');
    const answer = expect(underWay).rejects.toMatchObject(nothing);
    await eventually(async () => expect(await rowOf(deposit)).toMatchObject({ state: 'RESERVING' }));
    const key = { environment, accountId: deposit.accountId, externalId: 'first' };
    expect(await abandonRefund(dependencies, key)).toEqual({ refund: null });
    stage.ledger.resume();
    await answer;
    for (const seconds of [1, 121, 121]) {
      stage.passSeconds(seconds);
      await finishRefunds(dependencies);
    }
    expect([balanceOf(deposit), calls, await listed(deposit)]).toEqual([10_000, [], []]);
    await refund(dependencies, deposit, 'second');
    const second = { ...key, externalId: 'second' };
    expect(await abandonRefund(dependencies, second)).toMatchObject({ refund: { status: 'DONE' } });
  });
});

test('a refund whose process died before its caller was answered is given back, and never sent', async () => {
  const { deposit, dependencies, calls, questions } = await paidDeposit();
  await expect(refund(dying(dependencies), deposit, 'first')).rejects.toThrow('the process ends here');
  for (const seconds of [8, 1, 121]) {
    stage.passSeconds(seconds);
    await finishRefunds(dependencies);
  }
  expect([balanceOf(deposit), calls, await listed(deposit)]).toEqual([10_000, [], []]);
  expect(questions).toHaveLength(2);
});

test('a refund that a restored database has as not reserved goes on where its provider has it: nothing is given back', async () => {
  const { deposit, dependencies, calls } = await paidDeposit(() => doneState);
  await expect(refund(dying(dependencies), deposit, 'first')).rejects.toThrow('the process ends here');
  stage.passSeconds(8);
  await finishRefunds(dependencies);
  expect([balanceOf(deposit), calls]).toEqual([6_000, []]);
  expect(await listed(deposit)).toMatchObject([{ externalId: 'first', status: 'DONE' }]);
});

test('a refund whose money is reserved is answered, whatever goes wrong when it is sent', async () => {
  const { deposit, dependencies, calls } = await paidDeposit();
  const unavailable = new DomainError('SERVICE_UNAVAILABLE', 'the service cannot reach its database');
  const { database } = dependencies;
  const failing = {
    transaction: database.transaction.bind(database),
    query: async () => await Promise.reject(unavailable),
  } as unknown as Dependencies['database'];
  const answer = await refund({ ...dependencies, database: failing }, deposit, newId('request'));
  expect(answer).toMatchObject({ created: true, refund: { status: 'PROCESSING' } });
  stage.passSeconds(60);
  await finishRefunds(dependencies);
  expect([await listed(deposit), calls.length]).toMatchObject([[{ status: 'DONE' }], 1]);
});

/** Under way by the records, and given back in the ledger: what a database that was restored makes of a refund that failed. */
async function givenBackAndForgotten(question: () => RefundState) {
  const answers = { call: () => ({ kind: 'unknown', cause: 'timeout' }) as const, question };
  const { dependencies } = refundingBank(stage, answers, `abandoning${++banks}`);
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, deposit.fee);
  await refund(dependencies, deposit, 'first');
  await askForReversal(dependencies, await rowOf(deposit));
  expect([balanceOf(deposit), await listed(deposit)]).toMatchObject([10_000, [{ status: 'PROCESSING' }]]);
  stage.passSeconds(60);
  const startedAt = stage.dependencies.now();
  return { deposit, dependencies: { ...dependencies, rememberedSince: async () => startedAt } };
}

test('a refund that was given back, which a restored database has forgotten, is debited again where it is done', async () => {
  let state: RefundState = { status: 'NOT_FOUND' };
  const { deposit, dependencies } = await givenBackAndForgotten(() => state);
  state = doneState;
  await finishRefunds(dependencies);
  expect([balanceOf(deposit), await listed(deposit)]).toMatchObject([6_000, [{ status: 'DONE' }]]);
});

describe('a refund that was given back, which a restored database has forgotten, and two operators find done', () => {
  const found = { outcome: 'done', evidence: 'statement, line 12', returnId: 'D1' } as const;
  const two = { proposedBy: 'ana', approvedBy: 'bruno' };

  test('is debited again, once, also where that is asked twice', async () => {
    const { deposit, dependencies } = await givenBackAndForgotten(() => ({ status: 'NOT_FOUND' }));
    const { id } = await rowOf(deposit);
    const proposal = { at: stage.dependencies.now().toISOString(), status: 'PROCESSING' };
    const request = { id, ...found, ...two, approvalId: newId('approval'), proposal };
    await resolveReturn(dependencies, request);
    await resolveReturn(dependencies, request);
    expect([balanceOf(deposit), await listed(deposit)]).toMatchObject([6_000, [{ status: 'DONE' }]]);
  });

  test('is not debited where what they found is about another state', async () => {
    const { deposit, dependencies } = await givenBackAndForgotten(() => ({ status: 'NOT_FOUND' }));
    const { id } = await rowOf(deposit);
    const proposal = { at: new Date(0).toISOString(), status: 'FAILED' };
    const request = { id, ...found, ...two, approvalId: newId('approval'), proposal };
    await expect(resolveReturn(dependencies, request)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect([balanceOf(deposit), await listed(deposit)]).toMatchObject([10_000, [{ status: 'PROCESSING' }]]);
  });
});
