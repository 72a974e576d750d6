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
import { isoTime, minorUnits, recordId, text } from '#src/shared/members.ts';
import { attentionFlag, pageQuery, unixSecondsSchema } from '#src/shared/page-query.ts';
import { disputeResourceSchema } from '#src/v0_1/dispute-resource.ts';
import { presentDispute } from '#src/presenters/v0_1.ts';

/** Query of `GET /ops/disputes`. */
export const operatorDisputesQuerySchema = z.strictObject({
  ...pageQuery('dispute'),
  ...recordQuery,
  status: disputeStatusSchema.optional().describe('Only disputes in this state.'),
  deposit_id: idSchema('deposit').optional().describe('Only disputes of this deposit.'),
  due_before: unixSecondsSchema
    .optional()
    .describe('Only those not decided whose evidence is due before that time, in Unix seconds.'),
  attention: attentionFlag,
});

/** Body of `POST /ops/disputes/{id}/resolve`: what a dispute came to whose provider contradicts itself. */
export const resolveContradictionRequestSchema = z
  .strictObject({
    outcome: disputeResolutionSchema.shape.outcome.describe('How it ended; `stands`: as the record says.'),
    evidence: requestText(1, 2_000).describe('What it is known by, for the operator who approves it.'),
    lost_cents: amountSchema.nullish().describe('Of one that is lost in part: what goes back to the payer, in cents.'),
  })
  .meta({ id: 'DisputeResolve', description: 'How a dispute ended whose provider contradicts itself.' });
export type ResolveContradictionRequest = z.output<typeof resolveContradictionRequestSchema>;

const disputeResolutionResourceSchema = z
  .object({
    outcome: disputeResolutionSchema.shape.outcome.describe('How it ended; `stands`: as the record says.'),
    evidence: text('What it is known by.', 'Letter of the provider of 3 January.'),
    lost_cents: minorUnits('Of one that is lost in part: what goes back to the payer.').nullable(),
    proposed_by: text('The operator who proposed it.', 'ana'),
    approved_by: text('The operator who approved it.', 'bruno'),
    resolved_at: isoTime('When it was approved.'),
  })
  .meta({ id: 'DisputeResolution', description: 'What two operators say became of a dispute.' });

/** A dispute as operators see it. */
export const operatorDisputeResourceSchema = disputeResourceSchema
  .extend({
    account_id: recordId('account', 'The account of the deposit.'),
    currency: currencySchema.describe('The currency of the amounts.'),
    provider: text('The provider of the payment.', 'sandbox'),
    dispute_ref: text('How the provider names it.', 'infraction-1'),
    trace_id: text(
      'The W3C trace of the call or the report that opened it; null where none was recorded.',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ).nullable(),
    shortfall_cents: minorUnits('What later credits still have to pay.', 0),
    verdict: operatorDisputeSchema.shape.verdict.describe('What the provider has decided, as far as it is known.'),
    step_since: isoTime('Since when the ledger is asked for a step that it has not answered.').nullable(),
    attention_at: isoTime('Since when it takes an operator to go on; null when it does not.').nullable(),
    attention: operatorDisputeSchema.shape.attention.describe(
      'Why it takes an operator: a step is overdue, the provider contradicts itself, or evidence is to be handed over by hand.',
    ),
    resolution: disputeResolutionResourceSchema.nullable().describe('What two operators say became of it.'),
  })
  .meta({ id: 'OperatorDispute', description: 'A dispute as operators see it.' });

export function presentOperatorDispute(dispute: OperatorDispute): z.infer<typeof operatorDisputeResourceSchema> {
  return {
    ...presentDispute(dispute),
    account_id: dispute.accountId,
    currency: dispute.currency,
    provider: dispute.provider,
    dispute_ref: dispute.disputeRef,
    trace_id: dispute.traceId,
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
