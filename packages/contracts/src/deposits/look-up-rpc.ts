import { z } from 'zod';
import { operatorDepositSchema } from '#src/deposits/operator-deposit.ts';
import { orphanReceiptSchema } from '#src/deposits/orphan-receipt-rpc.ts';
import { operatorRefundSchema } from '#src/deposits/refund-rpc.ts';
import { defineRpc } from '#src/messages/define.ts';

/**
 * Asks the provider of a deposit for its payments now, and takes each that is not on record. PROVIDER_UNAVAILABLE when it
 * does not answer.
 */
export const lookUpDeposit = defineRpc({
  subject: 'rpc.deposits.look-up-deposit.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({ before: operatorDepositSchema, deposit: operatorDepositSchema }),
});

/**
 * Asks the provider of a refund, or of the return of an orphan receipt, what has become of it now, and records the answer.
 * PROVIDER_UNAVAILABLE when it does not answer.
 */
export const lookUpReturn = defineRpc({
  subject: 'rpc.deposits.look-up-return.v1',
  owner: 'deposits',
  request: z.object({ id: z.string(), kind: z.enum(['refund', 'orphan_receipt']) }),
  reply: z.union([
    z.object({ kind: z.literal('refund'), before: operatorRefundSchema, after: operatorRefundSchema }),
    z.object({ kind: z.literal('orphan_receipt'), before: orphanReceiptSchema, after: orphanReceiptSchema }),
  ]),
});
