import { currencySchema } from '@gateway/money';
import { minorUnits } from '#src/shared/members.ts';
import { refundResourceSchema } from '#src/v0_1/refund-resource.ts';

/** A refund as contract 1.0 shows it (api.md 3); every member is always present. */
export const refundResourceV1Schema = refundResourceSchema
  .omit({ amount_cents: true })
  .extend({
    amount: minorUnits('What goes back to the payer.', 990),
    currency: currencySchema.describe('The currency of the amount.'),
  })
  .meta({ id: 'Refund', description: 'Money of a deposit that goes back to its payer.' });
