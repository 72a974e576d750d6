import { z } from 'zod';
import { idSchema } from '@gateway/money';
import {
  adjustmentRequestSchema,
  adjustmentResourceSchema,
  adjustmentStatusSchema,
  approvalAnswerSchema,
  decisionRequestSchema,
  pageOf,
  pageQuery,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { approve, endProposal } from '#src/approvals/decide-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readAdjustments } from '#src/operator/read-page.ts';
import { presentAdjustment } from '#src/proposals/adjustment.ts';
import { approvalOf, proposeAdjustment, readAdjustment } from '#src/proposals/propose-adjustment.ts';

const adjustmentsQuerySchema = z.strictObject({
  ...pageQuery('adjustment'),
  status: adjustmentStatusSchema.optional(),
  account_id: idSchema('account').optional(),
});

const withApprovalSchema = adjustmentResourceSchema.extend(approvalAnswerSchema.shape);

export const adjustmentEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments',
    summary: 'Propose a correction of a balance, for another operator to approve',
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
    summary: 'Approve an adjustment that another operator proposed, by the id of the adjustment',
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
  operatorEndpoint({
    method: 'GET',
    path: '/ops/adjustments',
    summary: 'List adjustments, newest first',
    query: adjustmentsQuerySchema,
    answers: { 200: pageOf(adjustmentResourceSchema) },
    handle: async ({ query }, { database }) => {
      const { rows, nextCursor } = await readAdjustments(database, query);
      return { status: 200, body: { data: rows.map(presentAdjustment), next_cursor: nextCursor } };
    },
  }),
];

function ending(wanted: 'refuse' | 'withdraw', summary: string) {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/adjustments/:id/${wanted}`,
    summary,
    body: decisionRequestSchema,
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
