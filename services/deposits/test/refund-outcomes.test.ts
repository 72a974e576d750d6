import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { RefundOutcome } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { confirmReturn } from '#src/provider-feed/confirm-return.ts';
import { listOperatorRefunds } from '#src/refund/read-refunds.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { resolveReturn } from '#src/resolution/resolve-return.ts';
import { markOverdue } from '#src/resolution/watch-open-returns.ts';
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
const refusal: RefundOutcome = { kind: 'refused', code: 'provider_balance', message: 'in process', raw: null };
const [done, failed] = [doneState, failedState];
const bank = (answers: Parameters<typeof refundingBank>[1]) => refundingBank(stage, answers);

async function begin(dependencies: Dependencies) {
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, 1_000);
  const creating = refunding(dependencies, deposit);
  return { deposit, creating };
}

async function created(dependencies: Dependencies): Promise<Deposit> {
  const { deposit, creating } = await begin(dependencies);
  await creating;
  return deposit;
}

async function rowOf(deposit: Deposit) {
  const { id } = await refundOf(stage, deposit);
  const [row] = await stage.dependencies.database.query<{ state: string; attention: string | null }>(
    'select state, attention from refund where id = $1',
    [id],
  );
  return row!;
}

async function pass(dependencies: Dependencies, seconds: number, each = 1): Promise<void> {
  for (let passed = 0; passed < seconds; passed += each) {
    stage.passSeconds(each);
    await finishRefunds(dependencies);
    await markOverdue(dependencies);
  }
}

async function hear(dependencies: Dependencies, deposit: Deposit, end: 'DONE' | 'FAILED') {
  const { id } = await refundOf(stage, deposit);
  await confirmReturn(dependencies, { environment, provider: 'wired', ref: id.slice('rfd_'.length), end });
}

async function eventsOf({ id }: { id: string }): Promise<string[]> {
  const subjects = `select subject from outbox where payload::jsonb #>> '{refund,id}' = $1 order by id`;
  const rows = await stage.dependencies.database.query<{ subject: string }>(subjects, [id]);
  return rows.map(({ subject }) => subject.split('.')[3]!);
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId).available;

