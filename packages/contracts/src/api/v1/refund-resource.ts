import { z } from 'zod';
import { presentRefund, refundResourceSchema } from '#src/api/refund-resource.ts';
import type { Refund } from '#src/deposits/refund.ts';
import { currencySchema } from '#src/money/currency.ts';

/** A refund as contract 1.0 shows it (api.md 3); every member is always present. */
export const refundResourceV1Schema = refundResourceSchema
  .omit({ amount_cents: true })
  .extend({ amount: z.int(), currency: currencySchema });

export function presentRefundV1(refund: Refund): z.infer<typeof refundResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentRefund(refund);
  return { ...members, amount, currency: refund.currency };
}
