import { z } from 'zod';
import { depositStatusSchema, type Deposit } from '@gateway/contracts/deposits';
import { environmentSchema, metadataValueSchema } from '@gateway/contracts/values';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';

const nullableText = z.string().nullable();

/** A deposit as contract 0.1 shows it (spec 2.1, api.md 2). The members of a payment are present once paid. */
export const depositResourceSchema = z.object({
  id: z.string(),
  object: z.literal('deposit'),
  external_id: z.string(),
  status: depositStatusSchema,
  amount_cents: z.int(),
  currency: foreignCurrencySchema,
  fee_cents: z.int(),
  net_cents: z.int(),
  refunded_cents: z.int(),
  pix: z.object({ emv: nullableText, qr_url: nullableText }),
  payer: z.object({ name: nullableText, email: nullableText, phone: nullableText, document: nullableText }).nullable(),
  metadata: z.record(z.string(), metadataValueSchema),
  return_url: nullableText,
  description: nullableText,
  callback_url: z
    .string()
    .optional()
    .describe("Where this deposit's events are sent besides the webhooks; present when it was given."),
  payment_url: nullableText,
  environment: environmentSchema,
  created_at: z.int(),
  expires_at: z.int(),
  paid_at: z.string().optional(),
  e2e_id: z.string().optional(),
  payer_details: z
    .object({ name: nullableText, document: nullableText, bank: nullableText, ispb: nullableText })
    .optional(),
});
export type DepositResource = z.infer<typeof depositResourceSchema>;

export function presentDeposit(deposit: Deposit): DepositResource {
  return {
    id: deposit.id,
    object: 'deposit',
    external_id: deposit.externalId,
    status: deposit.status,
    amount_cents: askedAmount(deposit),
    ...foreignCurrency(deposit),
    fee_cents: deposit.fee,
    net_cents: deposit.net,
    refunded_cents: deposit.refunded,
    pix: { emv: deposit.emv, qr_url: deposit.qrUrl },
    ...membersOfEveryContract(deposit),
  };
}

/** What the merchant asked for, whatever the payer typed. */
export function askedAmount({ asked, amount }: Deposit): number {
  return asked ?? amount;
}

/** The members that are the same in every contract. Those of a payment are present once paid. */
export function membersOfEveryContract({ paidAt, e2eId, payerDetails, ...deposit }: Deposit) {
  return {
    payer: deposit.payer,
    metadata: deposit.metadata,
    return_url: deposit.returnUrl,
    description: deposit.description,
    ...(deposit.callbackUrl === null ? {} : { callback_url: deposit.callbackUrl }),
    payment_url: deposit.redirectUrl,
    environment: deposit.environment,
    created_at: deposit.createdAt,
    expires_at: deposit.expiresAt,
    ...(paidAt === null ? {} : { paid_at: paidAt }),
    ...(e2eId === null ? {} : { e2e_id: e2eId }),
    ...(payerDetails === null ? {} : { payer_details: payerDetails }),
  };
}
