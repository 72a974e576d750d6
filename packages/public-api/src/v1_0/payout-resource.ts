import type { z } from 'zod';
import { currencySchema, paymentMethodSchema } from '@gateway/money';
import { payoutKeyTypeSchema } from '@gateway/contracts/payouts';
import { minorUnits, text } from '#src/shared/members.ts';
import { payoutResourceSchema, returnedPayoutResourceSchema } from '#src/v0_1/payout-resource.ts';

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

export const returnedPayoutResourceV1Schema = payoutResourceV1Schema
  .extend({
    return: returnedPayoutResourceSchema.shape.return
      .omit({ amount_cents: true })
      .extend({ amount: minorUnits('What came back.', 2_500) })
      .meta({ id: 'PayoutReturn', description: 'A part of a paid payout that was sent back.' }),
  })
  .meta({ id: 'ReturnedPayout', description: 'A payout with the part of it that came back.' });
