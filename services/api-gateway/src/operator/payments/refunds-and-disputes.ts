import { confirmEvidence, listOperatorDisputes, listOperatorRefunds } from '@gateway/contracts/deposits';
import {
  approvalAnswerSchema,
  operatorDisputeResourceSchema,
  operatorDisputesQuerySchema,
  operatorRefundResourceSchema,
  operatorRefundsQuerySchema,
  pageOf,
  presentOperatorDispute,
  presentOperatorRefund,
  resolveContradictionRequestSchema,
  resolveRefundRequestSchema,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { presentApproval } from '#src/approvals/present-approval.ts';
import { proposeDisputeResolution } from '#src/operator/payments/resolve-dispute.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { auditAcross } from '#src/approvals/audit-across.ts';
import { proposeResolution } from '#src/operator/payments/resolve-refund.ts';

export const refundAndDisputeEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/refunds',
    summary: 'List the refunds of all accounts, newest first',
    query: operatorRefundsQuerySchema,
    answers: { 200: pageOf(operatorRefundResourceSchema) },
    handle: async ({ query: { account_id: accountId, ...query } }, { bus }) => {
      const { refunds, nextCursor } = await callRpc(bus, listOperatorRefunds, { ...query, accountId });
      return { status: 200, body: { data: refunds.map(presentOperatorRefund), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/refunds/:id/resolve',
    summary: 'Propose what has become of a refund, or of a receipt of nobody, for another operator to approve',
    body: resolveRefundRequestSchema,
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const approval = await proposeResolution({ database, bus }, actOf(call), idIn(call, 'refund'), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/disputes',
    summary: 'List the disputes of all accounts, newest first',
    query: operatorDisputesQuerySchema,
    answers: { 200: pageOf(operatorDisputeResourceSchema) },
    handle: async ({ query: { account_id: accountId, ...query } }, { bus }) => {
      const { disputes, nextCursor } = await callRpc(bus, listOperatorDisputes, { ...query, accountId });
      return { status: 200, body: { data: disputes.map(presentOperatorDispute), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/resolve',
    summary: 'Propose what a dispute came to whose provider contradicts itself, for another operator to approve',
    body: resolveContradictionRequestSchema,
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const approval = await proposeDisputeResolution({ database, bus }, actOf(call), idIn(call, 'dispute'), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/confirm-evidence',
    summary: 'Note that the evidence of a dispute was handed to its provider by hand',
    answers: { 200: operatorDisputeResourceSchema },
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'dispute');
      const change = { action: 'dispute.confirm-evidence', target: id } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, dispute } = await callRpc(bus, confirmEvidence, { id });
        return { before: presentOperatorDispute(before), after: presentOperatorDispute(dispute) };
      });
      return { status: 200, body: after };
    },
  }),
];
