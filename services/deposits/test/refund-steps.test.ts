import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBacklog } from '@gateway/messaging';
import type { RefundState } from '@gateway/providers';
import { askAbout } from '#src/provider-feed/apply-provider-event.ts';
import { redebitRefund, reverseRefund } from '#src/refund/ledger-steps.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { resolveReturn } from '#src/resolution/resolve-return.ts';
import { refundsUnderWay } from '#src/resolution/waiting-returns.ts';
import { failedState, refunding, refundingBank, refundOf } from './refunding.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const cameBack: RefundState = { ...failedState, cameBack: true };
let banks = 0;

const accepted = { kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' } as const;

type Answers = NonNullable<Parameters<typeof refundingBank>[1]>;
const unknown = { kind: 'unknown', cause: 'timeout' } as const;
const two = { proposedBy: 'ana', approvedBy: 'bruno' };

/** A deposit of 10,000 of which 5,000 were refunded, and then came back. */
async function refunded(bank: Answers = { call: () => accepted, question: () => cameBack }) {
  const { id: provider, calls, dependencies } = refundingBank(stage, bank, `stepping${++banks}`);
  const deposit = await stage.paid(account(), dependencies);
  await stage.give(deposit.accountId, 150);
  await refunding(dependencies, deposit, 5_000);
  const { id } = await refundOf(stage, deposit);
  const hear = async (by: typeof dependencies) => {
    const event = { dedupeKey: id, at: stage.dependencies.now(), raw: null, ref: id.slice(4) } as const;
    const reported = { type: 'refund.failed', code: 'account_closed', message: 'AC07', ...event } as const;
    await askAbout(by, { environment, provider }, reported);
  };
  const found = async () => (await stage.dependencies.database.reader().findOne(RefundEntity, { id }))!;
  const available = () => stage.ledger.books.balanceOf(deposit.accountId).available;
  return { id, calls, dependencies, hear, found, available };
}

type Dependencies = Awaited<ReturnType<typeof refunded>>['dependencies'];

const down = (dependencies: Dependencies): Dependencies => ({
  ...dependencies,
  askLedger: async () => await Promise.reject(new Error('down')),
});

/** The ledger answers to what another process asked of it long ago. */
const late = (dependencies: Dependencies): Dependencies => ({
  ...dependencies,
  askLedger: async () => ({ outcome: 'applied' }) as never,
});

/** The row as that process read it, before it came back for the first time. */
const before = (row: RefundRow): RefundRow => ({ ...row, cameBackAt: null, comeBacks: 0 });

test('a refund is under way for as long as its next step is taken without a person', async () => {
  const { database } = stage.dependencies;
  const underWay = async () =>
    (await readBacklog(database, refundsUnderWay)).find(
      (each) => each.kind === 'refund' && each.environment === environment,
    )!.count;
  const others = await underWay();
  await refunded();
  expect(await underWay()).toBe(others);
  await refunded({ call: () => unknown });
  expect(await underWay()).toBe(others + 1);
});

test('the answer to an earlier reversal does not end the one that is under way', async () => {
  const { dependencies, hear, found, available } = await refunded();
  await hear(down(dependencies)).catch(() => undefined);
  expect(await found()).toMatchObject({ state: 'REVERSING', comeBacks: 1 });
  await reverseRefund(late(dependencies), before(await found()));
  expect([(await found()).state, available()]).toEqual(['REVERSING', 5_000]);
  stage.passSeconds(600);
  await finishRefunds(dependencies);
  expect([(await found()).state, available()]).toEqual(['FAILED', 10_000]);
});

test('the answer to an earlier debit does not end the one that is under way', async () => {
  const { id, dependencies, hear, found, available } = await refunded();
  await hear(dependencies);
  await resolveReturn(down(dependencies), { id, outcome: 'done', evidence: 'e-mail 7', returnId: 'D2', ...two }).catch(
    () => undefined,
  );
  expect(await found()).toMatchObject({ state: 'REDEBITING', comeBacks: 1 });
  await redebitRefund(late(dependencies), before(await found()));
  expect([(await found()).state, available()]).toEqual(['REDEBITING', 10_000]);
  stage.passSeconds(600);
  await finishRefunds(dependencies);
  expect([(await found()).state, available()]).toEqual(['DONE', 5_000]);
});

test('what two found before it was sent again says nothing of that call: nothing is given back', async () => {
  const { id, calls, dependencies, found, available } = await refunded({ call: () => unknown });
  const failed = { id, outcome: 'failed', evidence: 'support: not carried out', returnId: null, ...two } as const;
  const seenNow = () => ({ at: stage.dependencies.now().toISOString(), status: 'PROCESSING' });
  stage.passSeconds(1);
  const proposal = seenNow();
  for (let times = 0; calls.length < 2 && times < 20; times++) {
    stage.passSeconds(60);
    await finishRefunds(dependencies);
  }
  expect(calls).toHaveLength(2);
  await expect(resolveReturn(dependencies, { ...failed, proposal })).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect([(await found()).state, available()]).toEqual(['SENDING', 5_000]);
  stage.passSeconds(1);
  await resolveReturn(dependencies, { ...failed, proposal: seenNow() });
  expect([(await found()).state, available()]).toEqual(['FAILED', 10_000]);
});

test('what two found about one that has ended anew since is not carried out', async () => {
  const { id, dependencies, hear, found, available } = await refunded();
  await hear(dependencies);
  const stated = { id, evidence: 'letter 1', ...two };
  const proposal = { at: stage.dependencies.now().toISOString(), status: 'FAILED' };
  stage.passSeconds(60);
  await resolveReturn(dependencies, { ...stated, outcome: 'done', returnId: 'D2', evidence: 'letter 2' });
  await hear(dependencies);
  stage.passSeconds(60);
  await resolveReturn(dependencies, { ...stated, outcome: 'failed', returnId: null });
  expect([(await found()).state, available()]).toEqual(['FAILED', 10_000]);
  const outdated = { ...stated, outcome: 'done', returnId: 'D2', proposal } as const;
  await expect(resolveReturn(dependencies, outdated)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect([(await found()).state, available()]).toEqual(['FAILED', 10_000]);
});

test('what two found of one that has come back since is carried out again, by the same words as before', async () => {
  let isBack = false;
  const question = (): RefundState => (isBack ? cameBack : { status: 'NOT_FOUND' });
  const { id, dependencies, hear, found, available } = await refunded({ call: () => unknown, question });
  const done = { id, outcome: 'done', evidence: 'e-mail 7', returnId: 'D2', ...two } as const;
  await resolveReturn(dependencies, { ...done, approvalId: 'apr_1' });
  expect([(await found()).state, available()]).toEqual(['DONE', 5_000]);
  isBack = true;
  await hear(dependencies);
  expect([(await found()).state, available()]).toEqual(['FAILED', 10_000]);
  for (let times = 0; times < 2; times++) await resolveReturn(dependencies, { ...done, approvalId: 'apr_2' });
  expect([(await found()).state, available()]).toEqual(['DONE', 5_000]);
});
