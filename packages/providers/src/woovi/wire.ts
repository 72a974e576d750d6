import { z } from 'zod';
import { inboundEndToEndIdMaxCharacters } from '@gateway/pix';
import { centsSchema, movedCentsSchema } from '#src/wire-amounts.ts';

/*
 * Replies of the Woovi API (Open-Pix/openpix-developers), as far as they are read. Amounts are integers in cents. What the
 * description calls optional and the adapter cannot do without is asked for here; everything else may be missing or null.
 */

/** A member that Woovi leaves out, or writes as null. */
const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
/** The same for one that must not make an item unreadable. */
const unimportant = <T extends z.ZodType>(schema: T) => absent(schema).catch(undefined);

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const e2eIdSchema = z.string().min(1).max(inboundEndToEndIdMaxCharacters);
const correlationIdSchema = z.string().min(1).max(255);

export const errorSchema = z.object({ error: z.string(), errorCode: z.string().optional() });

const txidSchema = z.string().min(1).max(64);

const chargeSchema = z
  .object({
    correlationID: correlationIdSchema,
    value: movedCentsSchema,
    brCode: z.string().min(1).max(1024),
    transactionID: absent(txidSchema),
    /** Some answers have the txid here alone. */
    paymentMethods: unimportant(z.object({ pix: z.object({ transactionID: txidSchema }) })),
    expiresDate: unimportant(instantSchema),
  })
  .transform(({ transactionID, paymentMethods, ...charge }, context) => {
    const txid = transactionID ?? paymentMethods?.pix.transactionID;
    if (txid !== undefined) return { ...charge, transactionID: txid };
    context.addIssue({ code: 'custom', path: ['transactionID'], message: 'no txid' });
    return z.NEVER;
  });
export type WooviCharge = z.infer<typeof chargeSchema>;

export const chargeReplySchema = z.object({ charge: chargeSchema });

