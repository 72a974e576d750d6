import { z } from 'zod';
import { centsSchema, movedCentsSchema } from '#src/wire-amounts.ts';

/*
 * Replies of a SPEI provider, as far as they are read: an account number (CLABE) per charge, amounts in integer centavos,
 * references given by us, a tracking key (clave de rastreo) for everything that moved.
 */

const trackingKeyMaxCharacters = 64;
const referenceMaxCharacters = 64;

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const trackingKeySchema = z.string().min(1).max(trackingKeyMaxCharacters);
const referenceSchema = z.string().min(1).max(referenceMaxCharacters);
/** Stated with every amount; one that leaves it out means pesos. */
const currencySchema = z.string().length(3).default('MXN');

export const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const partySchema = z.object({
  name: z.string().nullish(),
  /** RFC or CURP. */
  document: z.string().nullish(),
  bank: z.string().nullish(),
});

export const paymentSchema = z.object({
  tracking_key: trackingKeySchema,
  charge_reference: referenceSchema,
  amount: movedCentsSchema,
  currency: currencySchema,
  paid_at: instantSchema,
  payer: partySchema.nullish(),
});
export type SpeiPayment = z.infer<typeof paymentSchema>;

/** An account number of the provider's own is taken as it is: test environments give out ones with wrong control digits. */
export const chargeSchema = z.object({
  id: z.string().min(1).max(64),
  reference: referenceSchema,
  amount: movedCentsSchema,
  currency: currencySchema,
  clabe: z.string().regex(/^\d{18}$/),
  status: z.enum(['PENDING', 'COMPLETED', 'EXPIRED', 'CANCELED']),
  expires_at: instantSchema,
  payments: z.array(paymentSchema),
});
export type SpeiChargeReply = z.infer<typeof chargeSchema>;

export const transferSchema = z.object({
  reference: referenceSchema,
  tracking_key: trackingKeySchema,
  amount: movedCentsSchema,
  currency: currencySchema,
  status: z.enum(['PROCESSING', 'SETTLED', 'FAILED']),
  settled_at: instantSchema.nullish(),
  failure: z.object({ code: z.string(), message: z.string() }).nullish(),
});
export type SpeiTransfer = z.infer<typeof transferSchema>;

export const transferReturnSchema = z.object({
  transfer_reference: referenceSchema,
  return_key: trackingKeySchema,
  amount: movedCentsSchema,
  currency: currencySchema,
  returned_at: instantSchema,
  reason: z.string().nullish(),
});
export type SpeiReturn = z.infer<typeof transferReturnSchema>;

/** `GET /transfers/{reference}/returns`: everything that came back of it, in one answer. */
export const transferReturnsSchema = z.object({ returns: z.array(transferReturnSchema) });

export const refundSchema = z.object({
  reference: referenceSchema,
  return_key: trackingKeySchema,
  amount: movedCentsSchema,
  currency: currencySchema,
  status: z.enum(['PROCESSING', 'SETTLED', 'FAILED']),
  failure: z.object({ code: z.string(), message: z.string() }).nullish(),
});
export type SpeiRefund = z.infer<typeof refundSchema>;

export const balanceSchema = z.object({ available: centsSchema, blocked: centsSchema });

export const paymentPageSchema = z.object({ payments: z.array(z.unknown()), has_more: z.boolean() });
export const returnPageSchema = z.object({ returns: z.array(z.unknown()), has_more: z.boolean() });

export const notificationSchema = z.object({
  id: z.string().min(1).max(64),
  type: z.string().min(1).max(64),
  created_at: instantSchema,
  data: z.unknown(),
});
export type SpeiNotification = z.infer<typeof notificationSchema>;
