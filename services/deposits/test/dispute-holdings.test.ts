import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { RefundState } from '@gateway/providers';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { applyHoldingChange } from '#src/dispute/follow-holding.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { confirmReturn } from '#src/provider-feed/confirm-return.ts';
import { getMoneyRecords } from '#src/providers/money-records.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { atEveryStep } from './mortal-process.ts';
import { doneState, failedState, refunding, refundingBank, refundOf } from './refunding.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

type Type = 'dispute.opened' | 'dispute.lost' | 'dispute.won';

const environment = 'test' as const;

async function report(
  deposit: Deposit,
  type: Type,
  amount = deposit.amount,
  provider = 'sandbox',
  dependencies = stage.dependencies,
) {
  stage.passSeconds(1);
  const at = stage.dependencies.now();
  const money = { currency: 'BRL', amount } as const;
  const facts = { disputeRef: deposit.id, e2eId: deposit.e2eId!, money, raw: null, dedupeKey: `${type}:${deposit.id}` };
  const event = { type, at, ...facts } as Parameters<typeof applyDisputeEvent>[2];
  return await applyDisputeEvent(dependencies, { environment, provider }, event, 5_000);
}

async function rowOf({ id }: Deposit) {
  const rows = await stage.dependencies.database.query<{ id: string; blocked: number; returned: number }>(
    'select id, blocked, returned, shortfall, state from dispute where deposit_id = $1 order by round desc',
    [id],
  );
  return rows[0]!;
}

/** A later credit pays into the dispute, and the ledger says so. */
async function capture(deposit: Deposit, amount: number, sequence: number, told = true) {
  const { id: disputeId } = await rowOf(deposit);
  await stage.give(deposit.accountId, amount);
  stage.ledger.books.capture(deposit.accountId, disputeId, amount);
  const held = stage.ledger.books.holdingOf(disputeId);
  const event = { id: newId('event'), occurredAt: 1, environment, accountId: deposit.accountId, disputeId, sequence };
  if (told) await applyHoldingChange(stage.dependencies, { ...event, ...held });
  return { ...event, ...held };
}

/** A deposit of 10,000 of which 8,000 are spent. */
async function spent(): Promise<Deposit> {
  const deposit = await stage.paid();
  await stage.give(deposit.accountId, -7_850);
  return deposit;
}

describe('what a dispute holds', () => {
  test('follows the ledger as soon as it tells of a credit that paid into it', async () => {
    const deposit = await spent();
    expect(await report(deposit, 'dispute.opened')).toMatchObject({ blocked: 2_000 });
    await capture(deposit, 5_000, 7);
    expect(await rowOf(deposit)).toMatchObject({ blocked: 7_000, shortfall: 3_000 });
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toMatchObject({ blocked: 7_000 });
  });

  test('does not go back to what the ledger told before, nor to what belongs to another step', async () => {
    const deposit = await spent();
    await report(deposit, 'dispute.opened');
    const older = await capture(deposit, 1_000, 5, false);
    await capture(deposit, 1_000, 6);
    await applyHoldingChange(stage.dependencies, older);
    expect(await rowOf(deposit)).toMatchObject({ blocked: 4_000 });
    await report(deposit, 'dispute.lost');
    await applyHoldingChange(stage.dependencies, { ...older, sequence: 7 });
    expect(await rowOf(deposit)).toMatchObject({ state: 'LOST', blocked: 0, returned: 4_000 });
  });

  test('of one that is lost counts as refunded with each credit, and makes the deposit REFUNDED with the last', async () => {
    const deposit = await spent();
    await report(deposit, 'dispute.lost');
    const { accountId, id } = deposit;
    const key = { environment, accountId, id };
    await capture(deposit, 3_000, 8);
    expect(await getDeposit(stage.dependencies, key)).toMatchObject({ deposit: { status: 'PAID', refunded: 5_000 } });
    const last = await capture(deposit, 5_000, 9);
    await applyHoldingChange(stage.dependencies, last);
    expect(await getDeposit(stage.dependencies, key)).toMatchObject({
      deposit: { status: 'REFUNDED', refunded: 10_000 },
    });
  });
});

