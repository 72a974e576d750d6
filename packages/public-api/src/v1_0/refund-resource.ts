import { z } from 'zod';
import type { Refund } from '@gateway/contracts/deposits';
import type { MessageLanguage } from '@gateway/contracts/payouts';
import { currencySchema } from '@gateway/money';
import { presentRefund, refundResourceSchema } from '#src/v0_1/refund-resource.ts';

/** A refund as contract 1.0 shows it (api.md 3); every member is always present. */
export const refundResourceV1Schema = refundResourceSchema
  .omit({ amount_cents: true })
  .extend({ amount: z.int(), currency: currencySchema });

export function presentRefundV1(refund: Refund, language?: MessageLanguage): z.infer<typeof refundResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentRefund(refund, language);
  return { ...members, amount, currency: refund.currency };
}
