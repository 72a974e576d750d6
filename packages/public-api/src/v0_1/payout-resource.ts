import { z } from 'zod';
import { environmentSchema, metadataValueSchema } from '@gateway/contracts/values';
import {
  type MessageLanguage,
  payoutFailureReasons,
  pendingReasonSchema,
  type PayoutReturn,
  payoutKeyTypeSchema,
  payoutKindSchema,
  payoutStatusSchema,
  type Payout,
} from '@gateway/contracts/payouts';
import { presentFailureMessage } from '#src/shared/failure-message.ts';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';

const nullableText = z.string().nullable();

/** A payout as contract 0.1 shows it (spec 2.2, api.md 2); every member is always present. */
export const payoutResourceSchema = z.object({
  id: z.string(),
  object: z.literal('payout'),
  external_id: z.string(),
  status: payoutStatusSchema,
  pending_reason: pendingReasonSchema
    .nullable()
    .describe(
      'Why a PENDING payout waits for approval: a rule, a limit of the account, or an account whose payouts are all approved ' +
        'by an operator. null for every other status.',
    ),
  amount_cents: z.int(),
  currency: foreignCurrencySchema,
  fee_cents: z.int(),
  returned_cents: z.int(),
  pix_key: z.string(),
  pix_key_type: payoutKeyTypeSchema,
  recipient: z
    .object({ name: nullableText, document: nullableText, email: nullableText, phone: nullableText })
    .describe('`name` and `document` are null where a client of the connector has not named them'),
  kind: payoutKindSchema,
  e2e_id: nullableText,
  failure_reason: nullableText.describe(`null, or one of ${payoutFailureReasons.join(', ')}`),
  failure_message: nullableText.describe(
    'The same for people, in the language of `Accept-Language`: `pt`, `es` or `en`',
  ),
  metadata: z.record(z.string(), metadataValueSchema),
  environment: environmentSchema,
  created_at: z.int(),
  paid_at: nullableText,
});
export type PayoutResource = z.infer<typeof payoutResourceSchema>;

/** Of a payout that names no recipient, which the connector's clients need not, the members are null. */
export function presentRecipient({ name, document, ...others }: Payout['recipient']): PayoutResource['recipient'] {
  return { name: name || null, document: document || null, ...others };
}

export function presentPayout(payout: Payout, language?: MessageLanguage): PayoutResource {
  return {
    id: payout.id,
    object: 'payout',
    external_id: payout.externalId,
    status: payout.status,
    pending_reason: payout.pendingReason,
    amount_cents: payout.amount,
    ...foreignCurrency(payout),
    fee_cents: payout.fee,
    returned_cents: payout.returned,
    pix_key: payout.key,
    pix_key_type: payout.keyType,
    recipient: presentRecipient(payout.recipient),
    kind: payout.kind,
    e2e_id: payout.e2eId,
    failure_reason: payout.failureReason,
    failure_message: presentFailureMessage(payout, language),
    metadata: payout.metadata,
    environment: payout.environment,
    created_at: payout.createdAt,
    paid_at: payout.paidAt,
  };
}

/** A payout with the part of it that came back: `data` of the event `payout.returned` (api.md 8). */
export interface ReturnedPayout {
  readonly payout: Payout;
  readonly return: PayoutReturn;
}

const returnedPartSchema = z.object({
  /** Unique among the parts of one payout. */
  id: z.string(),
  amount_cents: z.int(),
  e2e_id: nullableText,
  returned_at: z.string(),
});

export const returnedPayoutResourceSchema = payoutResourceSchema.extend({ return: returnedPartSchema });

export function presentReturnedPayout({
  payout,
  return: part,
}: ReturnedPayout): z.infer<typeof returnedPayoutResourceSchema> {
  const shown = { id: part.id, amount_cents: part.amount, e2e_id: part.e2eId, returned_at: part.returnedAt };
  return { ...presentPayout(payout), return: shown };
}
