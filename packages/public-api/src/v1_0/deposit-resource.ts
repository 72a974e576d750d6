import { z } from 'zod';
import type { Deposit } from '@gateway/contracts/deposits';
import { currencySchema, paymentMethods, paymentMethodSchema } from '@gateway/money';
import { depositResourceSchema, membersOfEveryContract } from '#src/v0_1/deposit-resource.ts';

const chargeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('pix'),
    emv: z.string().nullable(),
    qr_url: z.string().nullable(),
    /** The gateway's page with the code and its picture, for merchants without a page of their own. */
    redirect_url: z.string().nullable(),
  }),
  z.object({ type: z.literal('spei'), redirect_url: z.string().nullable() }),
]);

/** A deposit as contract 1.0 shows it (spec 2.1, api.md 3). The members of a payment are present once paid. */
export const depositResourceV1Schema = depositResourceSchema
  .omit({ amount_cents: true, fee_cents: true, net_cents: true, refunded_cents: true, pix: true })
  .extend({
    /** Minor units of the currency, as the three that follow. */
    amount: z.int(),
    fee: z.int(),
    net: z.int(),
    refunded: z.int(),
    /** What has arrived so far: less than `amount` while a SPEI deposit waits for the rest. */
    amount_received: z.int(),
    currency: currencySchema,
    payment_method: paymentMethodSchema,
    /** QR: show the code of `charge`. REDIRECT: send the payer to its page. */
    flow: z.enum(['QR', 'REDIRECT']),
    charge: chargeSchema,
  });
export type DepositResourceV1 = z.infer<typeof depositResourceV1Schema>;

export function presentDepositV1(deposit: Deposit): DepositResourceV1 {
  const { flow } = paymentMethods[deposit.paymentMethod];
  return {
    id: deposit.id,
    object: 'deposit',
    external_id: deposit.externalId,
    status: deposit.status,
    flow,
    charge: presentCharge(deposit),
    amount: deposit.amount,
    fee: deposit.fee,
    net: deposit.net,
    refunded: deposit.refunded,
    amount_received: deposit.received,
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    ...membersOfEveryContract(deposit),
  };
}

function presentCharge({ paymentMethod, emv, qrUrl, redirectUrl }: Deposit): z.infer<typeof chargeSchema> {
  const { chargeType } = paymentMethods[paymentMethod];
  switch (chargeType) {
    case 'pix':
      return { type: chargeType, emv, qr_url: qrUrl, redirect_url: redirectUrl };
    case 'spei':
      return { type: chargeType, redirect_url: redirectUrl };
  }
}
