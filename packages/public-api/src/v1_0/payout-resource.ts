import type { z } from 'zod';
import { currencySchema, paymentMethodSchema } from '@gateway/money';
import { payoutKeyTypeSchema, type Payout } from '@gateway/contracts/payouts';
import type { MessageLanguage } from '@gateway/contracts/values';
import { minorUnits, text } from '#src/shared/members.ts';
import {
  payoutResourceSchema,
  presentRecipient,
  presentReturnedPayout,
  returnedPayoutResourceSchema,
  type ReturnedPayout,
} from '#src/v0_1/payout-resource.ts';
import { presentFailureMessage } from '#src/shared/failure-message.ts';

/** A payout as contract 1.0 shows it (spec 2.2, api.md 3); every member is always present. */
export const payoutResourceV1Schema = payoutResourceSchema
  .omit({ amount_cents: true, fee_cents: true, returned_cents: true, pix_key: true, pix_key_type: true })
  .extend({
    amount: minorUnits('What the recipient gets.', 12_500),
    fee: minorUnits('What is taken from the balance besides.', 50),
    returned: minorUnits('What the bank of the recipient has sent back since.', 0),
    currency: currencySchema.describe('The currency of the amounts.'),
    payment_method: paymentMethodSchema.describe('The rail it is sent on.'),
    payout_key: text('The key that the money goes to: a PIX key or a CLABE.', 'maria@example.com'),
    payout_key_type: payoutKeyTypeSchema.describe('What `payout_key` is.'),
  })
  .meta({ id: 'Payout', description: 'A transfer of money to a recipient.' });
export type PayoutResourceV1 = z.infer<typeof payoutResourceV1Schema>;

export function presentPayoutV1(payout: Payout, language?: MessageLanguage): PayoutResourceV1 {
  return {
    id: payout.id,
    object: 'payout',
    external_id: payout.externalId,
    status: payout.status,
    pending_reason: payout.pendingReason,
    amount: payout.amount,
    fee: payout.fee,
    returned: payout.returned,
    currency: payout.currency,
    payment_method: payout.paymentMethod,
    payout_key: payout.key,
    payout_key_type: payout.keyType,
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

export const returnedPayoutResourceV1Schema = payoutResourceV1Schema
  .extend({
    return: returnedPayoutResourceSchema.shape.return
      .omit({ amount_cents: true })
      .extend({ amount: minorUnits('What came back.', 2_500) })
      .meta({ id: 'PayoutReturn', description: 'A part of a paid payout that was sent back.' }),
  })
  .meta({ id: 'ReturnedPayout', description: 'A payout with the part of it that came back.' });

export function presentReturnedPayoutV1(returned: ReturnedPayout): z.infer<typeof returnedPayoutResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentReturnedPayout(returned).return;
  return { ...presentPayoutV1(returned.payout), return: { ...members, amount } };
}
