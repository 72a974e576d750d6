import { currencySchema } from '@gateway/money';
import { minorUnits } from '#src/shared/members.ts';
import { disputeResourceSchema } from '#src/v0_1/dispute-resource.ts';

/** A dispute as contract 1.0 shows it (api.md 3); every member is always present. */
export const disputeResourceV1Schema = disputeResourceSchema
  .omit({ amount_cents: true, blocked_cents: true, returned_cents: true })
  .extend({
    amount: minorUnits('What is disputed.'),
    blocked: minorUnits('What is held for it at the moment.', 1_500),
    returned: minorUnits('What has gone back to the payer.', 0),
    currency: currencySchema.describe('The currency of the amounts.'),
  })
  .meta({ id: 'Dispute', description: 'A payer disputes a payment (MED, a chargeback of PIX).' });
