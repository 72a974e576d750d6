import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  type OperatorRefund,
  refundStatusSchema,
  returnAttentionSchema,
  returnOutcomeSchema,
  returnResolutionSchema,
  type ReturnResolution,
} from '@gateway/contracts/deposits';
import { currencySchema, idSchema } from '@gateway/money';
import { recordQuery } from '#src/operators/record-query.ts';
import { count, isoTime, recordId, text } from '#src/shared/members.ts';
import { attentionFlag, pageQuery } from '#src/shared/page-query.ts';
import { refundResourceSchema } from '#src/v0_1/refund-resource.ts';
import { presentRefund } from '#src/presenters/v0_1.ts';

/** Query of `GET /ops/refunds`. */
export const operatorRefundsQuerySchema = z.strictObject({
  ...pageQuery('refund'),
  ...recordQuery,
  e2e_id: recordQuery.e2e_id.describe(
    'Only refunds of the payment with this end-to-end id, or the one with this id of the return.',
  ),
  status: refundStatusSchema.optional().describe('Only refunds in this state.'),
  deposit_id: idSchema('deposit').optional().describe('Only refunds of this deposit.'),
  attention: attentionFlag,
});

/** Body of `POST /ops/refunds/{id}/resolve`: what became of money that was to go back to its payer, as its provider says. */
export const resolveRefundRequestSchema = z
  .strictObject({
    outcome: returnResolutionSchema.shape.outcome.describe('How it ended.'),
    evidence: requestText(1, 2_000).describe('What it is known by, for the operator who approves it.'),
    return_id: requestText(1, 64).nullish().describe('Of one that is done: the id of the return on its rail.'),
  })
  .meta({ id: 'RefundResolve', description: 'What became of money that was to go back to its payer.' });
export type ResolveRefundRequest = z.output<typeof resolveRefundRequestSchema>;

export const returnResolutionResourceSchema = z
  .object({
    outcome: returnResolutionSchema.shape.outcome.describe('How it ended.'),
    evidence: text('What it is known by.', 'Statement of the provider, line 17.'),
    return_id: text('The id of the return on its rail.', 'D12345678202601031004abcdef12345').nullable(),
    proposed_by: text('The operator who proposed it.', 'ana'),
    approved_by: text('The operator who approved it.', 'bruno'),
    resolved_at: isoTime('When it was approved.'),
  })
  .meta({ id: 'ReturnResolution', description: 'What two operators say became of money that was to go back.' });

/** A refund as operators see it. */
export const operatorRefundResourceSchema = refundResourceSchema
  .extend({
    account_id: recordId('account', 'The account of the deposit.'),
    currency: currencySchema.describe('The currency of the amount.'),
    provider: text('The provider that sends it back.', 'sandbox'),
    reference: text('Our reference at the provider.', 'rfd01k9z3m4v6t8x0a2c4e6g8jk01'),
    provider_ref: text("The provider's own id of it.", '8812345').nullable(),
    trace_id: text(
      'The W3C trace of the call that created it; null where none was recorded.',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ).nullable(),
    provider_message: text('Why it failed, in the words of the provider.', 'conta encerrada').nullable(),
    attempts: count('How often the provider has been asked since.'),
    unknown_since: isoTime('Since when a call may have been carried out of which nothing is known.').nullable(),
    attention_at: isoTime('Since when it takes an operator to go on; null when it does not.').nullable(),
    attention: returnAttentionSchema.nullable().describe('Why it takes an operator.'),
    resolution: returnResolutionResourceSchema.nullable().describe('What two operators say became of it.'),
    outcomes: z.array(returnOutcomeSchema).describe('What two operators may state of it as it is.'),
  })
  .meta({ id: 'OperatorRefund', description: 'A refund as operators see it.' });
export type OperatorRefundResource = z.infer<typeof operatorRefundResourceSchema>;

export function presentOperatorRefund(refund: OperatorRefund): OperatorRefundResource {
  return {
    ...presentRefund(refund),
    account_id: refund.accountId,
    currency: refund.currency,
    provider: refund.provider,
    reference: refund.reference,
    provider_ref: refund.providerRef,
    trace_id: refund.traceId,
    provider_message: refund.failureMessage,
    attempts: refund.attempts,
    unknown_since: refund.unknownSince,
    attention_at: refund.attentionAt,
    attention: refund.attention,
    resolution: refund.resolution && presentReturnResolution(refund.resolution),
    outcomes: refund.outcomes,
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
