import { z } from 'zod';
import { idSchema, currencySchema, paymentMethodSchema, amountSchema, minorUnitsSchema } from '@gateway/money';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { metadataValueSchema } from '#src/values/request-text.ts';

export const depositStatusSchema = z.enum(['PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'FAILED']).meta({
  id: 'DepositStatus',
  description:
    '`PENDING`: can be paid. `PAID`: paid and credited. `EXPIRED`: its time ran out. `REFUNDED`: all of it went back to ' +
    'the payer. `FAILED`: it was canceled.',
});
export type DepositStatus = z.infer<typeof depositStatusSchema>;

export const metadataSchema = z
  .record(z.string().min(1).max(40), metadataValueSchema)
  .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 keys');
export type Metadata = z.infer<typeof metadataSchema>;

export const payerSchema = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** CPF or CNPJ without punctuation. */
  document: z.string().nullable(),
});
export type Payer = z.infer<typeof payerSchema>;

/** Bank data of the account that really paid; the document is masked. */
export const payerDetailsSchema = z.object({
  name: z.string().nullable(),
  document: z.string().nullable(),
  bank: z.string().nullable(),
  ispb: z.string().nullable(),
});
export type PayerDetails = z.infer<typeof payerDetailsSchema>;

/** A deposit as the services know it, in no contract version; presenters give it its public shape. */
export const depositSchema = z.object({
  id: idSchema('deposit'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  externalId: z.string(),
  status: depositStatusSchema,
  currency: currencySchema,
  paymentMethod: paymentMethodSchema,
  /** Minor units charged to the payer; once paid, what was received. */
  amount: amountSchema,
  /** What was asked for, where the payer types the amount; null elsewhere, and then `amount` is it. */
  asked: amountSchema.nullable().default(null),
  fee: minorUnitsSchema,
  net: minorUnitsSchema,
  refunded: minorUnitsSchema,
  /** What has arrived so far; on SPEI a payer may send less than was asked, and the rest later. */
  received: minorUnitsSchema.default(0),
  /** Copy-and-paste code of a PIX charge. */
  emv: z.string().nullable(),
  /** Account number of a SPEI charge. Senders from before there was a second rail do not name it. */
  clabe: z.string().nullable().default(null),
  /** Whose account that is, where the provider says so. */
  beneficiary: z.string().nullable().default(null),
  /** The hosted page of the charge. */
  redirectUrl: z.string().nullable(),
  /** Where the QR picture of the code is shown without credentials, for as long as the charge lives. */
  qrUrl: z.string().nullable(),
  payer: payerSchema.nullable(),
  payerDetails: payerDetailsSchema.nullable(),
  e2eId: z.string().nullable(),
  callbackUrl: z.string().nullable(),
  /** Where the hosted page sends the payer back to. */
  returnUrl: z.string().nullable().default(null),
  /** What the payer pays for, as the hosted page shows it. */
  description: z.string().nullable().default(null),
  metadata: metadataSchema,
  /** Contract of the call that created it; its callback_url is answered in it. */
  apiVersion: apiVersionSchema,
  /** Unix seconds. */
  createdAt: z.int(),
  /** Unix seconds. */
  expiresAt: z.int(),
  /** ISO 8601 UTC with milliseconds. */
  paidAt: z.string().nullable(),
});
export type Deposit = z.infer<typeof depositSchema>;

/** What a link token to a deposit's QR picture is signed for. */
export function depositQrResource(depositId: string): string {
  return `deposit-qr ${depositId}`;
}

/** What a link token to a deposit's hosted page is signed for. */
export function depositPageResource(depositId: string): string {
  return `deposit-page ${depositId}`;
}

/** What the token in the page's form is signed for that simulates the payment. */
export function depositSimulationResource(depositId: string): string {
  return `deposit-simulation ${depositId}`;
}
