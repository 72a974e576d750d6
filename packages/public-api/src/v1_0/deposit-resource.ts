import { z } from 'zod';
import { currencySchema, paymentMethodSchema, rails } from '@gateway/money';
import { depositResourceSchema } from '#src/v0_1/deposit-resource.ts';
import { minorUnits, text } from '#src/shared/members.ts';

/** The members of a charge beside its type. The page is the gateway's, for merchants without one of their own. */
const shownRedirectUrl = text(
  'The address of the payment page, for merchants without one of their own.',
  'https://gateway.example/pay/dep_01k9z3m4v6t8x0a2c4e6g8jk01/…',
).nullable();
const chargeMembers = {
  code: {
    emv: text(
      'The copy-and-paste code (BR Code) that the payer enters in a banking app.',
      '00020101021226…',
    ).nullable(),
    qr_url: text(
      'The address of the code as a QR picture, for as long as the deposit can be paid; it needs no key.',
      'https://gateway.example/v1/deposits/dep_01k9z3m4v6t8x0a2c4e6g8jk01/qr.svg?token=…',
    ).nullable(),
    redirect_url: shownRedirectUrl,
  },
  account: {
    clabe: text('The account number (CLABE) that the payer transfers to.', '000000446571238716').nullable(),
    beneficiary: text('Whose account that is, where the provider says so.', 'Pasarela SA de CV').nullable(),
    redirect_url: shownRedirectUrl,
  },
};

function chargeSchemaOf<Rail extends (typeof rails)[keyof typeof rails]>({ charge }: Rail) {
  const type: Rail['charge']['type'] = charge.type;
  const members = chargeMembers[charge.kind];
  return z.object({ type: z.literal(type).describe('The rail of the charge.'), ...members }).meta({
    id: `${type === 'pix' ? 'Pix' : 'Spei'}Charge`,
    description: `What the payer needs to pay by ${type.toUpperCase()}.`,
  });
}

/** By rail: what a payer is shown or sent to. */
const chargeSchema = z.discriminatedUnion('type', [chargeSchemaOf(rails.PIX), chargeSchemaOf(rails.SPEI)]);

/** A deposit as contract 1.0 shows it (spec 2.1, api.md 3). The members of a payment are present once paid. */
export const depositResourceV1Schema = depositResourceSchema
  .omit({ amount_cents: true, fee_cents: true, net_cents: true, refunded_cents: true, pix: true })
  .extend({
    amount: minorUnits('What the payer is charged.'),
    fee: minorUnits('What the gateway keeps of it.', 50),
    net: minorUnits('What is credited: the amount without the fee.', 1_940),
    refunded: minorUnits('What has gone back to the payer in refunds.', 0),
    amount_received: minorUnits(
      'What has arrived so far: a SPEI payer types the amount, and `amount` stays what was asked.',
      0,
    ),
    currency: currencySchema.describe('The currency of the amounts.'),
    payment_method: paymentMethodSchema.describe('The rail it is paid on.'),
    flow: z
      .enum(['QR', 'REDIRECT'])
      .describe('`QR`: show the code of `charge`. `REDIRECT`: send the payer to its page.'),
    charge: chargeSchema.describe('What the payer needs to pay; its `type` says which rail.'),
  })
  .meta({ id: 'Deposit', description: 'A charge that a payer pays.' });
export type DepositResourceV1 = z.infer<typeof depositResourceV1Schema>;