/** A deposit of 10,000 of which 6,000 are on their way back, until the provider decides that they are not. */
async function withRefundUnderWay() {
  let isDecided = false;
  const wired = stage.onTheWire({
    refund: async () => ({ kind: 'unknown', cause: 'timeout' }),
    getRefund: async ({ ref }) => {
      if (!isDecided) return { status: 'UNAVAILABLE', cause: 'timeout' };
      const failed = { status: 'FAILED', providerRef: ref, code: 'account_closed', message: 'AC07' } as const;
      return failed as Awaited<ReturnType<(typeof wired.chargeRoutes.test)[0]['provider']['getRefund']>>;
    },
  });
  const deposit = await stage.paid(account(), wired);
  await stage.give(deposit.accountId, 150);
  const { accountId, id: depositId } = deposit;
  const wanted = { environment, accountId, depositId, externalId: newId('request'), amount: 6_000, reason: null };
  await createRefund(wired, wanted, { timeoutMs: 5_000 });
  const fail = async () => {
    isDecided = true;
    stage.passSeconds(6);
    await finishRefunds(wired);
  };
  return { deposit, wired, fail };
}

/** The process ends once the ledger has carried out a command of this kind. */
const dyingAfter = (kind: string): typeof stage.dependencies => ({
  ...stage.dependencies,
  askLedger: async (command, timeoutMs) => {
    const result = await stage.dependencies.askLedger(command, timeoutMs);
    if (command.kind === kind) throw new Error('the process ends here');
    return result;
  },
});

async function sweep() {
  for (let round = 0; round < 4; round++) {
    stage.passSeconds(400);
    await finishDisputes(stage.dependencies);
  }
}

