import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  type OperatorRefund,
  refundStatusSchema,
  returnAttentionSchema,
  returnResolutionSchema,
  type ReturnResolution,
} from '@gateway/contracts/deposits';
import { currencySchema, idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { booleanSchema, pageQuery } from '#src/shared/page-query.ts';
import { presentRefund, refundResourceSchema } from '#src/v0_1/refund-resource.ts';

/** Query of `GET /ops/refunds`. */
export const operatorRefundsQuerySchema = z.strictObject({
  ...pageQuery('refund'),
  ...recordQuery,
  e2e_id: recordQuery.e2e_id.describe('the end-to-end id of the payment that is refunded, or the id of the return'),
  status: refundStatusSchema.optional(),
  deposit_id: idSchema('deposit').optional().describe('the deposit that is refunded'),
  attention: booleanSchema
    .optional()
    .describe('`true`: only those that need an operator to go on; `false`: the others'),
});

/** Body of `POST /ops/refunds/{id}/resolve`: what became of money that was to go back to its payer, as its provider says. */
export const resolveRefundRequestSchema = z.strictObject({
  outcome: returnResolutionSchema.shape.outcome,
  /** What it is known by, for the operator who approves it. */
  evidence: requestText(1, 2_000),
  /** Id of the return on the rail, of one that is done. */
  return_id: requestText(1, 64).nullish(),
});
export type ResolveRefundRequest = z.output<typeof resolveRefundRequestSchema>;

export const returnResolutionResourceSchema = z.object({
  outcome: returnResolutionSchema.shape.outcome,
  evidence: z.string(),
  return_id: z.string().nullable(),
  proposed_by: z.string(),
  approved_by: z.string(),
  resolved_at: z.string(),
});

/** A refund as operators see it. */
export const operatorRefundResourceSchema = refundResourceSchema.extend({
  account_id: z.string(),
  currency: currencySchema,
  provider: z.string(),
  /** Our reference at the provider. */
  reference: z.string(),
  provider_ref: z.string().nullable(),
  /** Why it failed, in the words of the provider; the merchant reads ours. */
  provider_message: z.string().nullable(),
  /** How often the provider has been asked since. */
  attempts: z.int(),
  /** Since when a call may have been carried out of which nothing is known. */
  unknown_since: z.string().nullable(),
  /** Since when it needs an operator, and why; null while it does not. */
  attention_at: z.string().nullable(),
  attention: returnAttentionSchema.nullable(),
  resolution: returnResolutionResourceSchema.nullable(),
});
export type OperatorRefundResource = z.infer<typeof operatorRefundResourceSchema>;

export function presentOperatorRefund(refund: OperatorRefund): OperatorRefundResource {
  return {
    ...presentRefund(refund),
    account_id: refund.accountId,
    currency: refund.currency,
    provider: refund.provider,
    reference: refund.reference,
    provider_ref: refund.providerRef,
    provider_message: refund.failureMessage,
    attempts: refund.attempts,
    unknown_since: refund.unknownSince,
    attention_at: refund.attentionAt,
    attention: refund.attention,
    resolution: refund.resolution && presentReturnResolution(refund.resolution),
  };
}

export function presentReturnResolution(resolution: ReturnResolution): z.infer<typeof returnResolutionResourceSchema> {
  return {
    outcome: resolution.outcome,
    evidence: resolution.evidence,
    return_id: resolution.returnId,
    proposed_by: resolution.proposedBy,
    approved_by: resolution.approvedBy,
    resolved_at: resolution.resolvedAt,
  };
}
