import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { applyHoldingChange } from '#src/dispute/follow-holding.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { finishRefunds } from '#src/refund/resume-refund.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

type Type = 'dispute.opened' | 'dispute.lost' | 'dispute.won';

const environment = 'test' as const;

async function report(deposit: Deposit, type: Type, amount = deposit.amount, provider = 'sandbox') {
  stage.passSeconds(1);
  const at = stage.dependencies.now();
  const money = { currency: 'BRL', amount } as const;
  const facts = { disputeRef: deposit.id, e2eId: deposit.e2eId!, money, raw: null, dedupeKey: `${type}:${deposit.id}` };
  const event = { type, at, ...facts } as Parameters<typeof applyDisputeEvent>[2];
  return await applyDisputeEvent(stage.dependencies, { environment, provider }, event, 5_000);
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

describe('a refund that fails while a dispute is open', () => {
  test.each<[string, Type]>([
    ['open', 'dispute.opened'],
    ['lost', 'dispute.lost'],
  ])('does not cap one that is %s', async (_state, type) => {
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
    await report(deposit, type, 10_000, 'wired');
    const before = type === 'dispute.lost' ? { returned: 4_000 } : { blocked: 4_000 };
    expect(await rowOf(deposit)).toMatchObject({ ...before, shortfall: 0 });
    isDecided = true;
    stage.passSeconds(6);
    await finishRefunds(wired);
    await finishDisputes(wired);
    const after = type === 'dispute.lost' ? { returned: 10_000 } : { blocked: 10_000 };
    expect(await rowOf(deposit)).toMatchObject({ ...after, shortfall: 0 });
    expect(stage.ledger.books.balanceOf(accountId)).toMatchObject({ available: 0 });
  });
});
