import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { amountSchema } from '@gateway/money';
import {
  failedCallsSchema,
  resolutionOutcomeSchema,
  type OperatorPayout,
  payoutKindSchema,
  payoutStatusSchema,
} from '@gateway/contracts/payouts';
import { recordQuery } from '#src/operators/record-query.ts';
import { booleanSchema, pageQuery } from '#src/shared/page-query.ts';
import { documentQuerySchema } from '#src/shared/request-document.ts';
import { payoutResourceSchema, presentPayout } from '#src/v0_1/payout-resource.ts';
import { betaBody } from '#src/shared/versioned.ts';

/** Body of `POST /v1/test/payouts/{id}/settle` (api.md 2). */
export const settlePayoutRequestSchema = z.strictObject({
  result: z.enum(['paid', 'failed', 'returned']),
  /** Of a return: the part that comes back; all that is left when it is not given. */
  amount_cents: amountSchema.nullish(),
});

/** The same in contract 1.0: `amount`. */
export const settlePayoutRequestV1Schema = betaBody(
  settlePayoutRequestSchema
    .omit({ amount_cents: true })
    .extend({ amount: settlePayoutRequestSchema.shape.amount_cents })
    .transform(({ amount, ...members }) => ({ ...members, amount_cents: amount })),
);

/** Query of `GET /ops/payouts` (api.md 5). */
export const operatorPayoutsQuerySchema = z.strictObject({
  ...pageQuery('payout'),
  ...recordQuery,
  status: payoutStatusSchema.optional(),
  kind: payoutKindSchema.optional(),
  recipient_document: documentQuerySchema.optional().describe('the document of the recipient'),
  pix_key: requestText(1, 120).optional().describe('the key or account number that is paid to, as the payout shows it'),
  attention: booleanSchema
    .optional()
    .describe('`true`: only those that need an operator to go on; `false`: the others'),
});

/** Body of `POST /ops/payouts/{id}/resolve` (api.md 5). */
export const resolvePayoutRequestSchema = z.strictObject({
  outcome: resolutionOutcomeSchema,
  evidence: requestText(1, 2_000),
});

const resolutionResourceSchema = z.object({
  /** The approval by which two operators say so. */
  approval_id: z.string().nullable(),
  outcome: resolutionOutcomeSchema,
  evidence: z.string(),
  proposed_by: z.string(),
  proposed_at: z.string(),
  confirmed_by: z.string().nullable(),
  confirmation: z.string().nullable(),
});

const failedCallsResourceSchema = z.object({
  provider: z.string(),
  /** `unknown`: the provider may have taken it. */
  outcome: failedCallsSchema.shape.outcome,
  /** Of a refusal: the failure reason. */
  reason: z.string().nullable(),
  /** What the provider says, or how the last of the calls went wrong. */
  message: z.string().nullable(),
  times: z.int(),
  first_at: z.string(),
  last_at: z.string(),
});

/** A payout as operators see it. */
export const operatorPayoutResourceSchema = payoutResourceSchema.extend({
  account_id: z.string(),
  currency: z.string(),
  provider: z.string(),
  /** The reference at the provider. */
  reference: z.string(),
  provider_ref: z.string().nullable(),
  trace_id: z.string().nullable().describe('the W3C trace of the call that created it; null where none was recorded'),
  lookups: z.int(),
  /** Since when it takes an operator to go on; null when it does not. */
  attention_at: z.string().nullable(),
  /**
   * `outcome_unknown`, `accepted_not_found`, `answer_differs`, `contradiction`, `paid_twice`, `no_provider`,
   * `return_not_booked` or `told_unconfirmed`.
   */
  attention_reason: z.string().nullable(),
  decided_by: z.string().nullable(),
  /** Why it was refused, in the operator's words; the merchant does not see it. */
  decision_reason: z.string().nullable(),
  /** Why it failed or was refused last, in the words of the provider; the merchant reads ours. */
  provider_message: z.string().nullable(),
  /** Calls of providers that did not take it, or may not have; those of one provider that came to the same are one. */
  failed_calls: z.array(failedCallsResourceSchema),
  /** Providers that have paid it besides `provider`: the money has left twice. */
  also_paid_by: z.array(z.string()),
  resolution: resolutionResourceSchema.nullable(),
});
export type OperatorPayoutResource = z.infer<typeof operatorPayoutResourceSchema>;

export function presentOperatorPayout(payout: OperatorPayout): OperatorPayoutResource {
  const { resolution } = payout;
  return {
    ...presentPayout(payout),
    account_id: payout.accountId,
    currency: payout.currency,
    provider: payout.provider,
    reference: payout.reference,
    provider_ref: payout.providerRef,
    trace_id: payout.traceId,
    lookups: payout.lookups,
    attention_at: payout.attentionAt,
    attention_reason: payout.attentionReason,
    decided_by: payout.decidedBy,
    decision_reason: payout.decisionReason,
    provider_message: payout.providerMessage,
    failed_calls: payout.failedCalls.map(({ firstAt, lastAt, ...call }) => ({
      ...call,
      first_at: firstAt,
      last_at: lastAt,
    })),
    also_paid_by: payout.alsoPaidBy,
    resolution: resolution && {
      approval_id: resolution.approvalId,
      outcome: resolution.outcome,
      evidence: resolution.evidence,
      proposed_by: resolution.proposedBy,
      proposed_at: resolution.proposedAt,
      confirmed_by: resolution.confirmedBy,
      confirmation: resolution.confirmation,
    },
  };
}
