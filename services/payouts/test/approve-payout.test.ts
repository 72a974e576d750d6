import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '@gateway/contracts/accounts';
import type { PendingReason } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { sandboxClabes, sandboxKeys } from '@gateway/providers';
import { readWaiting } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { type CreatePayoutRequest, draftPayout } from '#src/creation/draft-payout.ts';
import { approvePayout, cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { listOperatorPayouts } from '#src/payout/read-payouts.ts';
import { waitingPayouts } from '#src/payout/waiting-payouts.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => {
  harness.ledger.answerAgain();
  await harness.stopSweeping();
});
afterAll(async () => harness[Symbol.asyncDispose]());

async function pending(settings: Partial<Account> = { autoApprovePayouts: false }) {
  const account = harness.account(10_000, settings);
  return { account, ...(await harness.create(request(account))) };
}
const spei = { currency: 'MXN', paymentMethod: 'SPEI', keyType: 'clabe' } as const;
const cancel = (payout: { accountId: string; id: string }) =>
  cancelPayout(harness.dependencies, { environment: 'test', accountId: payout.accountId, id: payout.id });
const approve = (id: string) => approvePayout(harness.dependencies, { id, operator: 'ana' });
const refuse = (id: string) => refusePayout(harness.dependencies, { id, operator: 'bruno' });

