import { z } from 'zod';
import {
  orphanReceiptSchema,
  orphanReceiptStateSchema,
  type OrphanReceipt,
  returnAttentionSchema,
} from '@gateway/contracts/deposits';
import { idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { booleanSchema, pageQuery } from '#src/shared/page-query.ts';
import { presentReturnResolution, returnResolutionResourceSchema } from '#src/operators/operator-refund.ts';

/** An orphan receipt as operators see it. */
export const orphanReceiptResourceSchema = z.object({
  id: z.string(),
  object: z.literal('orphan_receipt'),
  environment: orphanReceiptSchema.shape.environment,
  account_id: z.string(),
  deposit_id: z.string(),
  provider: z.string(),
  e2e_id: z.string(),
  cause: orphanReceiptSchema.shape.cause,
  state: orphanReceiptStateSchema,
  currency: orphanReceiptSchema.shape.currency,
  amount_cents: z.int(),
  attempts: z.int(),
  failure: z.string().nullable(),
  return_id: z.string().nullable(),
  paid_at: z.string(),
  /** Since when it needs an operator, and why; null while it does not. */
  attention_at: z.string().nullable(),
  attention: returnAttentionSchema.nullable(),
  resolution: returnResolutionResourceSchema.nullable(),
});
export type OrphanReceiptResource = z.infer<typeof orphanReceiptResourceSchema>;

const { external_id: _externalId, ...receiptQuery } = recordQuery;

export const orphanReceiptsQuerySchema = z.strictObject({
  ...pageQuery('refund'),
  ...receiptQuery,
  e2e_id: recordQuery.e2e_id.describe('the end-to-end id of the payment that arrived, or the id of its return'),
  state: orphanReceiptStateSchema.optional(),
  deposit_id: idSchema('deposit').optional(),
  attention: booleanSchema
    .optional()
    .describe('`true`: only those that need an operator to go on; `false`: the others'),
});

export function presentOrphanReceipt(receipt: OrphanReceipt): OrphanReceiptResource {
  const { id, environment, provider, cause, state, currency, attempts, failure } = receipt;
  return {
    id,
    object: 'orphan_receipt',
    environment,
    account_id: receipt.accountId,
    deposit_id: receipt.depositId,
    provider,
    e2e_id: receipt.e2eId,
    cause,
    state,
    currency,
    amount_cents: receipt.amount,
    attempts,
    failure,
    return_id: receipt.returnId,
    paid_at: receipt.paidAt,
    attention_at: receipt.attentionAt,
    attention: receipt.attention,
    resolution: receipt.resolution && presentReturnResolution(receipt.resolution),
  };
}
