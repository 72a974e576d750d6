import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  getOperatorDispute,
  getReturn,
  listOperatorDisputes,
  listOperatorRefunds,
  resolveDispute,
  resolveRefund,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { contradicted, operatorDisputeOf, operatorRefundOf } from '../harness/returned-money.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const attentionAt = '2026-01-02T11:00:00.000Z';
const refund = operatorRefundOf({
  status: 'PROCESSING',
  failureReason: 'rejected_by_bank',
  failureMessage: 'recusada',
  attentionAt,
  attention: 'overdue',
});
const dispute = operatorDisputeOf({ ...contradicted, attentionAt });
const decided = operatorDisputeOf({ status: 'WON', verdict: 'won', outcomes: [] });
const booking = operatorRefundOf({ status: 'PROCESSING', outcomes: [] });
const disputeResolutions: RequestOf<typeof resolveDispute>[] = [];
const resolutions: RequestOf<typeof resolveRefund>[] = [];
const asked: unknown[] = [];
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(getReturn, async ({ id }) => {
      const record = [refund, booking].find((each) => each.id === id);
      if (!record) throw new NotFoundError('refund');
      return { kind: 'refund' as const, record };
    }),
    answering(resolveRefund, async (request) => {
      resolutions.push(request);
      const after = { ...refund, status: 'DONE' as const, attentionAt: null, attention: null };
      return { kind: 'refund' as const, before: refund, after };
    }),
    answering(getOperatorDispute, async ({ id }) => {
      const found = [dispute, decided].find((each) => each.id === id);
      if (!found) throw new NotFoundError('dispute');
      return { dispute: found };
    }),
    answering(resolveDispute, async (request) => {
      disputeResolutions.push(request);
      const after = { ...dispute, status: 'WON' as const, attentionAt: null, attention: null };
      return { before: dispute, after };
    }),
    answering(listOperatorRefunds, async (request) => {
      asked.push(request);
      return { refunds: [refund], nextCursor: null };
    }),
    answering(listOperatorDisputes, async (request) => {
      asked.push(request);
      return { disputes: [], nextCursor: null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const body = { outcome: 'done', evidence: 'statement, line 12', return_id: 'D1' };
const propose = (id = refund.id, given: object = body) =>
  gateway.asOperator('POST', `/ops/refunds/${id}/resolve`, { body: given });

describe('what became of a refund nobody knows about', () => {
  test('is proposed by one operator and carried out when another approves it, under the names of both', async () => {
    const { status, body: answer } = await propose();
    expect(status).toBe(202);
    const { approval } = answer;
    expect(approval).toMatchObject({
      kind: 'refund.resolve',
      target: refund.id,
      state: 'PROPOSED',
      proposed_by: 'ana',
    });
    expect(resolutions).toEqual([]);
    const alone = await gateway.asOperator('POST', `/ops/approvals/${approval.id}/approve`);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    const approved = await gateway.asSecond('POST', `/ops/approvals/${approval.id}/approve`);
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { id: refund.id, status: 'DONE' } });
    expect(resolutions).toEqual([
      {
        ...{ id: refund.id, outcome: 'done', evidence: 'statement, line 12', returnId: 'D1' },
        ...{ proposedBy: 'ana', approvedBy: 'bruno', approvalId: approval.id },
        proposal: { at: expect.stringMatching(/Z$/) as string, status: 'PROCESSING' },
      },
    ]);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${refund.id}`);
    expect(trail.data).toMatchObject([{ operator: 'bruno', action: 'refund.resolve' }]);
  });

  test.each(['done', 'failed'])('is not proposed as %s while the ledger carries a step out', async (outcome) => {
    const { status, body: answer } = await propose(booking.id, { outcome, evidence: 'x' });
    expect([status, answer.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(answer.error.message).toContain('nothing can be stated at the moment');
  });

  test('needs an outcome and its evidence, and a refund', async () => {
    expect((await propose(refund.id, { outcome: 'lost', evidence: 'x' })).status).toBe(400);
    expect((await propose(refund.id, { outcome: 'done' })).status).toBe(400);
    expect((await propose(newId('refund'))).status).toBe(404);
  });
});

describe('what a dispute came to whose provider contradicts itself', () => {
  const proposeFor = (id: string, given: object) =>
    gateway.asOperator('POST', `/ops/disputes/${id}/resolve`, { body: given });

  test('is proposed by one operator and carried out when another approves it, under the approval', async () => {
    const { status, body: answer } = await proposeFor(dispute.id, { outcome: 'won', evidence: 'letter of May' });
    expect(status).toBe(202);
    const { id: approvalId } = answer.approval;
    const alone = await gateway.asOperator('POST', `/ops/approvals/${approvalId}/approve`);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(disputeResolutions).toEqual([]);
    const approved = await gateway.asSecond('POST', `/ops/approvals/${approvalId}/approve`);
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { id: dispute.id, status: 'WON' } });
    const result = { outcome: 'won', evidence: 'letter of May', lostAmount: null };
    const two = { proposedBy: 'ana', approvedBy: 'bruno', proposedAt: expect.stringMatching(/Z$/) as string };
    expect(disputeResolutions).toEqual([{ id: dispute.id, approvalId, ...result, ...two }]);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${dispute.id}`);
    expect(trail.data).toMatchObject([
      { operator: 'bruno', action: 'dispute.resolve', before: { status: 'LOST' }, after: { status: 'WON' } },
    ]);
  });

  test('is not proposed where it would be refused once it is approved', async () => {
    const { status, body: answer } = await proposeFor(decided.id, { outcome: 'won', evidence: 'x' });
    expect([status, answer.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(answer.error.message).toContain('nothing can be stated at the moment');
  });

  test('needs an outcome and its evidence, and a dispute', async () => {
    expect((await proposeFor(dispute.id, { outcome: 'draw', evidence: 'x' })).status).toBe(400);
    expect((await proposeFor(dispute.id, { outcome: 'lost', evidence: 'x', lost_cents: -1 })).status).toBe(400);
    expect((await proposeFor(dispute.id, { outcome: 'won' })).status).toBe(400);
    expect((await proposeFor(newId('dispute'), { outcome: 'won', evidence: 'x' })).status).toBe(404);
  });
});

test('operators list the refunds and disputes of all accounts that need them', async () => {
  const { accountId: account_id } = refund;
  const wanted = `attention=true&account_id=${account_id}&limit=5`;
  const refunds = await gateway.asOperator('GET', `/ops/refunds?status=PROCESSING&${wanted}`);
  expect(refunds.body.data).toMatchObject([{ id: refund.id, account_id, attention: 'overdue', amount_cents: 500 }]);
  // Our words beside those of the provider, which the merchant does not see.
  const words = { failure_message: "The receiver's bank declined the payment.", provider_message: 'recusada' };
  expect(refunds.body.data).toMatchObject([words]);
  expect((await gateway.asOperator('GET', `/ops/disputes?status=OPEN&${wanted}`)).body.data).toEqual([]);
  const shared = { accountId: account_id, attention: true, limit: 5 };
  expect(asked).toEqual([
    { ...shared, status: 'PROCESSING' },
    { ...shared, status: 'OPEN' },
  ]);
});

describe('one proposal about a record is open at a time', () => {
  const evidence = 'letter of June';
  const paths = [`/ops/refunds/${refund.id}/resolve`, `/ops/disputes/${dispute.id}/resolve`];
  const bodies = [
    { outcome: 'done', evidence, return_id: 'D1' },
    { outcome: 'won', evidence },
  ];

  test.each([0, 1])(
    'also where two operators propose at the same moment: the other is named the first (%s)',
    async (at) => {
      const [path = '', given] = [paths[at], bodies[at]];
      const answers = await Promise.all([
        gateway.asOperator('POST', path, { body: given }),
        gateway.asSecond('POST', path, { body: given }),
        gateway.asOperator('POST', path, { body: given }),
      ]);
      const made = answers.filter(({ status }) => status === 202).map((answer) => answer.body.approval.id);
      expect(made).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409).map((answer) => answer.body.error);
      expect(refused).toHaveLength(2);
      for (const { code, message } of refused)
        expect([code, message]).toEqual(['INVALID_STATE', expect.stringContaining(made[0]!)]);
      const open = (await gateway.asOperator('GET', `/ops/approvals/${made[0]}`)).body.approval;
      const by = open.proposed_by === 'ana' ? gateway.asSecond : gateway.asOperator;
      expect((await by('POST', `/ops/approvals/${made[0]}/refuse`, { body: { reason: 'not so' } })).status).toBe(200);
      const next = await gateway.asOperator('POST', path, { body: given });
      expect(next.status).toBe(202);
      await gateway.asSecond('POST', `/ops/approvals/${next.body.approval.id}/refuse`, { body: { reason: 'not so' } });
    },
  );
});