describe('a call that is under way', () => {
  test('is the only one: nobody makes a second before its lease is over, and its late success counts', async () => {
    const answer = Promise.withResolvers<RefundOutcome>();
    const { calls, questions, dependencies } = bank({ call: (number) => (number === 1 ? answer.promise : refusal) });
    const { deposit, creating } = await begin(dependencies);
    await expect.poll(() => calls.length).toBe(1);
    await pass(dependencies, 12);
    expect([calls.length, questions.length]).toEqual([1, 0]);
    answer.resolve({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' });
    expect(await creating).toMatchObject({ refund: { status: 'DONE', returnId: 'D1' } });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('and has lost its process may have been carried out: it is asked about, and not made again', async () => {
    let isBooked = false;
    const never = Promise.withResolvers<RefundOutcome>();
    const { calls, questions, dependencies } = bank({
      call: (number) => (number === 1 ? never.promise : refusal),
      question: () => (isBooked ? done : { status: 'NOT_FOUND' }),
    });
    const { deposit, creating } = await begin(dependencies);
    await expect.poll(() => calls.length).toBe(1);
    await pass(dependencies, 60);
    expect(calls).toHaveLength(1);
    expect(questions.length).toBeGreaterThan(0);
    isBooked = true;
    await pass(dependencies, 120, 10);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE' });
    never.resolve(refusal);
    expect(await creating).toMatchObject({ refund: { status: 'DONE' } });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });
});

const hostileText = 'AC\0 07\ud83e';
const timedOut: RefundOutcome = { kind: 'unknown', cause: 'timeout' };
test.each([
  ['the answer to its call', { call: () => ({ ...accountClosed, message: hostileText }) }],
  ['the answer to a question', { call: () => timedOut, question: () => ({ ...failed, message: hostileText }) }],
])('a failure is known, whatever text %s has', async (_what, answers) => {
  const { dependencies } = bank(answers);
  const deposit = await created(dependencies);
  await pass(dependencies, 30, 5);
  expect(await refundOf(stage, deposit)).toMatchObject({ status: 'FAILED', failureMessage: 'AC  07\ufffd' });
});

describe('after an unknown outcome', () => {
  test('no refusal is final until the refund was found absent twice, two minutes apart', async () => {
    const { calls, dependencies } = bank({
      call: (number) => (number === 1 ? { kind: 'unknown', cause: 'timeout' } : refusal),
    });
    const deposit = await created(dependencies);
    await pass(dependencies, 120, 5);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'PROCESSING', failureReason: null });
    expect(calls).toHaveLength(1);
    expect(balanceOf(deposit)).toBe(10_850 - amount);
    await pass(dependencies, 60, 5);
    expect(new Set(calls).size).toBe(1);
    expect(calls).toHaveLength(2);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'FAILED', failureReason: 'provider_balance' });
    expect(balanceOf(deposit)).toBe(10_850);
    expect(await eventsOf(await refundOf(stage, deposit))).toEqual(['failed']);
  });

  test('a provider whose lookups prove nothing leaves the end to operators', async () => {
    const { calls, dependencies } = bank({ call: () => ({ kind: 'unknown', cause: 'timeout' }) });
    const [route] = dependencies.chargeRoutes.test;
    const capabilities = { ...route!.provider.capabilities, consistentLookup: false };
    const uncertain = [{ ...route!, provider: { ...route!.provider, capabilities } }];
    const wired = { ...dependencies, chargeRoutes: { test: uncertain, live: [] } };
    const deposit = await created(wired);
    await pass(wired, 25 * 60 - 30, 30);
    expect(await rowOf(deposit)).toEqual({ state: 'SENDING', attention: null });
    await pass(wired, 60, 30);
    expect(await rowOf(deposit)).toEqual({ state: 'SENDING', attention: 'overdue' });
    expect(calls).toHaveLength(1);
  });

  test('the provider is asked after 5 s, 15 s, 1 min, 5 min and every 15 min', async () => {
    const { questions, dependencies } = bank({
      call: () => ({ kind: 'accepted', status: 'PROCESSING', providerRef: 'P1' }),
      question: () => ({ status: 'PROCESSING', providerRef: 'P1' }),
    });
    const begun = stage.dependencies.now().getTime();
    const { id } = await refundOf(stage, await created(dependencies));
    await pass(dependencies, 40 * 60, 5);
    const own = questions.filter(({ ref }) => id.endsWith(ref));
    const seconds = own.map(({ at }) => (at.getTime() - begun) / 1_000);
    expect(seconds).toEqual([5, 20, 80, 380, 1_280, 2_180]);
  });
});

test('a refund that was accepted and is not found for a day stays open, its money reserved, for operators', async () => {
  const { calls, dependencies } = bank({
    call: () => ({ kind: 'accepted', status: 'PROCESSING', providerRef: 'P1' }),
  });
  const deposit = await created(dependencies);
  await pass(dependencies, 86_400, 300);
  expect(await rowOf(deposit)).toEqual({ state: 'SENDING', attention: 'overdue' });
  expect(balanceOf(deposit)).toBe(10_850 - amount);
  const { id } = await refundOf(stage, deposit);
  expect(calls.filter((ref) => id.endsWith(ref))).toHaveLength(1);
});

test('an answer about another amount ends nothing, and operators are told', async () => {
  const differs = { field: 'amount', reported: '1' } as const;
  const { calls, dependencies } = bank({
    call: () => ({ kind: 'unknown', cause: 'another amount', differs }),
    question: () => ({ status: 'DIFFERS', ...differs }),
  });
  const deposit = await created(dependencies);
  await pass(dependencies, 600, 5);
  expect(await rowOf(deposit)).toEqual({ state: 'SENDING', attention: 'amount_differs' });
  expect(calls).toHaveLength(1);
  expect(balanceOf(deposit)).toBe(10_850 - amount);
});

