import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RefundState } from '@gateway/providers';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { askAbout } from '#src/provider-feed/apply-provider-event.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { resolveReturn } from '#src/resolution/resolve-return.ts';
import { atEveryStep } from './mortal-process.ts';
import { doneState, failedState, refunding, refundingBank, refundOf } from './refunding.ts';
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

/** A deposit of 10,000 with its refund, which is done; later the provider answers otherwise. */
async function doneRefund(later: RefundState, amount = 5_000) {
  let answer: RefundState = doneState;
  const call = () => ({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' }) as const;
  const { id: provider, dependencies } = refundingBank(stage, { call, question: () => answer }, `returning${++banks}`);
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, 150);
  await refunding(dependencies, deposit, amount);
  const { id, status } = await refundOf(stage, deposit);
  expect(status).toBe('DONE');
  answer = later;
  const event = { dedupeKey: id, at: stage.dependencies.now(), raw: null, ref: id.slice(4) } as const;
  const reported = { type: 'refund.failed', code: 'account_closed', message: 'AC07', ...event } as const;
  const hear = async (by = dependencies) => await askAbout(by, { environment, provider }, reported);
  return { deposit, id, dependencies, hear };
}

type Refunded = Awaited<ReturnType<typeof doneRefund>>;

async function standing({ deposit: { accountId, id } }: Refunded) {
  const { deposit } = await getDeposit(stage.dependencies, { environment, accountId, id });
  const { status } = await refundOf(stage, deposit);
  const { available } = stage.ledger.books.balanceOf(accountId);
  return { available, status, refunded: deposit.refunded, deposit: deposit.status };
}

async function eventsOf({ id }: Refunded): Promise<string[]> {
  const rows = await stage.dependencies.database.query<{ subject: string }>(
    `select subject from outbox where payload::jsonb #>> '{refund,id}' = $1 order by id`,
    [id],
  );
  return rows.map(({ subject }) => subject.split('.').at(-2)!);
}

test('a refund that was done and came back is credited once, and FAILED, however often it is reported', async () => {
  const refunded = await doneRefund(cameBack);
  expect(await standing(refunded)).toMatchObject({ available: 5_000, refunded: 5_000 });
  for (let times = 0; times < 3; times++) await refunded.hear();
  const back = { available: 10_000, status: 'FAILED', refunded: 0, deposit: 'PAID' };
  expect(await standing(refunded)).toEqual(back);
  expect(await eventsOf(refunded)).toEqual(['done', 'failed']);
});

test('is credited once where its process ends at any step', async () => {
  const steps = await atEveryStep(stage.dependencies, {
    prepare: async () => await doneRefund(cameBack),
    act: async (mortal, { dependencies, hear }) => {
      const { database, askLedger } = mortal;
      await hear({ ...dependencies, database, askLedger });
    },
    expectWell: async (refunded) => {
      stage.passSeconds(600);
      await refunded.hear();
      await finishRefunds(refunded.dependencies);
      expect(await standing(refunded)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
    },
  });
  expect(steps).toBeGreaterThanOrEqual(4);
});

test('of the whole deposit leaves it REFUNDED, and it can be refunded again', async () => {
  const refunded = await doneRefund(cameBack, 10_000);
  expect(await standing(refunded)).toMatchObject({ available: 0, refunded: 10_000, deposit: 'REFUNDED' });
  await refunded.hear();
  const back = { available: 10_000, status: 'FAILED', refunded: 0, deposit: 'REFUNDED' };
  expect(await standing(refunded)).toEqual(back);
  stage.passSeconds(1);
  await refunding(refunded.dependencies, refunded.deposit, 10_000);
  expect(await standing(refunded)).toMatchObject({ available: 0, status: 'DONE', refunded: 10_000 });
});

test('a refund that was done and is said to have failed, without having come back, is for operators', async () => {
  const refunded = await doneRefund(failedState);
  const before = await standing(refunded);
  await refunded.hear();
  expect(await standing(refunded)).toEqual(before);
  const request = { id: refunded.id, outcome: 'failed', evidence: 'e-mail 7', returnId: null, ...two } as const;
  for (let times = 0; times < 2; times++) {
    expect(await resolveReturn(refunded.dependencies, request)).toMatchObject({ after: { status: 'FAILED' } });
  }
  expect(await standing(refunded)).toMatchObject({ available: 10_000, status: 'FAILED', refunded: 0 });
});
