import { z } from 'zod';
import type { Deposit } from '@gateway/contracts/deposits';
import { currencySchema, paymentMethodSchema, rails } from '@gateway/money';
import { askedAmount, depositResourceSchema, membersOfEveryContract } from '#src/v0_1/deposit-resource.ts';

/** The members of a charge beside its type. The page is the gateway's, for merchants without one of their own. */
const chargeMembers = {
  code: { emv: z.string().nullable(), qr_url: z.string().nullable(), redirect_url: z.string().nullable() },
  account: {
    clabe: z.string().nullable(),
    beneficiary: z.string().nullable(),
    redirect_url: z.string().nullable(),
  },
};

function chargeSchemaOf<Rail extends (typeof rails)[keyof typeof rails]>({ charge }: Rail) {
  const type: Rail['charge']['type'] = charge.type;
  const members = chargeMembers[charge.kind];
  return z.object({ type: z.literal(type), ...members });
}

/** By rail: what a payer is shown or sent to. */
const chargeSchema = z.discriminatedUnion('type', [chargeSchemaOf(rails.PIX), chargeSchemaOf(rails.SPEI)]);

/** A deposit as contract 1.0 shows it (spec 2.1, api.md 3). The members of a payment are present once paid. */
export const depositResourceV1Schema = depositResourceSchema
  .omit({ amount_cents: true, fee_cents: true, net_cents: true, refunded_cents: true, pix: true })
  .extend({
    /** Minor units of the currency, as the three that follow. */
    amount: z.int(),
    fee: z.int(),
    net: z.int(),
    refunded: z.int(),
    /** What has arrived: a SPEI payer types the amount, and `amount` stays what was asked. */
    amount_received: z.int(),
    currency: currencySchema,
    payment_method: paymentMethodSchema,
    /** QR: show the code of `charge`. REDIRECT: send the payer to its page. */
    flow: z.enum(['QR', 'REDIRECT']),
    charge: chargeSchema,
  });
export type DepositResourceV1 = z.infer<typeof depositResourceV1Schema>;

export function presentDepositV1(deposit: Deposit): DepositResourceV1 {
  const { flow } = rails[deposit.paymentMethod].charge;
  return {
    id: deposit.id,
    object: 'deposit',
    external_id: deposit.externalId,
    status: deposit.status,
    flow,
    charge: presentCharge(deposit),
    amount: askedAmount(deposit),
    fee: deposit.fee,
    net: deposit.net,
    refunded: deposit.refunded,
    amount_received: deposit.received,
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    ...membersOfEveryContract(deposit),
  };
}

function presentCharge({
  paymentMethod,
  emv,
  qrUrl,
  clabe,
  beneficiary,
  redirectUrl,
}: Deposit): z.infer<typeof chargeSchema> {
  const { charge } = rails[paymentMethod];
  switch (charge.kind) {
    case 'code':
      return { type: charge.type, emv, qr_url: qrUrl, redirect_url: redirectUrl };
    case 'account':
      return { type: charge.type, clabe, beneficiary, redirect_url: redirectUrl };
  }
}
