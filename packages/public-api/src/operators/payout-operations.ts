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
import { absent, describedAs } from '#src/shared/described-form.ts';
import { count, isoTime, recordId, text } from '#src/shared/members.ts';
import { attentionFlag, pageQuery } from '#src/shared/page-query.ts';
import { documentQuerySchema } from '#src/shared/request-document.ts';
import { payoutResourceSchema } from '#src/v0_1/payout-resource.ts';
import { presentPayout } from '#src/presenters/v0_1.ts';
import { betaBody } from '#src/shared/versioned.ts';

const result = z.enum(['paid', 'failed', 'returned']);
const returnOnly = 'is for a return only';

/** Body of `POST /v1/test/payouts/{id}/settle` (api.md 2): a part can come back, and nothing else has one. */
export const settlePayoutRequestSchema = describedAs(
  z
    .strictObject({ result, amount_cents: amountSchema.nullish() })
    .refine((body) => body.result === 'returned' || (body.amount_cents ?? null) === null, {
      path: ['amount_cents'],
      message: returnOnly,
    }),
  payoutResultForm('amount_cents', 'in cents'),
);

/** The same in contract 1.0: `amount`. */
export const settlePayoutRequestV1Schema = describedAs(
  betaBody(
    z
      .strictObject({ result, amount: amountSchema.nullish() })
      .refine((body) => body.result === 'returned' || (body.amount ?? null) === null, {
        path: ['amount'],
        message: returnOnly,
      })
      .transform(({ amount, ...members }) => ({ ...members, amount_cents: amount })),
  ),
  payoutResultForm('amount', 'in the smallest unit'),
);

function payoutResultForm(member: 'amount_cents' | 'amount', unit: string) {
  const part = amountSchema
    .nullish()
    .describe(`The part that comes back, ${unit}; all that is left when it is left out.`);
  const whole = z
    .strictObject({
      result: z.enum(['paid', 'failed']).describe('How the rail ends it.'),
      [member]: absent('The whole payout ends.'),
    })
    .meta({ id: 'PayoutEnd', description: 'The payout arrives, or fails.' });
  const returned = z
    .strictObject({ result: z.literal('returned').describe('The receiving bank sends it back.'), [member]: part })
    .meta({ id: 'PayoutComesBack', description: 'A paid payout, or a part of it, comes back.' });
  return z.union([whole, returned]).meta({ id: 'PayoutResult', description: 'How a test payout ends.' });
}

/** Query of `GET /ops/payouts` (api.md 5). */
export const operatorPayoutsQuerySchema = z.strictObject({
  ...pageQuery('payout'),
  ...recordQuery,
  status: payoutStatusSchema.optional().describe('Only payouts in this state.'),
  kind: payoutKindSchema.optional().describe('Only payouts of this kind.'),
  recipient_document: documentQuerySchema.optional().describe('Only payouts to a recipient with this document.'),
  pix_key: requestText(1, 120)
    .optional()
    .describe('Only payouts to this key or account number, as the payout shows it.'),
  attention: attentionFlag,
});

/** Body of `POST /ops/payouts/{id}/resolve` (api.md 5). */
export const resolvePayoutRequestSchema = z
  .strictObject({
    outcome: resolutionOutcomeSchema.describe('How the payout ended.'),
    evidence: requestText(1, 2_000).describe('What it is known by, for the operator who approves it.'),
  })
  .meta({ id: 'PayoutResolve', description: 'How a payout ended whose provider does not say so.' });

const resolutionResourceSchema = z
  .object({
    approval_id: recordId('approval', 'The approval by which two operators say so.').nullable(),
    outcome: resolutionOutcomeSchema.describe('How the payout ended.'),
    evidence: text('What it is known by.', 'Statement of the provider, line 17.'),
    proposed_by: text('The operator who proposed it.', 'ana'),
    proposed_at: isoTime('When it was proposed.'),
    confirmed_by: text('The operator who approved it.', 'bruno').nullable(),
    confirmation: text('What the approving operator said.', 'seen on the statement').nullable(),
  })
  .meta({ id: 'PayoutResolution', description: 'What two operators say became of a payout.' });

const failedCallsResourceSchema = z
  .object({
    provider: text('The provider that was called.', 'efi'),
    outcome: failedCallsSchema.shape.outcome.describe('What came of it; `unknown`: the provider may have taken it.'),
    reason: text('Of a refusal: the failure reason.', 'provider_balance').nullable(),
    message: text('What the provider says, or how the last of the calls went wrong.', 'sem saldo').nullable(),
    times: count('How many calls came to this.'),
    first_at: isoTime('When the first of them was made.'),
    last_at: isoTime('When the last of them was made.'),
  })
  .meta({ id: 'FailedCalls', description: 'Calls of one provider that came to the same.' });

/** A payout as operators see it. */
export const operatorPayoutResourceSchema = payoutResourceSchema
  .extend({
    account_id: recordId('account', 'The account that pays.'),
    currency: text('The currency of the amounts.', 'BRL'),
    provider: text('The provider that sends it.', 'sandbox'),
    reference: text('Our reference at the provider.', 'pyt01k9z3m4v6t8x0a2c4e6g8jk01'),
    provider_ref: text("The provider's own id of it.", '8812345').nullable(),
    trace_id: text(
      'The W3C trace of the call that created it; null where none was recorded.',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ).nullable(),
    lookups: count('How often the provider was asked what became of it.', 0),
    attention_at: isoTime('Since when it takes an operator to go on; null when it does not.').nullable(),
    attention_reason: text(
      'Why it takes an operator: `outcome_unknown`, `accepted_not_found`, `answer_differs`, `contradiction`, ' +
        '`paid_twice`, `no_provider`, `account_frozen`, `return_not_booked` or `told_unconfirmed`.',
      'outcome_unknown',
    ).nullable(),
    decided_by: text('The operator who approved or refused it.', 'ana').nullable(),
    decision_reason: text('Why it was refused; the merchant does not see it.', 'the recipient is on a list').nullable(),
    provider_message: text(
      'Why it failed or was refused last, in the words of the provider; the merchant reads ours.',
      'conta encerrada',
    ).nullable(),
    failed_calls: z
      .array(failedCallsResourceSchema)
      .describe(
        'Calls of providers that did not take it, or may not have; those of one provider that came to the same are one.',
      ),
    also_paid_by: z.array(z.string()).meta({
      description: 'Providers that have paid it besides `provider`: the money has left twice.',
      examples: [[]],
    }),
    resolution: resolutionResourceSchema.nullable().describe('What two operators say became of it.'),
  })
  .meta({ id: 'OperatorPayout', description: 'A payout as operators see it.' });
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
