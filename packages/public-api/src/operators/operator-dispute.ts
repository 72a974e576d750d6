import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  disputeResolutionSchema,
  disputeStatusSchema,
  operatorDisputeSchema,
  type OperatorDispute,
} from '@gateway/contracts/deposits';
import { currencySchema, amountSchema, idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { booleanSchema, pageQuery, unixSecondsSchema } from '#src/shared/page-query.ts';
import { disputeResourceSchema, presentDispute } from '#src/v0_1/dispute-resource.ts';

/** Query of `GET /ops/disputes`. */
export const operatorDisputesQuerySchema = z.strictObject({
  ...pageQuery('dispute'),
  ...recordQuery,
  status: disputeStatusSchema.optional(),
  deposit_id: idSchema('deposit').optional().describe('the deposit that is contested'),
  due_before: unixSecondsSchema.optional().describe('only those not decided whose evidence is due before that time'),
  attention: booleanSchema
    .optional()
    .describe('`true`: only those that need an operator to go on; `false`: the others'),
});

/** Body of `POST /ops/disputes/{id}/resolve`: what a dispute came to whose provider contradicts itself. */
export const resolveContradictionRequestSchema = z.strictObject({
  outcome: disputeResolutionSchema.shape.outcome,
  /** What it is known by, for the operator who approves it. */
  evidence: requestText(1, 2_000),
  /** Of one that is lost in part: what goes back to the payer. */
  lost_cents: amountSchema.nullish(),
});
export type ResolveContradictionRequest = z.output<typeof resolveContradictionRequestSchema>;

const disputeResolutionResourceSchema = z.object({
  outcome: disputeResolutionSchema.shape.outcome,
  evidence: z.string(),
  lost_cents: z.int().nullable(),
  proposed_by: z.string(),
  approved_by: z.string(),
  resolved_at: z.string(),
});

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
  /** What two operators decided when its provider contradicted itself. */
  resolution: disputeResolutionResourceSchema.nullable(),
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
    resolution: dispute.resolution && {
      outcome: dispute.resolution.outcome,
      evidence: dispute.resolution.evidence,
      lost_cents: dispute.resolution.lostAmount,
      proposed_by: dispute.resolution.proposedBy,
      approved_by: dispute.resolution.approvedBy,
      resolved_at: dispute.resolution.resolvedAt,
    },
  };
}
