import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';
import { returnAttentionSchema, returnOutcomeSchema, returnResolutionSchema } from '#src/deposits/return-to-payer.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import { recordFilter } from '#src/values/record-filter.ts';

export const orphanReceiptStateSchema = z.enum(['RETURNING', 'RETURNED', 'FAILED']);

/** Money that arrived on a charge of ours and belongs to no deposit's payment: it goes back to its payer. */
export const orphanReceiptSchema = z.object({
  id: idSchema('refund'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  depositId: idSchema('deposit'),
  provider: z.string(),
  e2eId: z.string(),
  /** What the provider calls it, where `e2eId` may repeat. */
  transferId: z.string().nullable().default(null),
  cause: z.enum(['canceled', 'second_payment', 'within_fee', 'over_limit', 'other_currency']),
  state: orphanReceiptStateSchema,
  currency: currencySchema,
  amount: amountSchema,
  attempts: z.int(),
  /** Why the provider will not send it back. */
  failure: z.string().nullable(),
  returnId: z.string().nullable(),
  /** ISO 8601 UTC with milliseconds. */
  paidAt: z.string(),
  /** Since when it needs an operator, ISO 8601, and why; null while it does not. */
  attentionAt: z.string().nullable().default(null),
  attention: returnAttentionSchema.nullable().default(null),
  resolution: returnResolutionSchema.nullable().default(null),
  /** What two operators may state of it as it is. */
  outcomes: z.array(returnOutcomeSchema).default([]),
});
export type OrphanReceipt = z.infer<typeof orphanReceiptSchema>;

/** A page of all accounts' orphan receipts, newest first. */
export const listOrphanReceipts = defineRpc({
  subject: 'rpc.deposits.list-orphan-receipts.v1',
  owner: 'deposits',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    /** `e2eId`: of the payment that arrived, or of the return. `externalId`: of the deposit that it was meant for. */
    ...recordFilter,
    state: orphanReceiptStateSchema.optional(),
    depositId: z.string().optional(),
    /** Only those that need an operator to go on. */
    attention: z.boolean().optional(),
  }),
  reply: z.object({ receipts: z.array(orphanReceiptSchema), nextCursor: z.string().nullable() }),
});

/** Sends one that FAILED again. INVALID_STATE for any other. */
export const retryOrphanReceipt = defineRpc({
  subject: 'rpc.deposits.retry-orphan-receipt.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({ before: orphanReceiptSchema, receipt: orphanReceiptSchema }),
});
