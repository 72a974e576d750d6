import { z } from 'zod';
import {
  confirmEvidence,
  getOperatorDispute,
  getReturn,
  listOperatorDisputes,
  listOperatorRefunds,
  lookUpReturn,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  enterDisputeRequestSchema,
  operatorDisputeResourceSchema,
  operatorDisputesQuerySchema,
  operatorRefundResourceSchema,
  operatorRefundsQuerySchema,
  presentOperatorDispute,
  presentOperatorRefund,
  recordAnswer,
  recordAnswerSchema,
  recordFilterOf,
  secondsOfPeriod,
  resolveContradictionRequestSchema,
  resolveRefundRequestSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeDispute } from '#src/proposals/enter-dispute.ts';
import { proposeDisputeResolution } from '#src/proposals/resolve-dispute.ts';
import { proposeResolution } from '#src/proposals/resolve-refund.ts';

/** The provider is asked, and then the ledger may have to book what it says. */
const lookUpTimeoutMs = 12_000;

const refundLookUpSchema = z
  .object({
    before: operatorRefundResourceSchema.describe('The refund before the provider was asked.'),
    refund: operatorRefundResourceSchema.describe('The refund as it is now.'),
  })
  .meta({ id: 'RefundLookUp', description: 'What the provider says has become of a refund.' });

export const refundAndDisputeEndpoints = [
  operatorList({
    path: '/ops/refunds',
    operation: 'listRefunds',
    permission: 'records:read',
    summary: 'List the refunds of all accounts, newest first',
    description:
      'Answers with the refunds of all accounts, newest first; `attention=true` finds those that cannot go on by ' +
      'themselves.',
    query: operatorRefundsQuerySchema,
    name: 'refunds',
    schema: operatorRefundResourceSchema,
    page: async ({ query }, { bus }, page) => {
      const { status, deposit_id: depositId, attention } = query;
      const filter = { ...recordFilterOf(query), status, depositId, attention };
      const { refunds, nextCursor } = await callRpc(bus, listOperatorRefunds, { ...filter, ...page });
      return { data: refunds.map(presentOperatorRefund), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/refunds/:id',
    operation: 'getRefund',
    permission: 'records:read',
    summary: 'Read a refund of any account',
    description:
      'Answers with a refund of any account, its provider, the references there, and what operators decided about it.',
    answers: { 200: recordAnswerSchema('refund', operatorRefundResourceSchema) },
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getReturn, { id: idIn(call, 'refund') });
      if (found.kind !== 'refund') throw new NotFoundError('refund');
      return { status: 200, body: recordAnswer('refund', presentOperatorRefund(found.record)) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/refunds/:id/look-up',
    operation: 'retryRefundLookup',
    permission: 'operations:write',
    summary: 'Ask the provider of a refund what has become of it now',
    description:
      'Asks the provider now, records what it answers, and answers with the refund before and after it. Nothing is sent.',
    timeoutMs: lookUpTimeoutMs,
    answers: { 200: refundLookUpSchema },
    refusals: ['PROVIDER_UNAVAILABLE'],
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'refund');
      const change = { action: 'refund.look-up', target: id } as const;
      const { before, after } = await auditAcross(database, actOf(call), change, async () => {
        const found = await callRpc(bus, lookUpReturn, { id, kind: 'refund' });
        if (found.kind !== 'refund') throw new NotFoundError('refund');
        return { before: presentOperatorRefund(found.before), after: presentOperatorRefund(found.after) };
      });
      return { status: 200, body: { before, refund: after } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/refunds/:id/resolve',
    operation: 'resolveRefund',
    permission: ['money:propose', 'money:decide'],
    summary: 'Propose the outcome of a refund, or of the return of an orphan receipt, for another operator to approve',
    description:
      'States what became of money whose provider does not say so. Nothing changes before another operator ' +
      'approves it; then the refund is done, or failed and credited back. Its `outcomes` are what can be stated.',
    refusals: ['INVALID_STATE'],
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
  operatorList({
    path: '/ops/disputes',
    operation: 'listDisputes',
    permission: 'records:read',
    summary: 'List the disputes of all accounts, newest first',
    description:
      'Answers with the disputes of all accounts, newest first; `attention=true` finds those that cannot go on ' +
      'by themselves.',
    query: operatorDisputesQuerySchema,
    name: 'disputes',
    schema: operatorDisputeResourceSchema,
    reads: 'dispute.list',
    page: async ({ query }, { bus }, page) => {
      const { status, deposit_id: depositId, due_before: due, zone, attention } = query;
      const { from: dueBefore } = secondsOfPeriod({ from: due, zone });
      const filter = { ...recordFilterOf(query), status, depositId, dueBefore, attention };
      const { disputes, nextCursor } = await callRpc(bus, listOperatorDisputes, { ...filter, ...page });
      return { data: disputes.map(presentOperatorDispute), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes',
    operation: 'createDispute',
    permission: ['money:propose', 'money:decide'],
    summary: 'Propose to enter a dispute that its provider reports over no interface, for another operator to approve',
    description:
      'A provider without a list of disputes reports them by letter. Nothing is blocked before another operator approves ' +
      'it; then the dispute blocks the money, has a deadline and is answered as any other. The same `dispute_ref` of a ' +
      'provider is entered once.',
    refusals: ['NOT_FOUND', 'INVALID_STATE'],
    body: enterDisputeRequestSchema,
    example: {
      deposit_id: 'dep_01k9z3m4v6t8x0a2c4e6g8jk01',
      amount_cents: 1_990,
      reason: 'FRAUD',
      dispute_ref: 'MED-2026-118',
      opened_at: '2026-01-05T09:00:00.000Z',
      defense_due_at: '2026-01-12T02:59:59.000Z',
      evidence: 'Letter of the bank of 5 January.',
    },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const approval = await proposeDispute({ database, bus }, actOf(call), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/disputes/:id',
    operation: 'getDispute',
    permission: 'records:read',
    summary: 'Read a dispute of any account, with its evidence and what the provider made of it',
    description: 'Answers with a dispute of any account, the evidence, and what the provider decided.',
    answers: { 200: recordAnswerSchema('dispute', operatorDisputeResourceSchema) },
    reads: 'dispute.read',
    handle: async (call, { bus }) => {
      const { dispute } = await callRpc(bus, getOperatorDispute, { id: idIn(call, 'dispute') });
      return { status: 200, body: recordAnswer('dispute', presentOperatorDispute(dispute)) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/resolve',
    operation: 'resolveDispute',
    permission: ['money:propose', 'money:decide'],
    summary: 'Propose the outcome of a dispute whose provider does not report it, for another operator to approve',
    description:
      'States how a dispute ended of which its provider says contradictory things, or that was entered by hand. Its ' +
      '`outcomes` are what can be stated. Nothing changes before another operator approves it.',
    refusals: ['INVALID_STATE'],
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
    operation: 'confirmDisputeEvidence',
    permission: 'operations:write',
    summary: 'Record that the evidence of a dispute was submitted to its provider by hand',
    description:
      'Records that an operator handed the evidence to a provider whose interface does not take it, so that the ' +
      'dispute does not ask for it any more.',
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
