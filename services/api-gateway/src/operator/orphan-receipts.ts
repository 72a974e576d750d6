import { z } from 'zod';
import { getReturn, listOrphanReceipts, lookUpReturn, retryOrphanReceipt } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import {
  orphanReceiptResourceSchema,
  orphanReceiptsQuerySchema,
  presentOrphanReceipt,
  recordAnswer,
  recordAnswerSchema,
  recordFilterOf,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';

/** The provider is asked, and then the ledger may have to book what it says. */
const lookUpTimeoutMs = 12_000;

const receiptLookUpSchema = z
  .object({
    before: orphanReceiptResourceSchema.describe('The receipt before the provider was asked.'),
    orphan_receipt: orphanReceiptResourceSchema.describe('The receipt as it is now.'),
  })
  .meta({ id: 'OrphanReceiptLookUp', description: 'What the provider says has become of the return of a receipt.' });

export const orphanReceiptEndpoints = [
  operatorList({
    path: '/ops/orphan-receipts',
    operation: 'listOrphanReceipts',
    permission: 'records:read',
    summary: 'List orphan receipts: money that belongs to no deposit and is returned to its payer, newest first',
    description:
      'Answers with money that came for a deposit which could not take it, newest first: it was canceled, or ' +
      'paid already. Each is sent back to its payer by itself.',
    query: orphanReceiptsQuerySchema,
    name: 'orphan-receipts',
    schema: orphanReceiptResourceSchema,
    page: async ({ query }, { bus }, page) => {
      const { status, state = status, deposit_id: depositId, attention } = query;
      const filter = { ...recordFilterOf(query), state, depositId, attention };
      const { receipts, nextCursor } = await callRpc(bus, listOrphanReceipts, { ...filter, ...page });
      return { data: receipts.map(presentOrphanReceipt), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/orphan-receipts/:id',
    operation: 'getOrphanReceipt',
    permission: 'records:read',
    summary: 'Read an orphan receipt',
    description: 'Answers with money that belongs to no deposit, and with what became of its return.',
    answers: { 200: recordAnswerSchema('orphan_receipt', orphanReceiptResourceSchema) },
    handle: async (call, { bus }) => {
      const found = await callRpc(bus, getReturn, { id: idIn(call, 'refund', 'orphan receipt') });
      if (found.kind !== 'orphan_receipt') throw new NotFoundError('orphan receipt');
      return { status: 200, body: recordAnswer('orphan_receipt', presentOrphanReceipt(found.record)) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/orphan-receipts/:id/look-up',
    operation: 'retryOrphanReceiptLookup',
    permission: 'operations:write',
    summary: 'Ask the provider of an orphan receipt what has become of its return now',
    description:
      'Asks the provider now, records what it answers, and answers with the receipt before and after it. Nothing is sent.',
    timeoutMs: lookUpTimeoutMs,
    answers: { 200: receiptLookUpSchema },
    refusals: ['PROVIDER_UNAVAILABLE'],
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'refund', 'orphan receipt');
      const change = { action: 'orphan-receipt.look-up', target: id } as const;
      const { before, after } = await auditAcross(database, actOf(call), change, async () => {
        const found = await callRpc(bus, lookUpReturn, { id, kind: 'orphan_receipt' });
        if (found.kind !== 'orphan_receipt') throw new NotFoundError('orphan receipt');
        return { before: presentOrphanReceipt(found.before), after: presentOrphanReceipt(found.after) };
      });
      return { status: 200, body: { before, orphan_receipt: after } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/orphan-receipts/:id/retry',
    operation: 'retryOrphanReceipt',
    permission: 'operations:write',
    summary: 'Retry the return of an orphan receipt that a provider refused',
    description: 'Asks the provider again to send the money back, after it had refused to.',
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
