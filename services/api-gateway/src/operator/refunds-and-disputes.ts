import { z } from 'zod';
import {
  confirmEvidence,
  getOperatorDispute,
  getReturn,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  retryOrphanReceipt,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
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
  recordFilterOf,
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
    handle: async ({ query }, { bus }) => {
      const { limit, cursor, status, deposit_id: depositId, attention } = query;
      const request = { limit, cursor, ...recordFilterOf(query), status, depositId, attention };
      const { refunds, nextCursor } = await callRpc(bus, listOperatorRefunds, request);
      return { status: 200, body: { data: refunds.map(presentOperatorRefund), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/refunds/:id',
    summary: 'Read a refund of any account',
    answers: { 200: z.object({ refund: operatorRefundResourceSchema }) },
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getReturn, { id: idIn(call, 'refund') });
      if (found.kind !== 'refund') throw new NotFoundError('refund');
      return { status: 200, body: { refund: presentOperatorRefund(found.record) } };
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
    handle: async ({ query }, { bus }) => {
      const { limit, cursor, status, deposit_id: depositId, due_before: dueBefore, attention } = query;
      const request = { limit, cursor, ...recordFilterOf(query), status, depositId, dueBefore, attention };
      const { disputes, nextCursor } = await callRpc(bus, listOperatorDisputes, request);
      return { status: 200, body: { data: disputes.map(presentOperatorDispute), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/disputes/:id',
    summary: 'Read a dispute of any account, with its evidence and what the provider made of it',
    answers: { 200: z.object({ dispute: operatorDisputeResourceSchema }) },
    handle: async (call, { bus }) => {
      const { dispute } = await callRpc(bus, getOperatorDispute, { id: idIn(call, 'dispute') });
      return { status: 200, body: { dispute: presentOperatorDispute(dispute) } };
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
    handle: async ({ query }, { bus }) => {
      const { limit, cursor, state, deposit_id: depositId, attention } = query;
      const { externalId: _externalId, ...filter } = recordFilterOf(query);
      const request = { limit, cursor, ...filter, state, depositId, attention };
      const { receipts, nextCursor } = await callRpc(bus, listOrphanReceipts, request);
      return { status: 200, body: { data: receipts.map(presentOrphanReceipt), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/orphan-receipts/:id',
    summary: 'Read an orphan receipt',
    answers: { 200: z.object({ orphan_receipt: orphanReceiptResourceSchema }) },
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getReturn, { id: idIn(call, 'refund', 'orphan receipt') });
      if (found.kind !== 'orphan_receipt') throw new NotFoundError('orphan receipt');
      return { status: 200, body: { orphan_receipt: presentOrphanReceipt(found.record) } };
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
