import { z } from 'zod';
import { disputeResourceSchema, presentDispute } from '#src/api/dispute-resource.ts';
import { operatorDisputeSchema, type OperatorDispute } from '#src/deposits/dispute.ts';
import { currencySchema } from '#src/money/currency.ts';

/** A dispute as operators see it. */
export const operatorDisputeResourceSchema = disputeResourceSchema.extend({
  account_id: z.string(),
  currency: currencySchema,
  provider: z.string(),
  /** How the provider names it. */
  dispute_ref: z.string(),
  /** What later credits still have to pay. */
  shortfall_cents: z.int(),
  /** What the provider has decided, from when we know of it. */
  verdict: operatorDisputeSchema.shape.verdict,
  /** Since when the ledger is asked for a step it has not answered. */
  step_since: z.string().nullable(),
  /** Since when it needs an operator, and why; null while it does not. */
  attention_at: z.string().nullable(),
  attention: operatorDisputeSchema.shape.attention,
});

export function presentOperatorDispute(dispute: OperatorDispute): z.infer<typeof operatorDisputeResourceSchema> {
  return {
    ...presentDispute(dispute),
    account_id: dispute.accountId,
    currency: dispute.currency,
    provider: dispute.provider,
    dispute_ref: dispute.disputeRef,
    shortfall_cents: dispute.shortfall,
    verdict: dispute.verdict,
    step_since: dispute.stepSince,
    attention_at: dispute.attentionAt,
    attention: dispute.attention,
  };
}
