import { z } from 'zod';
import { idSchema } from '@gateway/money';
import {
  adjustmentRequestSchema,
  adjustmentResourceSchema,
  adjustmentStatusSchema,
  approvalAnswerSchema,
  decisionRequestSchema,
  pageQuery,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { approve, endProposal } from '#src/approvals/decide-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { readAdjustments } from '#src/operator/read-page.ts';
import { presentAdjustment } from '#src/proposals/adjustment.ts';
import { approvalOf, proposeAdjustment, readAdjustment } from '#src/proposals/propose-adjustment.ts';

const adjustmentsQuerySchema = z.strictObject({
  ...pageQuery('adjustment'),
  status: adjustmentStatusSchema.optional().describe('Only adjustments in this state.'),
  account_id: idSchema('account').optional().describe('Only adjustments of this account.'),
});

const withApprovalSchema = adjustmentResourceSchema
  .extend(approvalAnswerSchema.shape)
  .meta({ id: 'AdjustmentWithApproval', description: 'An adjustment, and the approval that it takes.' });

export const adjustmentEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments',
    operation: 'createAdjustment',
    permission: 'money:propose',
    summary: 'Propose a correction of a balance, for another operator to approve',
    description:
      'Proposes to change the available balance of an account; nothing moves before another operator approves ' +
      'it. `external_id` is the key of repetition: a second call with it answers 200 with the existing ' +
      'adjustment.',
    body: adjustmentRequestSchema,
    example: {
      account_id: 'acc_01k9z3m4v6t8x0a2c4e6g8jk01',
      environment: 'test',
      currency: 'BRL',
      amount_cents: -250,
      reason: 'a charge was credited twice',
      external_id: 'case-77',
    },
    answers: { 201: withApprovalSchema, 200: withApprovalSchema },
    handle: async (call, { database }) => {
      const { created, adjustment, approval } = await proposeAdjustment(database, actOf(call), call.body);
      return { status: created ? 201 : 200, body: { ...adjustment, approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments/:id/approve',
    operation: 'approveAdjustment',
    permission: 'money:decide',
    summary: 'Approve an adjustment that another operator proposed, by the id of the adjustment',
    description:
      'Carries out an adjustment that another operator proposed. It is the same as approving its `approval` by ' +
      'the id of that.',
    timeoutMs: 10_000,
    answers: { 200: withApprovalSchema },
    handle: async (call, services) => {
      const { id } = await approvalOf(services.database, idIn(call, 'adjustment'));
      const { approval } = await approve(services, actOf(call), { id, reason: null });
      return { status: 200, body: { ...approval.outcome, approval: presentApproval(approval) } };
    },
  }),
  ending('refuse', 'Refuse an adjustment that another operator proposed, by the id of the adjustment'),
  ending('withdraw', 'Withdraw an adjustment of your own, by the id of the adjustment'),
  operatorList({
    path: '/ops/adjustments',
    operation: 'listAdjustments',
    permission: 'records:read',
    summary: 'List adjustments, newest first',
    description: 'Answers with the adjustments of all accounts, newest first, whatever became of them.',
    query: adjustmentsQuerySchema,
    name: 'adjustments',
    schema: adjustmentResourceSchema,
    page: async ({ query }, { database }, page) => {
      const { rows, nextCursor } = await readAdjustments(database, { ...query, ...page });
      return { data: rows.map(presentAdjustment), nextCursor };
    },
  }),
];

function ending(wanted: 'refuse' | 'withdraw', summary: string) {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/adjustments/:id/${wanted}`,
    operation: `${wanted}Adjustment`,
    permission: wanted === 'refuse' ? 'money:decide' : 'money:propose',
    summary,
    description:
      'Ends the proposal without carrying it out; nothing moves. The reason is kept for the other operators.',
    body: decisionRequestSchema,
    bodyOptional: true,
    example: { reason: 'the amount is wrong' },
    answers: { 200: withApprovalSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const adjustmentId = idIn(call, 'adjustment');
      const { id } = await approvalOf(services.database, adjustmentId);
      const decision = { id, reason: call.body?.reason ?? null };
      const approval = await endProposal(services, actOf(call), decision, wanted);
      const adjustment = await readAdjustment(services.database, adjustmentId);
      return { status: 200, body: { ...adjustment, approval: presentApproval(approval) } };
    },
  });
}
