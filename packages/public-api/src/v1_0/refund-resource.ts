import type { z } from 'zod';
import type { Refund } from '@gateway/contracts/deposits';
import type { MessageLanguage } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';
import { minorUnits } from '#src/shared/members.ts';
import { presentRefund, refundResourceSchema } from '#src/v0_1/refund-resource.ts';

/** A refund as contract 1.0 shows it (api.md 3); every member is always present. */
export const refundResourceV1Schema = refundResourceSchema
  .omit({ amount_cents: true })
  .extend({
    amount: minorUnits('What goes back to the payer.', 990),
    currency: currencySchema.describe('The currency of the amount.'),
  })
  .meta({ id: 'Refund', description: 'Money of a deposit that goes back to its payer.' });

export function presentRefundV1(refund: Refund, language?: MessageLanguage): z.infer<typeof refundResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentRefund(refund, language);
  return { ...members, amount, currency: refund.currency };
}
