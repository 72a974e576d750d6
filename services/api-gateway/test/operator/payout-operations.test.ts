import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import {
  approvePayout,
  cancelPayout,
  getOperatorPayout,
  listOperatorPayouts,
  listPayouts,
  refusePayout,
  resolvePayout,
  settlePayout,
  type OperatorPayout,
} from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { operatorPayoutOf } from '../harness/records.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const asked: unknown[] = [];
const pending = operatorPayoutOf({ status: 'PENDING' });
const changed = (members: Partial<OperatorPayout>): OperatorPayout => ({ ...pending, ...members });
const at = '2026-01-02T11:00:00.000Z';
const failedCall = { provider: 'woovi', outcome: 'refused', reason: 'provider_balance', message: 'Sem saldo' } as const;
const stuck = operatorPayoutOf({
  ...{ status: 'PROCESSING', attentionReason: 'paid_twice', alsoPaidBy: ['woovi'], providerMessage: 'Sem saldo' },
  failedCalls: [{ ...failedCall, times: 3, firstAt: at, lastAt: at }],
});
/** Account and recipient. */
const paidBefore = new Set<string>();
let knowsRecipients = true;
let beforeApproval: Promise<void> = Promise.resolve();
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

function requirePending(id: string): void {
  if (id !== pending.id) throw new DomainError('INVALID_STATE', 'a payout that is PAID cannot be canceled');
}