describe('a refund that was done', () => {
  test('although it had failed is debited again, and told', async () => {
    const { dependencies } = bank({ call: () => refusal, question: () => done });
    const before = await contradictionsOf('refund');
    const deposit = await created(dependencies);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'FAILED' });
    expect(balanceOf(deposit)).toBe(10_850);
    for (let times = 0; times < 3; times++) await hear(dependencies, deposit, 'DONE');
    expect(await contradictionsOf('refund')).toBe(before + 1);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE', returnId: 'D1', failureReason: null });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
    expect(await eventsOf(await refundOf(stage, deposit))).toEqual(['failed', 'done']);
    const { accountId, id } = deposit;
    expect(await getDeposit(dependencies, { environment, accountId, id })).toMatchObject({
      deposit: { refunded: amount },
    });
  });

  test('although it had failed, without the balance for it, is debited as far as it goes', async () => {
    const { dependencies } = bank({ call: () => refusal, question: () => done });
    const deposit = await created(dependencies);
    await stage.give(deposit.accountId, -10_000);
    await hear(dependencies, deposit, 'DONE');
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE' });
    expect(balanceOf(deposit)).toBe(0);
  });

  test('while the money was on its way back to the balance is debited again afterwards', async () => {
    const { dependencies } = bank({ call: () => refusal, question: () => done });
    const dying: Dependencies = {
      ...dependencies,
      askLedger: async (command, timeoutMs) => {
        if (command.kind === 'reverse-refund') throw new Error('the process ends here');
        return await dependencies.askLedger(command, timeoutMs);
      },
    };
    const { deposit, creating } = await begin(dying);
    expect(await creating).toMatchObject({ refund: { status: 'PROCESSING' } });
    await hear(dying, deposit, 'DONE').catch(() => undefined);
    await pass(dependencies, 60, 10);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE', returnId: 'D1' });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });

  test('and is said to have failed later is frozen for operators: nothing is booked', async () => {
    const { dependencies } = bank({
      call: () => ({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' }),
      question: () => failed,
    });
    const deposit = await created(dependencies);
    for (let times = 0; times < 2; times++) await hear(dependencies, deposit, 'FAILED');
    await pass(dependencies, 60, 10);
    expect(await rowOf(deposit)).toEqual({ state: 'DONE', attention: 'contradiction' });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
  });
});

describe('a refund of which nobody knows', () => {
  const two = { proposedBy: 'ana', approvedBy: 'bruno' };
  const evidence = 'Statement of the provider, line 12';

  async function stuck() {
    const { dependencies } = bank({ call: () => ({ kind: 'unknown', cause: 'timeout' }) });
    const deposit = await created(dependencies);
    await pass(dependencies, 30 * 60, 60);
    const { id } = await refundOf(stage, deposit);
    return { dependencies, deposit, id };
  }

  test('is listed for operators, and ends as two of them have found out', async () => {
    const { dependencies, deposit, id } = await stuck();
    const { accountId } = deposit;
    const listed = await listOperatorRefunds(dependencies, { accountId, attention: true, limit: 10 });
    expect(listed.refunds).toMatchObject([{ id, status: 'PROCESSING', attention: 'overdue' }]);
    const wanted = { id, outcome: 'done', evidence, returnId: 'D9', ...two } as const;
    for (let times = 0; times < 2; times++) await resolveReturn(dependencies, wanted);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'DONE', returnId: 'D9' });
    expect(await listOperatorRefunds(dependencies, { accountId, attention: true, limit: 10 })).toMatchObject({
      refunds: [],
    });
    expect(balanceOf(deposit)).toBe(10_850 - amount);
    const contrary = { ...wanted, outcome: 'failed', returnId: null } as const;
    await expect(resolveReturn(dependencies, contrary)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('and that two found not to have been sent goes back to the balance, once', async () => {
    const { dependencies, deposit, id } = await stuck();
    const wanted = { id, outcome: 'failed', evidence, returnId: null, ...two } as const;
    for (let times = 0; times < 2; times++) await resolveReturn(dependencies, wanted);
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'FAILED', failureReason: 'settlement_failed' });
    expect(balanceOf(deposit)).toBe(10_850);
  });

  test('is not ended by one person', async () => {
    const { dependencies, deposit, id } = await stuck();
    const alone = { id, outcome: 'failed', evidence, returnId: null, proposedBy: 'ana', approvedBy: 'ana' } as const;
    await expect(resolveReturn(dependencies, alone)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await refundOf(stage, deposit)).toMatchObject({ status: 'PROCESSING' });
  });
});
