import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepEvent } from '@gateway/provider-feeds';
import type { RefundOutcome, RefundState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { listOrphanReceipts } from '#src/orphan-receipts/operator-requests.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { askAbout } from '#src/provider-feed/apply-provider-event.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { recheckFailed } from '#src/resolution/recheck-failed.ts';
import { getReturn, resolveReturn } from '#src/resolution/resolve-return.ts';
import { atEveryStep } from './mortal-process.ts';
import { accountClosed, doneState, failedState, refunding, refundingBank, refundOf } from './refunding.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const cameBack: RefundState = { ...failedState, cameBack: true };
const two = { proposedBy: 'ana', approvedBy: 'bruno' };

let banks = 0;

const accepted = { kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' } as const;

/** A deposit of 10,000 with a refund, whose call is answered so; later the provider answers otherwise. */
async function refunded(call: RefundOutcome, later: RefundState, amount: number) {
  const answers = { now: later };
  const bank = { call: () => call, question: () => answers.now };
  const { id: provider, dependencies } = refundingBank(stage, bank, `returning${++banks}`);
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, 150);
  await refunding(dependencies, deposit, amount);
  const { id } = await refundOf(stage, deposit);
  const event = { dedupeKey: id, at: stage.dependencies.now(), raw: null, ref: id.slice(4) } as const;
  const reported = { type: 'refund.failed', code: 'account_closed', message: 'AC07', ...event } as const;
  const source = { environment, provider };
  const hear = async (by = dependencies) => await askAbout(by, source, reported);
  const keep = async () => await keepEvent(dependencies.feeds, source, reported);
  return { deposit, id, dependencies, answers, hear, keep };
}

const doneRefund = async (later: RefundState, amount = 5_000) => await refunded(accepted, later, amount);

type Refunded = Awaited<ReturnType<typeof refunded>>;

async function standing({ deposit: { accountId, id } }: Refunded) {
  const { deposit } = await getDeposit(stage.dependencies, { environment, accountId, id });
  const { status } = await refundOf(stage, deposit);
  const { available } = stage.ledger.books.balanceOf(accountId);
  return { available, status, refunded: deposit.refunded, deposit: deposit.status };
}

async function attentionOf({ id, dependencies }: Refunded) {
  return (await getReturn(dependencies, { id })).record.attention;
}

const withoutLedger = ({ dependencies }: Refunded) => ({
  ...dependencies,
  askLedger: async () => await Promise.reject(new Error('down')),
});

/** What two operators have found out of it. */
async function resolve({ id, dependencies }: Refunded, outcome: 'done' | 'failed', evidence: string) {
  const returnId = outcome === 'done' ? 'D2' : null;
  return await resolveReturn(dependencies, { id, outcome, evidence, returnId, ...two });
}

async function eventsOf({ id }: Refunded): Promise<string[]> {
  const rows = await stage.dependencies.database.query<{ subject: string }>(
    `select subject from outbox where payload::jsonb #>> '{refund,id}' = $1 order by id`,
    [id],
  );
  return rows.map(({ subject }) => subject.split('.').at(-2)!);
}

test('a refund that was done and came back is credited once, and FAILED, however often it is reported', async () => {
  const done = await doneRefund(cameBack);
  expect(await standing(done)).toMatchObject({ available: 5_000, refunded: 5_000 });
  for (let times = 0; times < 3; times++) await done.hear();
  const back = { available: 10_000, status: 'FAILED', refunded: 0, deposit: 'PAID' };
  expect(await standing(done)).toEqual(back);
  expect(await eventsOf(done)).toEqual(['done', 'failed']);
});

test('is credited once where its process ends at any step', async () => {
  const steps = await atEveryStep(stage.dependencies, {
    prepare: async () => await doneRefund(cameBack),
    act: async (mortal, { dependencies, hear }) => {
      const { database, askLedger } = mortal;
      await hear({ ...dependencies, database, askLedger });
    },
    expectWell: async (done) => {
      stage.passSeconds(600);
      await done.hear();
      await finishRefunds(done.dependencies);
      expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
    },
  });
  expect(steps).toBeGreaterThanOrEqual(4);
});

test('of the whole deposit leaves it REFUNDED, and it can be refunded again', async () => {
  const done = await doneRefund(cameBack, 10_000);
  expect(await standing(done)).toMatchObject({ available: 0, refunded: 10_000, deposit: 'REFUNDED' });
  await done.hear();
  const back = { available: 10_000, status: 'FAILED', refunded: 0, deposit: 'REFUNDED' };
  expect(await standing(done)).toEqual(back);
  stage.passSeconds(1);
  await refunding(done.dependencies, done.deposit, 10_000);
  expect(await standing(done)).toMatchObject({ available: 0, status: 'DONE', refunded: 10_000 });
});

test('a refund that was done and is said to have failed, without having come back, is for operators', async () => {
  const done = await doneRefund(failedState);
  const before = await standing(done);
  await done.hear();
  expect(await standing(done)).toEqual(before);
  for (let times = 0; times < 2; times++) {
    expect(await resolve(done, 'failed', 'e-mail 7')).toMatchObject({ after: { status: 'FAILED' } });
  }
  expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
});

const itemOf = async ({ id }: Refunded) =>
  (
    await stage.dependencies.database.query<{ state: string }>('select state from item_inbox where key like $1', [
      `%${id}%`,
    ])
  )[0]?.state;

test.each<[string, RefundState]>([
  ['does not answer', { status: 'UNAVAILABLE', cause: 'timeout' }],
  ['answers as before it came back', doneState],
])(
  'whose provider %s is credited once it says that it came back, from the report that it has kept',
  async (_, first) => {
    const done = await doneRefund(first);
    await done.keep();
    await done.dependencies.feeds.takeDue();
    expect(await itemOf(done)).toBe('WAITING');
    expect(await standing(done)).toMatchObject({ available: 5_000, status: 'DONE' });
    done.answers.now = cameBack;
    stage.passSeconds(60);
    await done.dependencies.feeds.takeDue();
    expect(await itemOf(done)).toBe('TAKEN');
    expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
  },
);

test('whose provider does not answer is not said to be known to have come back', async () => {
  const done = await doneRefund({ status: 'UNAVAILABLE', cause: 'timeout' });
  await expect(done.hear()).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  done.answers.now = doneState;
  expect(await done.hear()).toMatchObject({ kind: 'unconfirmed' });
  done.answers.now = failedState;
  expect(await done.hear()).toEqual({ kind: 'taken' });
});

/** One that was refused, and found to be done a day later: the balance has paid for it again. */
async function doneAfterFailure(spent: number) {
  const redebited = await refunded(accountClosed, doneState, 5_000);
  expect(await standing(redebited)).toMatchObject({ available: 10_000, status: 'FAILED' });
  if (spent > 0) await stage.give(redebited.deposit.accountId, -spent);
  stage.passSeconds(86_400);
  await recheckFailed(redebited.dependencies);
  expect(await standing(redebited)).toMatchObject({ available: Math.max(5_000 - spent, 0), status: 'DONE' });
  return redebited;
}

test.each([
  ['in full', 0],
  ['in part, since the balance did not have it', 8_000],
])(
  'that was found to be done after it had failed, and debited again %s, is credited when it comes back',
  async (_, spent) => {
    const redebited = await doneAfterFailure(spent);
    redebited.answers.now = cameBack;
    for (let times = 0; times < 2; times++) await redebited.hear();
    expect(await standing(redebited)).toMatchObject({ available: 10_000 - spent, status: 'FAILED', refunded: 0 });
    expect(await eventsOf(redebited)).toEqual(['failed', 'done', 'failed']);
  },
);

test('that is said to be done once it has come back is for operators, who end it either way', async () => {
  const done = await doneRefund(cameBack);
  await done.hear();
  done.answers.now = doneState;
  for (let times = 0; times < 2; times++) {
    stage.passSeconds(8 * 86_400);
    await recheckFailed(done.dependencies);
  }
  expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED' });
  expect(await attentionOf(done)).toBe('contradiction');
  await resolve(done, 'failed', 'e-mail 1');
  expect(await attentionOf(done)).toBeNull();
  expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED' });
  await resolve(done, 'done', 'e-mail 2');
  expect(await standing(done)).toMatchObject({ available: 5_000, status: 'DONE', refunded: 5_000 });
  done.answers.now = cameBack;
  await done.hear();
  expect(await attentionOf(done)).toBe('contradiction');
  expect(await standing(done)).toMatchObject({ available: 5_000, status: 'DONE' });
  await resolve(done, 'failed', 'e-mail 3');
  expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
  await resolve(done, 'done', 'e-mail 4');
  expect(await standing(done)).toMatchObject({ available: 5_000, status: 'DONE', refunded: 5_000 });
});

test('that came back before it was known to be done is not debited again by what its provider said before', async () => {
  const sent = await refunded({ kind: 'unknown', cause: 'timeout' }, cameBack, 5_000);
  await sent.hear();
  sent.answers.now = doneState;
  stage.passSeconds(86_400);
  await recheckFailed(sent.dependencies);
  expect(await standing(sent)).toMatchObject({ available: 10_000, status: 'FAILED' });
  expect(await attentionOf(sent)).toBe('contradiction');
});

test('is for operators where its provider says that it is done while it is being credited', async () => {
  const done = await doneRefund(cameBack);
  await expect(done.hear(withoutLedger(done))).rejects.toThrow('down');
  done.answers.now = doneState;
  await done.hear();
  expect(await standing(done)).toMatchObject({ available: 10_000, status: 'FAILED' });
  expect(await attentionOf(done)).toBe('contradiction');
});

describe('what is heard while the balance pays again', () => {
  /** The ledger does not answer while it is asked to debit it again, and the provider says something else. */
  async function redebiting(later: RefundState) {
    const redebited = await refunded(accountClosed, doneState, 5_000);
    const dying = withoutLedger(redebited);
    stage.passSeconds(86_400);
    await recheckFailed(dying);
    redebited.answers.now = later;
    await expect(redebited.hear(dying)).rejects.toThrow('down');
    stage.passSeconds(600);
    await finishRefunds(redebited.dependencies);
    return redebited;
  }

  test('is that it came back: it is credited once it has been debited', async () => {
    const redebited = await redebiting(cameBack);
    expect(await standing(redebited)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
    expect(await eventsOf(redebited)).toEqual(['failed', 'done', 'failed']);
  });

  test('is that it came back, also where it was found to be done while it was still being credited', async () => {
    const sent = await refunded({ kind: 'unknown', cause: 'timeout' }, failedState, 5_000);
    for (const answer of [failedState, doneState, cameBack]) {
      sent.answers.now = answer;
      await expect(sent.hear(withoutLedger(sent))).rejects.toThrow('down');
    }
    stage.passSeconds(600);
    await finishRefunds(sent.dependencies);
    expect(await standing(sent)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
    expect(await eventsOf(sent)).toEqual(['done', 'failed']);
  });

  test('is that it failed: operators have it before them when it is done', async () => {
    const redebited = await redebiting(failedState);
    expect(await standing(redebited)).toMatchObject({ available: 5_000, status: 'DONE', refunded: 5_000 });
    expect(await attentionOf(redebited)).toBe('contradiction');
    await resolve(redebited, 'failed', 'e-mail 5');
    expect(await standing(redebited)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
  });
});

test('an orphan receipt that has gone back is known to have come back only once its provider says so', async () => {
  const answers: { now: RefundState } = { now: { status: 'UNAVAILABLE', cause: 'timeout' } };
  const bank = { call: () => accepted, question: () => answers.now };
  const { id: provider, dependencies } = refundingBank(stage, bank, `returning${++banks}`);
  const deposit = await stage.paid(account(), dependencies);
  const facts = { at: stage.dependencies.now(), raw: null, dedupeKey: deposit.id } as const;
  const second = {
    e2eId: `E${deposit.id.slice(4)}`,
    money: { currency: 'BRL', amount: 7_000 },
    paidAt: facts.at,
  } as const;
  await applyReceipt(dependencies, { environment, provider, reference: deposit.id.slice(4) }, asked(second), 5_000);
  const orphan = async () => {
    const { receipts } = await listOrphanReceipts(dependencies, { depositId: deposit.id, limit: 1 });
    return receipts[0]!;
  };
  await returnOrphanReceipts(dependencies);
  const { id, state } = await orphan();
  expect(state).toBe('RETURNED');
  const failed = {
    type: 'refund.failed',
    code: 'account_closed',
    message: 'AC07',
    ...facts,
    ref: id.slice(4),
  } as const;
  const hear = async () => await askAbout(dependencies, { environment, provider }, failed);
  await expect(hear()).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  answers.now = doneState;
  expect(await hear()).toMatchObject({ kind: 'unconfirmed' });
  answers.now = cameBack;
  expect(await hear()).toEqual({ kind: 'taken' });
  expect(await orphan()).toMatchObject({ state: 'RETURNED', attention: 'contradiction' });
});
