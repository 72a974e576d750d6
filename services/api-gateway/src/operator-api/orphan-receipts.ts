import {
  listOrphanReceipts,
  orphanReceiptResourceSchema,
  orphanReceiptsQuerySchema,
  pageOf,
  presentOrphanReceipt,
  retryOrphanReceipt,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';
import { recordAudit } from '#src/operators/record-audit.ts';

export const orphanReceiptEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/orphan-receipts',
    summary: 'List money that belongs to no deposit and goes back to its payer, newest first',
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
    summary: 'Send back again what a provider would not send back',
    answers: { 200: orphanReceiptResourceSchema },
    handle: async (call, { bus, database }) => {
      const { id = '' } = call.params;
      const changed = await callRpc(bus, retryOrphanReceipt, { id });
      const [before, after] = [presentOrphanReceipt(changed.before), presentOrphanReceipt(changed.receipt)];
      const change = { action: 'orphan-receipt.retry', target: after.id, before, after } as const;
      await database.transaction(async (tx) => recordAudit(tx, actOf(call), change));
      return { status: 200, body: after };
    },
  }),
];
