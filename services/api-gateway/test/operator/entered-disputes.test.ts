import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enterDispute, findContestedPayment } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { contestedBy, letterOf, operatorDisputeOf } from '../harness/returned-money.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let dispute: ReturnType<typeof operatorDisputeOf>;
const found: RequestOf<typeof findContestedPayment>[] = [];
const entered: RequestOf<typeof enterDispute>[] = [];
let refusal: DomainError | undefined;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(findContestedPayment, async (request) => {
      found.push(request);
      if (![request.depositId, request.e2eId].some((id) => id === dispute.depositId || id === dispute.e2eId))
        throw new NotFoundError('deposit');
      return contestedBy(dispute);
    }),
    answering(enterDispute, async (request) => {
      entered.push(request);
      if (refusal) throw refusal;
      return { dispute };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  [found.length, entered.length, refusal] = [0, 0, undefined];
  dispute = operatorDisputeOf({ provider: 'sicredi', disputeRef: newId('request'), e2eId: newId('event') });
});

const enter = (changes: object = {}) =>
  gateway.asOperator('POST', '/ops/disputes', {
    body: { ...letterOf(dispute), deposit_id: dispute.depositId, ...changes },
  });

test('a dispute by letter is proposed by one operator, and entered once another approves it, as it was shown', async () => {
  const { status, body } = await enter();
  expect(status).toBe(202);
  const { id: approvalId, request } = body.approval;
  expect(body.approval).toMatchObject({ kind: 'dispute.enter', target: dispute.depositId, state: 'PROPOSED' });
  expect(request).toMatchObject({ provider: 'sicredi', e2e_id: dispute.e2eId, currency: 'BRL', amount_cents: 500 });
  expect(entered).toEqual([]);
  const alone = await gateway.asOperator('POST', `/ops/approvals/${approvalId}/approve`);
  expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
  const approved = await gateway.asSecond('POST', `/ops/approvals/${approvalId}/approve`);
  expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { id: dispute.id, status: 'OPEN' } });
  expect(entered).toEqual([
    {
      ...{ environment: 'live', depositId: dispute.depositId, e2eId: dispute.e2eId, amount: 500, reason: 'FRAUD' },
      ...{ disputeRef: dispute.disputeRef, openedAt: '2025-01-02T10:00:00.000Z', dueAt: '2025-01-09T13:00:00.000Z' },
      ...{ evidence: 'letter 12', approvalId, proposedBy: 'ana', approvedBy: 'bruno' },
    },
  ]);
  const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${dispute.id}`);
  expect(trail.data).toMatchObject([{ operator: 'bruno', action: 'dispute.enter', before: null }]);
});

test('the payment is found by its end-to-end id alone, in the environment that is asked for', async () => {
  const byE2e = { deposit_id: undefined, e2e_id: dispute.e2eId };
  expect((await enter({ ...byE2e, environment: undefined })).status).toBe(202);
  expect(found).toMatchObject([{ environment: 'live', e2eId: dispute.e2eId }]);
  expect((await enter({ deposit_id: newId('deposit') })).status).toBe(404);
});

test('the same dispute is not proposed twice while one waits', async () => {
  const { body } = await enter();
  const again = await enter();
  expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect(again.body.error.message).toContain(body.approval.id);
  await gateway.asOperator('POST', `/ops/approvals/${body.approval.id}/withdraw`);
  expect((await enter()).status).toBe(202);
});

test('what is refused when it is carried out has failed, and nothing was entered', async () => {
  const { body } = await enter();
  refusal = new DomainError('INVALID_STATE', 'a dispute of this payment is on record');
  const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
  expect([approved.status, approved.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const { body: shown } = await gateway.asOperator('GET', `/ops/approvals/${body.approval.id}`);
  expect(shown.approval).toMatchObject({ state: 'FAILED', failure: { code: 'INVALID_STATE' } });
});

test.each([
  ['deposit_id', { deposit_id: undefined }],
  ['amount_cents', { amount_cents: 0 }],
  ['dispute_ref', { dispute_ref: 'x'.repeat(65) }],
  ['evidence', { evidence: '' }],
  ['opened_at', { opened_at: '2025-01-02' }],
  ['opened_at', { opened_at: '2999-01-02T10:00:00Z', defense_due_at: null }],
  ['defense_due_at', { defense_due_at: '2025-01-02T10:00:00.000Z' }],
] as const)('a letter with a wrong %s is refused by its name', async (path, changes) => {
  const { status, body } = await enter(changes);
  expect(status).toBe(400);
  expect(body.error.details).toMatchObject([{ path }]);
  expect(found).toEqual([]);
});
