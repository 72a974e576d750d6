import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { orphanReceiptSchema } from '#src/deposits/orphan-receipt-rpc.ts';
import { refundSchema, refundStatusSchema } from '#src/deposits/refund.ts';
import { returnAttentionSchema, returnOutcomeSchema, returnResolutionSchema } from '#src/deposits/return-to-payer.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { shownIn, shownPageSchema } from '#src/values/shown-page.ts';
import { defineRpc } from '#src/messages/define.ts';
import { recordFilter } from '#src/values/record-filter.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };
const page = { limit: z.int().min(1).max(200), cursor: z.string().optional() };

/** A refund with what only operators see of it. */
export const operatorRefundSchema = refundSchema.extend({
  provider: z.string(),
  /** Our reference at the provider. */
  reference: z.string(),
  providerRef: z.string().nullable(),
  /** W3C trace id of the call that created it; null where none was recorded. */
  traceId: z.string().nullable().default(null),
  /** How often the provider has been asked since. */
  attempts: z.int(),
  /** ISO 8601; since when a call may have been carried out of which nothing is known. */
  unknownSince: z.string().nullable(),
  attentionAt: z.string().nullable(),
  attention: returnAttentionSchema.nullable(),
  resolution: returnResolutionSchema.nullable(),
  /** What two operators may state of it as it is. */
  outcomes: z.array(returnOutcomeSchema).default([]),
});
export type OperatorRefund = z.infer<typeof operatorRefundSchema>;

/**
 * For a caller without an answer to `createRefund`: the refund of that externalId, or null, and then none comes into being
 * any more by a call that was under way.
 */
export const abandonRefund = defineRpc({
  subject: 'rpc.deposits.abandon-refund.v1',
  owner: 'deposits',
  request: z.object({ ...owner, externalId: z.string() }),
  reply: z.object({ refund: refundSchema.nullable() }),
});

export const getRefund = defineRpc({
  subject: 'rpc.deposits.get-refund.v1',
  owner: 'deposits',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ refund: refundSchema }),
});

/** A page of an account's refunds. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listAccountRefunds = defineRpc({
  subject: 'rpc.deposits.list-account-refunds.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    ...page,
    status: refundStatusSchema.optional(),
    depositId: z.string().optional(),
    ...listWindow,
  }),
  reply: z.object({ refunds: z.array(refundSchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showAccountRefunds = defineRpc({
  subject: 'rpc.deposits.show-account-refunds.v1',
  owner: 'deposits',
  request: listAccountRefunds.request.extend(shownIn),
  reply: shownPageSchema,
});

/** A page of the refunds of all accounts, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listOperatorRefunds = defineRpc({
  subject: 'rpc.deposits.list-operator-refunds.v1',
  owner: 'deposits',
  request: z.object({
    ...page,
    /** `e2eId`: of the payment that is refunded, or of the return. */
    ...recordFilter,
    status: refundStatusSchema.optional(),
    depositId: idSchema('deposit').optional(),
    /** Only those that need an operator to go on. */
    attention: z.boolean().optional(),
  }),
  reply: z.object({ refunds: z.array(operatorRefundSchema), nextCursor: z.string().nullable() }),
});

/**
 * Ends a refund or an orphan receipt whose provider reports no end, as two operators have found out. One that has that
 * end already is answered as it is; INVALID_STATE for any other that is not under way, and for one that is no longer what
 * it was when that was proposed.
 */
export const resolveRefund = defineRpc({
  subject: 'rpc.deposits.resolve-refund.v1',
  owner: 'deposits',
  request: z.object({
    id: z.string(),
    ...returnResolutionSchema.omit({ resolvedAt: true }).shape,
    /** What it was given for; gateways of an older release send none. */
    proposal: z
      .object({
        /** ISO 8601 UTC with milliseconds. */
        at: z.string(),
        /** The status of the refund, or the state of the receipt, then. */
        status: z.string(),
      })
      .nullable()
      .default(null),
  }),
  reply: z.union([
    z.object({ kind: z.literal('refund'), before: operatorRefundSchema, after: operatorRefundSchema }),
    z.object({ kind: z.literal('orphan_receipt'), before: orphanReceiptSchema, after: orphanReceiptSchema }),
  ]),
});

const returnSchema = z.union([
  z.object({ kind: z.literal('refund'), record: operatorRefundSchema }),
  z.object({ kind: z.literal('orphan_receipt'), record: orphanReceiptSchema }),
]);

/** A refund of any account, or an orphan receipt, by its id. */
export const getReturn = defineRpc({
  subject: 'rpc.deposits.get-return.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: returnSchema,
});
