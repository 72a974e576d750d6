import { z } from 'zod';
import { inboundEndToEndIdMaxCharacters } from '@gateway/pix';
import { centsSchema, movedCentsSchema } from '#src/amount-text.ts';

/*
 * Replies of the Woovi API (Open-Pix/openpix-developers), as far as they are read. Amounts are integers in cents. What the
 * description calls optional and the adapter cannot do without is asked for here.
 */

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const e2eIdSchema = z.string().min(1).max(inboundEndToEndIdMaxCharacters);
const correlationIdSchema = z.string().min(1).max(255);

export const errorSchema = z.object({ error: z.string(), errorCode: z.string().optional() });

const chargeSchema = z.object({
  status: z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED']),
  correlationID: correlationIdSchema,
  value: movedCentsSchema,
  brCode: z.string().min(1).max(1024),
  transactionID: z.string().min(1).max(64),
  expiresDate: instantSchema,
});
export type WooviCharge = z.infer<typeof chargeSchema>;

export const chargeReplySchema = z.object({ charge: chargeSchema });

export const partySchema = z.object({
  name: z.string().nullish(),
  taxID: z.object({ taxID: z.string() }).nullish(),
});

export const transactionSchema = z.object({
  type: z.string().optional(),
  value: movedCentsSchema,
  time: instantSchema,
  endToEndId: e2eIdSchema,
  charge: z.object({ correlationID: correlationIdSchema }).nullish(),
  payer: partySchema.nullish(),
});
export type WooviTransaction = z.infer<typeof transactionSchema>;

/**
 * What comes back of a payment. The description names its event and its kind of transaction (REVERSAL) and not their
 * content: read as the return of a payment received, with the payment it belongs to.
 */
export const paymentReversalSchema = z.object({
  value: movedCentsSchema,
  time: instantSchema,
  endToEndId: e2eIdSchema,
  payment: z.object({ correlationID: correlationIdSchema }),
});
export type WooviReversal = z.infer<typeof paymentReversalSchema>;

const pageInfoSchema = z.object({ hasNextPage: z.boolean().default(false) }).default({ hasNextPage: false });

export const transactionPageSchema = z.object({ transactions: z.array(z.unknown()), pageInfo: pageInfoSchema });
export const disputePageSchema = z.object({ disputes: z.array(z.unknown()), pageInfo: pageInfoSchema });

/** As notifications tell it. */
export const refundNoticeSchema = z.object({
  status: z.enum(['IN_PROCESSING', 'CONFIRMED', 'REJECTED']),
  correlationID: correlationIdSchema,
  endToEndId: e2eIdSchema.nullish(),
});

/** Of a payment by its end-to-end id: `/api/v1/refund`. */
const refundSchema = z.object({
  status: z.enum(['IN_PROCESSING', 'REFUNDED', 'NOT_ACCOMPLISHED']),
  correlationID: correlationIdSchema,
  value: movedCentsSchema,
  refundId: z.string().nullish(),
  returnIdentification: e2eIdSchema.nullish(),
});
export type WooviRefund = z.infer<typeof refundSchema>;

export const refundReplySchema = z.object({ refund: refundSchema });
export const foundRefundSchema = z.object({ pixTransactionRefund: refundSchema });

/** APPROVED is missing from the description's enumeration and present in its examples. */
const paymentSchema = z.object({
  correlationID: correlationIdSchema,
  value: movedCentsSchema,
  status: z.enum(['CREATED', 'APPROVED', 'CONFIRMED', 'FAILED', 'DENIED']),
});

const paymentTransactionSchema = z.object({
  endToEndId: e2eIdSchema.nullish(),
  time: instantSchema.nullish(),
  providerErrorCode: z.string().nullish(),
  providerRejectedReason: z.string().nullish(),
});

export const paymentReplySchema = z.object({
  payment: paymentSchema,
  transaction: paymentTransactionSchema.nullish(),
  error: z.object({ code: z.string().nullish(), description: z.string().nullish() }).nullish(),
});
export type WooviPaymentReply = z.infer<typeof paymentReplySchema>;

export const keyCheckSchema = z.object({
  pixKeyEndToEndId: e2eIdSchema.nullish(),
  owner: z.object({ taxID: z.string().min(1) }),
});

const accountSchema = z.object({
  isDefault: z.boolean().optional(),
  balance: z.object({ available: centsSchema, blocked: centsSchema }),
});
export const accountReplySchema = z.object({ account: accountSchema });
export const accountListSchema = z.object({ accounts: z.array(accountSchema) });

export const disputeSchema = z.object({
  /** In notifications; the description of the lookup does not have it. */
  id: z.string().min(1).max(64).optional(),
  status: z.enum(['CREATED', 'OPENED', 'IN_REVIEW', 'ACCEPTED', 'REJECTED', 'CANCELED']),
  endToEndId: e2eIdSchema,
  value: movedCentsSchema,
  disputeReason: z.string().nullish(),
  createdAt: instantSchema.optional(),
  updatedAt: instantSchema.optional(),
});
export type WooviDispute = z.infer<typeof disputeSchema>;
export const disputeReplySchema = z.object({ dispute: disputeSchema });

export const webhookListSchema = z.object({
  webhooks: z.array(z.object({ event: z.string(), url: z.string(), isActive: z.boolean().default(true) })),
});