describe('a payout that waits for approval', () => {
  test('is sent and paid once an operator approves it', async () => {
    const { account, payout } = await pending();
    const { before, payout: approved } = await approve(payout.id);
    expect([before.status, approved.status, approved.decidedBy]).toEqual(['PENDING', 'PROCESSING', 'ana']);
    harness.startSweeping();
    harness.passSeconds(1);
    await eventually(async () => {
      harness.passSeconds(1);
      expect(await harness.get(payout)).toMatchObject({ status: 'PAID' });
    });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'processing', 'paid']);
  });

  test('is let go once under an approval, however often its operator asks; a refusal is no approval', async () => {
    const asked = (id: string, operator: string) =>
      approvePayout(harness.dependencies, { id, operator, approvalId: newId('approval') });
    const { payout } = await pending();
    expect((await asked(payout.id, 'ana')).payout.status).toBe('PROCESSING');
    expect((await asked(payout.id, 'ana')).payout).toMatchObject({ status: 'PROCESSING', decidedBy: 'ana' });
    await expect(asked(payout.id, 'bruno')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(approve(payout.id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const { payout: other } = await pending();
    await refuse(other.id);
    await expect(asked(other.id, 'bruno')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test.each<[string, Partial<Account>, Partial<CreatePayoutRequest>, PendingReason]>([
    ['every payout of the account is approved', { autoApprovePayouts: false }, {}, 'account_setting'],
    ['it exceeds the limit of a payout', { payoutLimits: { perPayoutCents: 4_999, perDayCents: null } }, {}, 'limit'],
    ['it exceeds the limit of a day', { payoutLimits: { perPayoutCents: null, perDayCents: 4_999 } }, {}, 'limit'],
    ['its test key says so', {}, { key: sandboxKeys.approve }, 'approval_rule'],
    ['its test account says so', {}, { ...spei, key: sandboxClabes.approve }, 'approval_rule'],
  ])('because %s says so as long as it waits', async (_case, settings, changes, pendingReason) => {
    const { payout } = await harness.create(request(harness.account(10_000, settings), changes));
    expect(payout).toMatchObject({ status: 'PENDING', pendingReason });
    expect((await approve(payout.id)).payout).toMatchObject({ status: 'PROCESSING', pendingReason: null });
  });

  test('is not what the test key makes of a live payout', () => {
    const live = request(harness.account(10_000), { environment: 'live', key: sandboxKeys.approve });
    const [route] = harness.dependencies.payoutRoutes.test;
    const drafted = draftPayout(live, route!, new Date(), new Date());
    expect([drafted.needsApproval, drafted.pendingReason]).toEqual([false, null]);
  });

  test('is counted among what needs an operator until it is decided, as one that cannot go on is', async () => {
    const { database } = harness.dependencies;
    const counted = async (kind: string) =>
      (await readWaiting(database, waitingPayouts)).find((each) => each.kind === kind && each.environment === 'test')
        ?.count ?? 0;
    const [approvals, stuck] = [await counted('payout_approval'), await counted('payout_stuck')];
    const { payout } = await pending();
    expect(await counted('payout_approval')).toBe(approvals + 1);
    await database.query(`update payout set attention_at = now() where id = $1`, [payout.id]);
    expect(await counted('payout_stuck')).toBe(stuck + 1);
    await refuse(payout.id);
    expect([await counted('payout_approval'), await counted('payout_stuck')]).toEqual([approvals, stuck]);
  });

  test('is REJECTED and given back when an operator refuses it', async () => {
    const { account, payout } = await pending();
    const { payout: refused } = await refuse(payout.id);
    expect(refused).toMatchObject({ status: 'REJECTED', failureReason: 'refused_by_operator', decidedBy: 'bruno' });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'canceled']);
  });

  test('is REJECTED and given back when its merchant cancels it, and cannot be canceled again', async () => {
    const { account, payout } = await pending();
    expect((await cancel(payout)).payout).toMatchObject({
      status: 'REJECTED',
      failureReason: 'canceled_by_merchant',
    });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'reverse-payout']);
    for (const again of [() => cancel(payout), () => approve(payout.id), () => refuse(payout.id)]) {
      await expect(again()).rejects.toMatchObject({ code: 'INVALID_STATE' });
    }
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'canceled']);
  });

  test('is given back a little later when the ledger does not answer the cancellation', async () => {
    const { account, payout } = await pending();
    harness.ledger.loseAnswers();
    const canceling = cancel(payout);
    expect((await canceling).payout.status).toBe('PROCESSING');
    harness.ledger.answerAgain();
    harness.startSweeping();
    harness.passSeconds(10);
    await eventually(async () => expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED' }));
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    expect(await harness.eventsOf(payout.id)).toEqual(['pending', 'canceled']);
  });

  test('has one winner when both decisions wait for the same write', async () => {
    const { payouts } = harness.dependencies;
    const dueAt = new Date('2099-01-01T00:00:00Z');
    const refusal = {
      reversal: 'REJECTED',
      failureReason: 'refused_by_operator',
      dueAt,
    } as const;
    for (let round = 0; round < 10; round++) {
      const [other, contested] = [await pending(), await pending()];
      const [ahead, row] = await Promise.all([
        payouts.findById(other.payout.id),
        payouts.findById(contested.payout.id),
      ]);
      // While this one is being written, the two that follow queue up behind it.
      const writing = payouts.move(ahead!, 'approved', { sentAt: new Date(), dueAt });
      const decisions = await Promise.all([
        payouts.move(row!, 'rejected', refusal),
        payouts.move(row!, 'approved', { sentAt: new Date(), dueAt }),
      ]);
      await writing;
      expect(decisions.filter((moved) => moved !== null)).toHaveLength(1);
    }
  });

  test('has one winner among those who approve, refuse and cancel it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { account, payout } = await pending();
      const answers = await Promise.allSettled([cancel(payout), approve(payout.id), refuse(payout.id)]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { status } = await harness.get(payout);
      expect(status).toBe(answers[1].status === 'fulfilled' ? 'PROCESSING' : 'REJECTED');
      expect(harness.ledger.books.balanceOf(account.id)).toBe(status === 'PROCESSING' ? 4_900 : 10_000);
    }
  });

  test('is no business of another account, and one that is on its way cannot be canceled', async () => {
    const { payout } = await pending();
    await expect(cancel({ ...payout, accountId: newId('account') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(approve(newId('payout'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { payout: sent } = await harness.create(request(harness.account(10_000)));
    await expect(cancel(sent)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});

describe('a limit', () => {
  test('per payout makes a larger one wait, and not one of its size', async () => {
    const limits = { payoutLimits: { perPayoutCents: 5_000, perDayCents: null } };
    const account = harness.account(100_000, limits);
    const statusOf = async (amount: number) => (await harness.create(request(account, { amount }))).payout.status;
    expect([await statusOf(5_000), await statusOf(5_001)]).toEqual(['PROCESSING', 'PENDING']);
  });

  test('per day lets through what fits in it, in any order, and starts anew with the day (UTC)', async () => {
    const [account, other] = [1, 2].map(() =>
      harness.account(100_000, { payoutLimits: { perPayoutCents: null, perDayCents: 10_000 } }),
    );
    const statusOf = async (amount: number) => (await harness.create(request(account!, { amount }))).payout.status;
    expect((await harness.create(request(other!, { amount: 9_000 }))).payout.status).toBe('PROCESSING');
    expect([await statusOf(6_000), await statusOf(4_001), await statusOf(4_000), await statusOf(1)]).toEqual([
      'PROCESSING',
      'PENDING',
      'PROCESSING',
      'PENDING',
    ]);
    harness.passSeconds(86_400);
    expect(await statusOf(10_000)).toBe('PROCESSING');
  });

  test('per day is not used up by what was refused, canceled or came to nothing', async () => {
    const account = harness.account(5_100, { payoutLimits: { perPayoutCents: null, perDayCents: 5_000 } });
    await expect(harness.create(request(account, { amount: 5_001 }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
    const { payout } = await harness.create(request(account, { key: 'refuse@sandbox.test' }));
    expect(payout.status).toBe('REJECTED');
    expect((await harness.create(request(account))).payout.status).toBe('PROCESSING');
  });

  test('per day is never passed by payouts that race for it', async () => {
    const account = harness.account(1_000_000, { payoutLimits: { perPayoutCents: null, perDayCents: 20_000 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => harness.create(request(account))));
    const statuses = answers.map(({ payout }) => payout.status).sort();
    expect(statuses).toEqual([...Array<string>(8).fill('PENDING'), ...Array<string>(4).fill('PROCESSING')]);
  });

  test('per day keeps repeated calls to one payout', async () => {
    const account = harness.account(100_000, { payoutLimits: { perPayoutCents: null, perDayCents: 20_000 } });
    const first = request(account);
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.create(first)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(harness.ledger.books.balanceOf(account.id)).toBe(94_900);
  });
});

test('operators see the payouts of all accounts, newest first, by status and in pages', async () => {
  const { payout: first } = await pending();
  const { payout: second } = await pending();
  const page = await listOperatorPayouts(harness.dependencies, { limit: 1, status: 'PENDING' });
  expect(page.payouts).toMatchObject([{ id: second.id, status: 'PENDING', provider: 'sandbox', resolution: null }]);
  const next = await listOperatorPayouts(harness.dependencies, {
    limit: 1,
    status: 'PENDING',
    cursor: page.nextCursor!,
  });
  expect(next.payouts).toMatchObject([{ id: first.id, accountId: first.accountId }]);
  const unknown = listOperatorPayouts(harness.dependencies, { limit: 1, cursor: newId('payout') });
  await expect(unknown).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] });
});
