import { listOrphanReceipts, retryOrphanReceipt } from '@gateway/contracts/deposits';
import {
  orphanReceiptResourceSchema,
  orphanReceiptsQuerySchema,
  pageOf,
  presentOrphanReceipt,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { auditAcross } from '#src/approvals/audit-across.ts';

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