beforeAll(async () => {
  gateway = await startGateway([
    answering(cancelPayout, async (request) => {
      asked.push(request);
      requirePending(request.id);
      return { payout: changed({ status: 'REJECTED' }) };
    }),
    answering(settlePayout, async (request) => {
      asked.push(request);
      return { payout: changed({ status: 'PAID', returned: request.amount ?? 0 }) };
    }),
    answering(listOperatorPayouts, async (request) => {
      asked.push(request);
      return { payouts: [pending], nextCursor: null };
    }),
    answering(listPayouts, async ({ accountId, recipientDocument, status }) => {
      if (!knowsRecipients) throw new DomainError('SERVICE_UNAVAILABLE', 'not now');
      const wasPaid = paidBefore.has(`${accountId} ${recipientDocument}`) && status === 'PAID';
      return { payouts: wasPaid ? [pending] : [], nextCursor: null };
    }),
    answering(approvePayout, async ({ id, operator }) => {
      await beforeApproval;
      requirePending(id);
      return { before: pending, payout: changed({ status: 'PROCESSING', decidedBy: operator }) };
    }),
    answering(refusePayout, async ({ id, operator, reason }) => {
      requirePending(id);
      return { before: pending, payout: changed({ status: 'REJECTED', decidedBy: operator, decisionReason: reason }) };
    }),
    answering(getOperatorPayout, async ({ id }) => {
      const known = [pending, stuck].find((each) => each.id === id);
      if (!known) throw new NotFoundError('payout');
      return { payout: known };
    }),
    answering(resolvePayout, async (request) => {
      asked.push(request);
      const { outcome, operator: confirmedBy, evidence: confirmation } = request;
      const { approvalId, operator: proposedBy, evidence, at: proposedAt } = request.proposal!;
      const agreed = { approvalId, outcome, proposedBy, evidence, proposedAt, confirmedBy, confirmation };
      const payout = { ...stuck, status: 'PAID' as const, resolution: agreed };
      return { status: 'APPLIED' as const, before: stuck, payout };
    }),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const auditOf = async (target: string) => {
  const { body } = await gateway.asOperator('GET', '/ops/audit?limit=200');
  return body.data.filter((row) => row.target === target);
};

describe('a merchant', () => {
  test('cancels its own payout, and is answered 409 for one that is no longer PENDING', async () => {
    const canceled = await gateway.asMerchant(account.test, 'POST', `/v1/payouts/${pending.id}/cancel`);
    expect([canceled.status, canceled.body.payout]).toMatchObject([200, { id: pending.id, status: 'REJECTED' }]);
    expect(asked.at(-1)).toEqual({ environment: 'test', accountId: account.id, id: pending.id });
    const late = await gateway.asMerchant(account.test, 'POST', `/v1/payouts/${newId('payout')}/cancel`);
    expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await gateway.asMerchant(account.test, 'POST', '/v1/payouts/nonsense/cancel')).status).toBe(404);
  });

  test('settles a test payout, and never a live one', async () => {
    const path = `/v1/test/payouts/${pending.id}/settle`;
    const paid = await gateway.asMerchant(account.test, 'POST', path, { body: { result: 'paid' } });
    expect([paid.status, paid.body.payout]).toMatchObject([200, { id: pending.id, status: 'PAID' }]);
    const part = await gateway.asMerchant(account.test, 'POST', path, {
      body: { result: 'returned', amount_cents: 70 },
    });
    expect(part.body.payout).toMatchObject({ returned_cents: 70 });
    const live = await gateway.asMerchant(account.live, 'POST', path, { body: { result: 'paid' } });
    expect([live.status, live.body.error.code]).toEqual([403, 'TEST_ONLY']);
  });

  test.each<[object, string]>([
    [{}, 'result'],
    [{ result: 'lost' }, 'result'],
    [{ result: 'returned', amount_cents: 0 }, 'amount_cents'],
    [{ result: 'returned', amount_cents: '1' }, 'amount_cents'],
    [{ result: 'paid', amount_cents: 1 }, 'amount_cents'],
  ])('who settles with %j is refused by name', async (body, path) => {
    const answer = await gateway.asMerchant(account.test, 'POST', `/v1/test/payouts/${pending.id}/settle`, { body });
    expect([answer.status, answer.body.error.details.map(({ path: named }) => named)]).toEqual([400, [path]]);
  });
});

describe('an operator', () => {
  test('lists payouts of all accounts by status', async () => {
    const page = await gateway.asOperator('GET', '/ops/payouts?status=PENDING&attention=true&limit=7');
    expect([page.status, page.body]).toMatchObject([
      200,
      { data: [{ id: pending.id, account_id: pending.accountId, status: 'PENDING' }], next_cursor: null },
    ]);
    expect(asked.at(-1)).toEqual({ status: 'PENDING', attention: true, limit: 7 });
    expect((await gateway.asOperator('GET', '/ops/payouts?status=LOST')).status).toBe(400);
  });

  test('reads of a payout that waits whether its recipient is new to the account, and null where nobody can tell', async () => {
    const isNew = async ({ id }: OperatorPayout) =>
      (await gateway.asOperator('GET', `/ops/payouts/${id}`)).body.recipient_is_new;
    expect(await isNew(pending)).toBe(true);
    paidBefore.add(`${account.id} ${pending.recipient.document}`);
    expect(await isNew(pending)).toBe(true);
    paidBefore.add(`${pending.accountId} ${pending.recipient.document}`);
    expect(await isNew(pending)).toBe(false);
    knowsRecipients = false;
    expect([await isNew(pending), await isNew(stuck)]).toEqual([null, null]);
    knowsRecipients = true;
    expect(await isNew(stuck)).toBeNull();
  });

  test('approves and refuses, which the audit trail has with before and after', async () => {
    const headers = { authorization: `Bearer ${operatorTokens.bruno}`, 'x-request-id': 'the-decision' };
    const approved = await gateway.asOperator('POST', `/ops/payouts/${pending.id}/approve`, { headers });
    expect([approved.status, approved.body.payout]).toMatchObject([200, { status: 'PROCESSING', decided_by: 'bruno' }]);
    const body = { reason: 'the recipient is on a list' };
    const refused = await gateway.asOperator('POST', `/ops/payouts/${pending.id}/refuse`, { body });
    const decided = { status: 'REJECTED', decided_by: 'ana', decision_reason: body.reason };
    expect([refused.status, refused.body.payout]).toMatchObject([200, decided]);
    expect(await auditOf(pending.id)).toMatchObject([
      { operator: 'ana', action: 'payout.refuse', before: { status: 'PENDING' }, after: decided },
      {
        operator: 'bruno',
        action: 'payout.approve',
        before: { status: 'PENDING' },
        after: approved.body.payout,
        request_id: 'the-decision',
      },
    ]);
  });

  test('leaves the trace of what is wanted before anybody has answered', async () => {
    const { id } = pending;
    const answer = Promise.withResolvers<void>();
    beforeApproval = answer.promise;
    const deciding = gateway.asOperator('POST', `/ops/payouts/${id}/approve`);
    // The trace is there before the answer is: a process that ends now has lost nothing.
    await eventually(async () => expect((await auditOf(id))[0]).toMatchObject({ operator: 'ana', after: null }));
    answer.resolve();
    expect((await deciding).status).toBe(200);
    expect((await auditOf(id))[0]).toMatchObject({ action: 'payout.approve', after: { status: 'PROCESSING' } });
  });

  test('who is refused leaves no audit row', async () => {
    const other = newId('payout');
    expect((await gateway.asOperator('POST', `/ops/payouts/${other}/refuse`)).status).toBe(409);
    expect((await gateway.asOperator('POST', `/ops/payouts/${other}/approve`)).status).toBe(404);
    expect(await auditOf(other)).toEqual([]);
  });

  test('proposes a resolution with 202, which a second one who says the same has carried out', async () => {
    const path = `/ops/payouts/${stuck.id}/resolve`;
    const body = { outcome: 'paid', evidence: 'statement, line 7' };
    const proposed = await gateway.asOperator('POST', path, { body });
    expect([proposed.status, proposed.body]).toMatchObject([
      202,
      { status: 'PROPOSED', payout: { status: 'PROCESSING', resolution: { proposed_by: 'ana', confirmed_by: null } } },
    ]);
    const { approval } = proposed.body;
    expect(approval).toMatchObject({ kind: 'payout.resolve', target: stuck.id, state: 'PROPOSED', request: body });
    const again = await gateway.asOperator('POST', path, { body });
    expect([again.status, again.body.approval]).toEqual([202, approval]);
    const { body: read } = await gateway.asOperator('GET', `/ops/payouts/${stuck.id}`);
    expect(read.payout).toMatchObject({ resolution: { approval_id: approval.id, proposed_by: 'ana' } });
    const applied = await gateway.asSecond('POST', path, { body: { outcome: 'paid', evidence: 'seen too' } });
    expect([applied.status, applied.body]).toMatchObject([
      200,
      { status: 'APPLIED', payout: { status: 'PAID' }, approval: { id: approval.id, state: 'APPLIED' } },
    ]);
    expect(asked.at(-1)).toMatchObject({
      ...{ id: stuck.id, outcome: 'paid', operator: 'bruno', evidence: 'seen too' },
      proposal: { approvalId: approval.id, operator: 'ana', evidence: 'statement, line 7' },
    });
    expect((await auditOf(stuck.id)).slice(0, 2)).toMatchObject([
      { operator: 'bruno', action: 'payout.resolve' },
      { operator: 'ana', action: 'payout.propose-resolution' },
    ]);
  });

  test('who says another outcome proposes that instead: two who disagree resolve nothing', async () => {
    const path = `/ops/payouts/${stuck.id}/resolve`;
    const say = (outcome: string) => ({ body: { outcome, evidence: 'seen' } });
    const before = asked.length;
    const first = (await gateway.asOperator('POST', path, say('paid'))).body.approval;
    const second = await gateway.asSecond('POST', path, say('failed'));
    expect([second.status, second.body.approval]).toMatchObject([202, { proposed_by: 'bruno', state: 'PROPOSED' }]);
    const superseded = await gateway.asOperator('GET', `/ops/approvals/${first.id}`);
    expect(superseded.body.approval).toMatchObject({ state: 'REFUSED', decided_by: 'bruno' });
    expect((await gateway.asSecond('POST', `/ops/approvals/${first.id}/approve`)).status).toBe(409);
    expect(asked).toHaveLength(before);
    const agreed = await gateway.asOperator('POST', path, say('failed'));
    expect([agreed.status, asked.at(-1)]).toMatchObject([200, { outcome: 'failed', operator: 'ana' }]);
  });

  test.each<[object, string]>([
    [{ evidence: 'x' }, 'outcome'],
    [{ outcome: 'returned', evidence: 'x' }, 'outcome'],
    [{ outcome: 'paid' }, 'evidence'],
    [{ outcome: 'paid', evidence: '' }, 'evidence'],
    [{ outcome: 'paid', evidence: 'x'.repeat(2_001) }, 'evidence'],
  ])('who resolves with %j is refused by name', async (body, path) => {
    const answer = await gateway.asOperator('POST', `/ops/payouts/${pending.id}/resolve`, { body });
    expect([answer.status, answer.body.error.details.map(({ path: named }) => named)]).toEqual([400, [path]]);
  });
});

test('operators see what providers answered of a payout, and who has paid it besides', async () => {
  const { body } = await gateway.asOperator('GET', `/ops/payouts/${stuck.id}`);
  expect(body.payout).toMatchObject({
    ...{ attention_reason: 'paid_twice', also_paid_by: ['woovi'], provider_message: 'Sem saldo' },
    failed_calls: [{ ...failedCall, times: 3, first_at: at, last_at: at }],
  });
});