/** What became of a charge needs nothing of what it was made of. */
export const chargeStateSchema = z.object({
  charge: z.object({ status: z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED']), correlationID: correlationIdSchema }),
});

export const partySchema = z.object({
  name: unimportant(z.string()),
  taxID: unimportant(z.object({ taxID: z.string() })),
});

/** The description spells the id both ways. */
const spelledIdSchema = z.object({ endToEndId: absent(e2eIdSchema), endToEndID: absent(e2eIdSchema) });

/** The description's enumerations of `type` and `status` are each other's; its examples have them as they are read here. */
export const transactionSchema = spelledIdSchema
  .extend({
    type: unimportant(z.string()),
    status: unimportant(z.string()),
    value: movedCentsSchema,
    time: instantSchema,
    charge: absent(z.looseObject({ correlationID: absent(correlationIdSchema) })),
    /** The payment sent that the transaction belongs to, where it belongs to one. */
    withdraw: unimportant(spelledIdSchema),
    payment: unimportant(z.object({ correlationID: correlationIdSchema })),
    payer: unimportant(partySchema),
  })
  .transform(({ endToEndId, endToEndID, ...transaction }, context) => {
    const id = endToEndId ?? endToEndID;
    if (id !== undefined) return { ...transaction, endToEndId: id };
    context.addIssue({ code: 'custom', path: ['endToEndId'], message: 'no end-to-end id' });
    return z.NEVER;
  });
export type WooviTransaction = z.infer<typeof transactionSchema>;

const notMovedStatuses: ReadonlySet<string | undefined> = new Set(['CREATED', 'IN_PROCESSING', 'REJECTED']);

/** Whether its money has moved: one that is under way, or was rejected, is listed too. */
export function hasMoved({ status }: Pick<WooviTransaction, 'status'>): boolean {
  return !notMovedStatuses.has(status);
}

/** As notifications have it. */
export const refundNoticeSchema = z.object({
  status: z.enum(['IN_PROCESSING', 'CONFIRMED', 'REJECTED']),
  correlationID: correlationIdSchema,
  endToEndId: absent(e2eIdSchema),
});

/** `GET /api/v1/charge/{id}/refund`. */
export const chargeRefundsSchema = z.object({
  refunds: z.array(refundNoticeSchema.extend({ value: movedCentsSchema })),
});

const accountOfPartySchema = z.object({ account: unimportant(z.object({ account: z.string() })) });

/** A transaction in a notification about one that went back, with who sent and who got it. */
const movedSchema = z.object({
  value: unimportant(movedCentsSchema),
  time: unimportant(instantSchema),
  endToEndId: e2eIdSchema,
  type: unimportant(z.string()),
  debitParty: unimportant(accountOfPartySchema),
  creditParty: unimportant(accountOfPartySchema),
});

/** `PIX_TRANSACTION_REFUND_*`: as published. */
export const returnNoticeSchema = z.object({
  refundTransaction: movedSchema,
  originalTransaction: z.object({ endToEndId: e2eIdSchema, type: unimportant(z.string()) }),
  /** Our own account. */
  account: unimportant(z.object({ account: z.string() })),
  error: unimportant(z.string()),
});
export type WooviReturnNotice = z.infer<typeof returnNoticeSchema>;

/** The same event with the payment it belongs to, as it was read before it was described. */
export const paymentReturnNoticeSchema = z.object({
  payment: z.object({ correlationID: correlationIdSchema }),
  pix: z.object({ value: movedCentsSchema, time: instantSchema, endToEndId: e2eIdSchema }),
});

/** Of a payment by its end-to-end id: `/api/v1/refund`. */
const refundSchema = z.object({
  /** Missing in the example of the lookup. */
  status: absent(z.enum(['IN_PROCESSING', 'REFUNDED', 'NOT_ACCOMPLISHED'])),
  correlationID: correlationIdSchema,
  value: movedCentsSchema,
  refundId: absent(z.string()),
  returnIdentification: absent(e2eIdSchema),
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
  providerErrorCode: unimportant(z.string()),
  providerRejectedReason: unimportant(z.string()),
});

const wooviErrorSchema = z.object({ code: unimportant(z.string()), description: unimportant(z.string()) });

export const paymentReplySchema = z.object({
  payment: paymentSchema,
  transaction: paymentTransactionSchema.nullish(),
  error: unimportant(wooviErrorSchema),
});
export type WooviPaymentReply = z.infer<typeof paymentReplySchema>;

/** As notifications have it: the event says what became of the payment, and it is asked for by its name. */
export const paymentNoticeSchema = z.object({
  payment: z.object({ correlationID: correlationIdSchema }),
  transaction: unimportant(paymentTransactionSchema),
  error: unimportant(wooviErrorSchema),
});

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

/** No member is required by the description: without a status and a payment it says nothing, all else may be missing. */
export const disputeSchema = z.object({
  /** In notifications; the description of the lookup does not have it. */
  id: unimportant(z.string().min(1).max(64)),
  status: z.enum(['CREATED', 'OPENED', 'IN_REVIEW', 'ACCEPTED', 'REJECTED', 'CANCELED']),
  endToEndId: e2eIdSchema,
  value: unimportant(movedCentsSchema),
  createdAt: unimportant(instantSchema),
  updatedAt: unimportant(instantSchema),
});
export type WooviDispute = z.infer<typeof disputeSchema>;
export const disputeReplySchema = z.object({ dispute: disputeSchema });
/** The lookup goes by the payment's id, and need not repeat it. */
export const foundDisputeSchema = z.object({ dispute: disputeSchema.partial({ endToEndId: true }) });

export const publicKeysSchema = z.object({ public_keys: z.array(z.object({ key: z.string().max(10_000) })).max(100) });

export const webhookListSchema = z.object({
  webhooks: z.array(z.object({ event: z.string(), url: z.string(), isActive: z.boolean().default(true) })),
});