describe('a refund that fails while a dispute is open', () => {
  test.each<[string, Type]>([
    ['open', 'dispute.opened'],
    ['lost', 'dispute.lost'],
  ])('does not cap one that is %s', async (_state, type) => {
    const { deposit, fail } = await withRefundUnderWay();
    await report(deposit, type, 10_000, 'wired');
    const before = type === 'dispute.lost' ? { returned: 4_000 } : { blocked: 4_000 };
    expect(await rowOf(deposit)).toMatchObject({ ...before, shortfall: 0 });
    await fail();
    await finishDisputes(stage.dependencies);
    const after = type === 'dispute.lost' ? { returned: 10_000 } : { blocked: 10_000 };
    expect(await rowOf(deposit)).toMatchObject({ ...after, shortfall: 0 });
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toMatchObject({ available: 0 });
  });

  test.each([
    ['no more than', 4_000],
    ['as much as', 5_000],
  ])('takes %s what is lost of one lost in part, also before that is on record', async (_what, lost) => {
    const { deposit, fail } = await withRefundUnderWay();
    await report(deposit, 'dispute.opened', 10_000, 'wired');
    const dying = dyingAfter('return-dispute');
    await expect(report(deposit, 'dispute.lost', lost, 'wired', dying)).rejects.toThrow('the process ends here');
    expect(await rowOf(deposit)).toMatchObject({ state: 'OPEN' });
    await fail();
    await sweep();
    const { accountId, id } = deposit;
    expect(stage.ledger.books.balanceOf(accountId)).toMatchObject({ available: 10_000 - lost, blocked: 0 });
    expect(await rowOf(deposit)).toMatchObject({ state: 'LOST', blocked: 0, returned: lost, shortfall: 0 });
    const shown = await getDeposit(stage.dependencies, { environment, accountId, id });
    expect(shown).toMatchObject({ deposit: { refunded: lost } });
  });

  test('does not stop one that is lost in part after the ledger was asked for the whole', async () => {
    const { deposit, fail } = await withRefundUnderWay();
    await report(deposit, 'dispute.opened', 10_000, 'wired');
    await fail();
    stage.passSeconds(10);
    await finishDisputes(dyingAfter('extend-dispute'));
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toMatchObject({ available: 0, blocked: 10_000 });
    await report(deposit, 'dispute.lost', 2_500, 'wired');
    expect(await rowOf(deposit)).toMatchObject({ state: 'LOST', blocked: 0, returned: 2_500, shortfall: 0 });
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toMatchObject({ available: 7_500, blocked: 0 });
  });

  test('gives back nothing less where the provider decides for the merchant before the ledger was asked', async () => {
    const { deposit, fail } = await withRefundUnderWay();
    await report(deposit, 'dispute.opened', 10_000, 'wired');
    await fail();
    await report(deposit, 'dispute.won', 10_000, 'wired');
    await sweep();
    expect(await rowOf(deposit)).toMatchObject({ state: 'WON', blocked: 0, returned: 0 });
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toMatchObject({ available: 10_000, blocked: 0 });
  });

  test.each<[string, Type, number]>([
    ['open', 'dispute.opened', 10_000],
    ['lost', 'dispute.lost', 10_000],
    ['lost in part', 'dispute.lost', 7_000],
  ])('is due to one that is %s however often the process ends on the way', async (_state, type, amount) => {
    const prepare = async () => {
      const { deposit, fail } = await withRefundUnderWay();
      await report(deposit, type, amount, 'wired');
      await fail();
      stage.passSeconds(10);
      return deposit;
    };
    const steps = await atEveryStep(stage.dependencies, {
      prepare,
      act: finishDisputes,
      expectWell: async (deposit) => {
        await sweep();
        const isLost = type === 'dispute.lost';
        const held = isLost ? { blocked: 0, returned: amount } : { blocked: amount, returned: 0 };
        expect(await rowOf(deposit)).toMatchObject({ ...held, shortfall: 0 });
        const { accountId, id } = deposit;
        const books = { available: 10_000 - amount, blocked: held.blocked };
        expect(stage.ledger.books.balanceOf(accountId)).toMatchObject(books);
        const shown = await getDeposit(stage.dependencies, { environment, accountId, id });
        const status = held.returned === 10_000 ? 'REFUNDED' : 'PAID';
        expect(shown).toMatchObject({ deposit: { refunded: held.returned, status } });
      },
    });
    expect(steps).toBeGreaterThanOrEqual(7);
  });
});

test.each([
  ['all of it', 10_000, 10_000],
  ['a part of it', 4_000, 0],
])(
  'of a deposit that stayed REFUNDED when its refund came back, a dispute takes %s, and counts',
  async (_, lost, won) => {
    let answer: RefundState = doneState;
    const call = () => ({ kind: 'accepted', status: 'DONE', providerRef: 'P1', returnId: 'D1' }) as const;
    const { id: provider, dependencies } = refundingBank(stage, { call, question: () => answer }, `counting${lost}`);
    const deposit = await stage.paid(account(), dependencies);
    await stage.give(deposit.accountId, 150);
    await refunding(dependencies, deposit, 10_000);
    const { id } = await refundOf(stage, deposit);
    await report(deposit, 'dispute.lost', lost, provider);
    answer = { ...failedState, cameBack: true };
    await confirmReturn(dependencies, { environment, provider, ref: id.slice(4), end: 'FAILED' });
    const key = { environment, accountId: deposit.accountId, id: deposit.id };
    const counted = async () => (await getDeposit(dependencies, key)).deposit;
    expect(await counted()).toMatchObject({ status: 'REFUNDED', refunded: 0 });
    await sweep();
    expect(await counted()).toMatchObject({ status: 'REFUNDED', refunded: lost });
    const { records } = await getMoneyRecords(dependencies.database, { environment, records: [key] });
    expect(records).toMatchObject([{ kind: 'payment', refunded: lost, backByRefunds: 0 }]);
    await report(deposit, 'dispute.won', lost, provider);
    expect(await counted()).toMatchObject({ status: 'REFUNDED', refunded: won });
  },
);
