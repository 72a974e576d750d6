import { z } from 'zod';
import { idSchema } from '@gateway/money';
import {
  adjustmentRequestSchema,
  adjustmentResourceSchema,
  adjustmentStatusSchema,
  approvalAnswerSchema,
  pageOf,
  pageQuery,
} from '@gateway/public-api';
import { presentAdjustment } from '#src/adjustments/adjustment-entity.ts';
import { approvalOf, proposeAdjustment } from '#src/adjustments/propose-adjustment.ts';
import { approve } from '#src/approvals/decide-approval.ts';
import { presentApproval } from '#src/approvals/present-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readAdjustments } from '#src/operator/read-page.ts';

const adjustmentsQuerySchema = z.object({
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
    answers: { 201: withApprovalSchema, 200: withApprovalSchema },
    handle: async (call, { database }) => {
      const { created, adjustment, approval } = await proposeAdjustment(database, actOf(call), call.body);
      return { status: created ? 201 : 200, body: { ...adjustment, approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments/:id/approve',
    summary: 'Carry out what another operator proposed: the approval of the adjustment, by its own id',
    timeoutMs: 10_000,
    answers: { 200: withApprovalSchema },
    handle: async (call, services) => {
      const { id } = await approvalOf(services.database, idIn(call, 'adjustment'));
      const { approval } = await approve(services, actOf(call), { id, reason: null });
      return { status: 200, body: { ...approval.outcome, approval: presentApproval(approval) } };
    },
  }),
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
