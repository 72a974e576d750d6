import {
  confirmEvidence,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  retryOrphanReceipt,
} from '@gateway/contracts/deposits';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  operatorDisputeResourceSchema,
  operatorDisputesQuerySchema,
  operatorRefundResourceSchema,
  operatorRefundsQuerySchema,
  orphanReceiptResourceSchema,
  orphanReceiptsQuerySchema,
  pageOf,
  presentOperatorDispute,
  presentOperatorRefund,
  presentOrphanReceipt,
  resolveContradictionRequestSchema,
  resolveRefundRequestSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { proposeDisputeResolution } from '#src/proposals/resolve-dispute.ts';
import { proposeResolution } from '#src/proposals/resolve-refund.ts';

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
    summary: 'Propose the outcome of a refund, or of the return of an orphan receipt, for another operator to approve',
    body: resolveRefundRequestSchema,
    example: {
      outcome: 'done',
      evidence: 'Statement of the provider, line 17.',
      return_id: 'D12345678202601051004abcdef12345',
    },
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
    summary: 'Propose the outcome of a dispute whose provider contradicts itself, for another operator to approve',
    body: resolveContradictionRequestSchema,
    example: { outcome: 'lost', evidence: 'Letter of the provider of 3 January.' },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const approval = await proposeDisputeResolution({ database, bus }, actOf(call), idIn(call, 'dispute'), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/confirm-evidence',
    summary: 'Record that the evidence of a dispute was submitted to its provider by hand',
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

export const orphanReceiptEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/orphan-receipts',
    summary: 'List orphan receipts: money that belongs to no deposit and is returned to its payer, newest first',
    query: orphanReceiptsQuerySchema,
    answers: { 200: pageOf(orphanReceiptResourceSchema) },
    handle: async ({ query: { deposit_id: depositId, ...query } }, { bus }) => {
      const { receipts, nextCursor } = await callRpc(bus, listOrphanReceipts, { ...query, depositId });
      return { status: 200, body: { data: receipts.map(presentOrphanReceipt), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/orphan-receipts/:id/retry',
    summary: 'Retry the return of an orphan receipt that a provider refused',
    answers: { 200: orphanReceiptResourceSchema },
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'refund', 'orphan receipt');
      const change = { action: 'orphan-receipt.retry', target: id } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, receipt } = await callRpc(bus, retryOrphanReceipt, { id });
        return { before: presentOrphanReceipt(before), after: presentOrphanReceipt(receipt) };
      });
      return { status: 200, body: after };
    },
  }),
];
