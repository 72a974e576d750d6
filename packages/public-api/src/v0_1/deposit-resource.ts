import { z } from 'zod';
import { depositStatusSchema } from '@gateway/contracts/deposits';
import { environmentSchema } from '@gateway/contracts/values';
import { foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { isoTime, minorUnits, objectName, recordId, shownMetadata, text, unixSeconds } from '#src/shared/members.ts';

/** The payer as the creating call named them. */
const payerResourceSchema = z
  .object({
    name: text('The name that the creating call gave.', 'Maria Souza').nullable(),
    email: text('The e-mail address that the creating call gave.', 'maria@example.com').nullable(),
    phone: text('The phone number that the creating call gave.', '+5511987654321').nullable(),
    document: text('The tax document that the creating call gave, without punctuation.', '12345678909').nullable(),
  })
  .meta({ id: 'Payer', description: 'The payer as the creating call named them; null where it left a member out.' });

/** Who really paid. */
export const payerDetailsResourceSchema = z
  .object({
    name: text('The holder of the account that paid.', 'Maria Souza').nullable(),
    document: text("The holder's tax document, masked.", '***.456.789-**').nullable(),
    bank: text('The bank of that account.', 'Banco Exemplo').nullable(),
    ispb: text('The ISPB, the number of that bank at the central bank.', '12345678').nullable(),
  })
  .meta({ id: 'PayerDetails', description: 'The account that really paid, as its bank reports it.' });

const pixResourceSchema = z
  .object({
    emv: text(
      'The copy-and-paste code (BR Code) that the payer enters in a banking app.',
      '00020101021226…',
    ).nullable(),
    qr_url: text(
      'The address of the code as a QR picture, for as long as the deposit can be paid; it needs no key.',
      'https://gateway.example/v1/deposits/dep_01k9z3m4v6t8x0a2c4e6g8jk01/qr.svg?token=…',
    ).nullable(),
  })
  .meta({ id: 'PixCharge', description: 'What the payer needs to pay by PIX.' });

/** A deposit as contract 0.1 shows it (spec 2.1, api.md 2). The members of a payment are present once paid. */
export const depositResourceSchema = z
  .object({
    id: recordId('deposit', 'The id of the deposit.'),
    object: objectName('deposit'),
    external_id: text("The merchant's own reference, from the creating call.", 'order-1001'),
    status: depositStatusSchema.describe('What has become of the deposit.'),
    amount_cents: minorUnits('What the payer is charged.'),
    currency: foreignCurrencySchema,
    fee_cents: minorUnits('What the gateway keeps of it.', 50),
    net_cents: minorUnits('What is credited: the amount without the fee.', 1_940),
    refunded_cents: minorUnits('What has gone back to the payer in refunds.', 0),
    pix: pixResourceSchema,
    payer: payerResourceSchema.nullable().describe('The payer as the creating call named them, if it did.'),
    return_url: text('Where the hosted page sends the payer back to.', 'https://shop.example/thanks').nullable(),
    description: text('What the payer pays for, as the hosted page shows it.', 'Order 1001').nullable(),
    callback_url: text(
      'Where the events of this deposit are sent besides the webhooks; present when it was given.',
      'https://shop.example/callback',
    ).optional(),
    payment_url: text(
      'The address of the payment page, for merchants without one of their own.',
      'https://gateway.example/pay/dep_01k9z3m4v6t8x0a2c4e6g8jk01/…',
    ).nullable(),
    metadata: shownMetadata(),
    environment: environmentSchema.describe('The environment of the key that created it.'),
    created_at: unixSeconds('When it was created.'),
    expires_at: unixSeconds('Until when it can be paid.', 1_767_434_400),
    paid_at: isoTime('When it was paid; absent before.').optional(),
    e2e_id: text(
      'The id of the payment on its rail; absent before it is paid.',
      'E12345678202601021004abcdef12345',
    ).optional(),
    payer_details: payerDetailsResourceSchema.optional().describe('Who really paid; absent before it is paid.'),
  })
  .meta({ id: 'Deposit', description: 'A charge that a payer pays.' });
export type DepositResource = z.infer<typeof depositResourceSchema>;
