import { z } from 'zod';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import {
  disputeOutcomeSchema,
  disputeResolutionSchema,
  disputeSchema,
  disputeStatusSchema,
  operatorDisputeSchema,
  type OperatorDispute,
} from '@gateway/contracts/deposits';
import { currencySchema, amountSchema, idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { isoTime, minorUnits, recordId, text } from '#src/shared/members.ts';
import { attentionFlag, pageQuery } from '#src/shared/page-query.ts';
import { secondsQuerySchema } from '#src/shared/time-query.ts';
import { disputeResourceSchema, evidenceResourceSchema } from '#src/v0_1/dispute-resource.ts';
import { presentDispute } from '#src/presenters/v0_1.ts';

/** Query of `GET /ops/disputes`. */
export const operatorDisputesQuerySchema = z.strictObject({
  ...pageQuery('dispute'),
  ...recordQuery,
  status: disputeStatusSchema.optional().describe('Only disputes in this state.'),
  deposit_id: idSchema('deposit').optional().describe('Only disputes of this deposit.'),
  due_before: secondsQuerySchema
    .optional()
    .describe(
      'Only those not decided whose evidence is due before this: Unix seconds, ISO 8601 with a zone, or a date in `zone`.',
    ),
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

const instantSchema = z.iso.datetime({ offset: true }).meta({ examples: ['2026-01-02T11:00:00.000Z'] });

/** Body of `POST /ops/disputes`: a dispute that its provider reports over no interface. */
export const enterDisputeRequestSchema = z
  .strictObject({
    deposit_id: idSchema('deposit').optional().describe('The deposit whose payment is contested.'),
    e2e_id: requestText(1, 64)
      .optional()
      .describe(
        'The end-to-end id of that payment: instead of the deposit, or where it was paid in several transfers.',
      ),
    environment: environmentSchema
      .default('live')
      .describe('The environment of the deposit: one that is of the other is refused.'),
    amount_cents: amountSchema.describe('What is contested, in the smallest unit of the currency.'),
    reason: disputeSchema.shape.reason.optional().describe('Why it is contested, where that is known.'),
    dispute_ref: requestText(1, 64).describe('How the provider names it; the same dispute is entered once.'),
    opened_at: instantSchema.describe('When the provider opened it, ISO 8601 with an offset; not in the future.'),
    defense_due_at: instantSchema
      .nullish()
      .describe('Until when the provider takes evidence, ISO 8601 with an offset: after `opened_at`.'),
    evidence: requestText(1, 2_000).describe('What it is known by, for the operator who approves it.'),
  })
  .refine(({ deposit_id: depositId, e2e_id: e2eId }) => (depositId ?? e2eId) !== undefined, {
    path: ['deposit_id'],
    message: 'is required where e2e_id is not given',
  })
  .refine(({ opened_at: openedAt, defense_due_at: dueAt }) => !dueAt || Date.parse(dueAt) > Date.parse(openedAt), {
    path: ['defense_due_at'],
    message: 'must be after opened_at',
  })
  .refine(({ opened_at: openedAt }) => !(Date.parse(openedAt) > Date.now()), {
    path: ['opened_at'],
    message: 'must not be in the future',
  })
  .meta({ id: 'DisputeCreate', description: 'A dispute that its provider reports over no interface.' });
export type EnterDisputeRequest = z.output<typeof enterDisputeRequestSchema>;

const disputeEntryResourceSchema = z
  .object({
    evidence: text('What it is known by.', 'Letter of the bank of 5 January.'),
    proposed_by: text('The operator who proposed it.', 'ana'),
    approved_by: text('The operator who approved it.', 'bruno'),
    opened_at: isoTime('When the provider opened it.'),
    entered_at: isoTime('When it was entered.'),
  })
  .meta({ id: 'DisputeEntry', description: 'By which operators a dispute was entered, and what they know it by.' });

const operatorEvidenceResourceSchema = evidenceResourceSchema
  .extend({
    provider_message: text('Why the provider refused it, in its own words.', 'documento ilegível').nullable(),
  })
  .meta({ id: 'DisputeEvidence', description: 'Evidence against a dispute, as operators see it.' });

/** A dispute as operators see it. */
export const operatorDisputeResourceSchema = disputeResourceSchema
  .extend({
    evidence: z.array(operatorEvidenceResourceSchema).describe('What was submitted against it, oldest first.'),
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
    entry: disputeEntryResourceSchema
      .nullable()
      .describe('By whom it was entered by hand; null for one that its provider reported.'),
    outcomes: z.array(disputeOutcomeSchema).describe('What two operators may state of it as it is.'),
  })
  .meta({ id: 'OperatorDispute', description: 'A dispute as operators see it.' });

export function presentOperatorDispute(dispute: OperatorDispute): z.infer<typeof operatorDisputeResourceSchema> {
  const shown = presentDispute(dispute);
  const words = dispute.evidence.map(({ providerMessage }) => providerMessage);
  return {
    ...shown,
    evidence: shown.evidence.map((each, index) => ({ ...each, provider_message: words[index] ?? null })),
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
    entry: dispute.entry && {
      evidence: dispute.entry.evidence,
      proposed_by: dispute.entry.proposedBy,
      approved_by: dispute.entry.approvedBy,
      opened_at: dispute.entry.openedAt,
      entered_at: dispute.entry.enteredAt,
    },
    outcomes: dispute.outcomes,
  };
}
