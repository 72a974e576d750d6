import { z } from 'zod';
import { idSchema, currencySchema, paymentMethodSchema, amountSchema } from '@gateway/money';
import { accountSchema } from '#src/accounts/account.ts';
import { statementRecordsReplySchema, statementRecordsRequestSchema } from '#src/ledger/statement-record.ts';
import { depositSchema, depositStatusSchema, metadataSchema, payerSchema } from '#src/deposits/deposit.ts';
import { refundSchema } from '#src/deposits/refund.ts';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { shownIn, shownPageSchema } from '#src/values/shown-page.ts';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/**
 * Creates a charge once per (environment, account, externalId); a repeat answers the record as it is, `created` false.
 */
export const createDeposit = defineRpc({
  subject: 'rpc.deposits.create-deposit.v1',
  owner: 'deposits',
  request: z.object({
    environment: environmentSchema,
    account: accountSchema,
    apiVersion: apiVersionSchema,
    externalId: z.string().min(1).max(120),
    currency: currencySchema,
    paymentMethod: paymentMethodSchema,
    amount: amountSchema,
    payer: payerSchema.nullable(),
    /** Merchants name 60 at least (api.md 2); the connector takes any (api.md 4). */
    expiresInSec: z.int().min(1).max(2_592_000),
    callbackUrl: z.string().nullable(),
    returnUrl: z.string().nullable().default(null),
    description: z.string().nullable().default(null),
    metadata: metadataSchema,
  }),
  reply: z.object({ created: z.boolean(), deposit: depositSchema }),
});

/**
 * As `createDeposit`, for the connector: it names a key, and the gateway says whose it is and what the account's settings
 * are. AUTH_INVALID once the key is revoked; SERVICE_UNAVAILABLE while the gateway does not answer.
 */
export const createConnectorDeposit = defineRpc({
  subject: 'rpc.deposits.create-connector-deposit.v1',
  owner: 'deposits',
  callers: ['compat'],
  request: createDeposit.request
    .omit({ environment: true, account: true, apiVersion: true })
    .extend({ publicKey: z.string().max(200) }),
  reply: createDeposit.reply,
});

export const getDeposit = defineRpc({
  subject: 'rpc.deposits.get-deposit.v1',
  owner: 'deposits',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ deposit: depositSchema }),
});

/** A page of deposits. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listDeposits = defineRpc({
  subject: 'rpc.deposits.list-deposits.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    status: depositStatusSchema.optional(),
    externalId: z.string().optional(),
    currency: currencySchema.optional(),
    /** Of a payment that arrived. */
    e2eId: requestText(1, 64).optional(),
    /** Minor units, both inclusive. */
    minAmount: amountSchema.optional(),
    maxAmount: amountSchema.optional(),
    /** CPF, CNPJ or RFC that the merchant gave for the payer. */
    payerDocument: requestText(1, 20).optional(),
    /** A value of the metadata, as text: `77` is also the number 77. */
    metadata: z.object({ key: requestText(1, 40), value: requestText(0, 500) }).optional(),
    ...listWindow,
  }),
  reply: z.object({ deposits: z.array(depositSchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showDeposits = defineRpc({
  subject: 'rpc.deposits.show-deposits.v1',
  owner: 'deposits',
  request: listDeposits.request.extend(shownIn),
  reply: shownPageSchema,
});

/**
 * Test environment only: pays the charge as a payer would, `amount` or what is missing (null). Answers when the deposit
 * is PAID and credited, or still PENDING where less arrived. VALIDATION_ERROR naming `amount_cents` on PIX, whose code
 * fixes it.
 */
export const simulatePayment = defineRpc({
  subject: 'rpc.deposits.simulate-payment.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    environment: z.literal('test'),
    id: z.string(),
    amount: amountSchema.nullable().default(null),
  }),
  reply: z.object({ deposit: depositSchema }),
});

/** Cancels a charge before it is paid: FAILED. INVALID_STATE when the deposit is not PENDING, or was paid just now. */
export const cancelDeposit = defineRpc({
  subject: 'rpc.deposits.cancel-deposit.v1',
  owner: 'deposits',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ deposit: depositSchema }),
});

/** Test environment only: lets the time of a PENDING deposit be up now. An EXPIRED one is answered as it is. */
export const simulateExpiry = defineRpc({
  subject: 'rpc.deposits.simulate-expiry.v1',
  owner: 'deposits',
  request: z.object({ ...owner, environment: z.literal('test'), id: z.string() }),
  reply: z.object({ deposit: depositSchema }),
});

/**
 * Sends a payment back, whole (`amount` null: what is left of it) or in part, once per (environment, account,
 * externalId). REFUND_EXCEEDS_AMOUNT or INSUFFICIENT_FUNDS leave no record, and the externalId free; so does
 * SERVICE_UNAVAILABLE of the service itself, while without an answer `abandonRefund` decides. INVALID_STATE unless paid.
 */
export const createRefund = defineRpc({
  subject: 'rpc.deposits.create-refund.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    depositId: z.string(),
    externalId: z.string().min(1).max(120),
    amount: amountSchema.nullable(),
    reason: z.string().nullable(),
  }),
  reply: z.object({ created: z.boolean(), refund: refundSchema }),
});

/** A page of a deposit's refunds. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listRefunds = defineRpc({
  subject: 'rpc.deposits.list-refunds.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    depositId: z.string(),
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    ...listWindow,
  }),
  reply: z.object({ refunds: z.array(refundSchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showRefunds = defineRpc({
  subject: 'rpc.deposits.show-refunds.v1',
  owner: 'deposits',
  request: listRefunds.request.extend(shownIn),
  reply: shownPageSchema,
});

/** What an accounting statement says of deposits, refunds and disputes. */
export const getDepositRecords = defineRpc({
  subject: 'rpc.deposits.get-statement-records.v1',
  owner: 'deposits',
  request: statementRecordsRequestSchema,
  reply: statementRecordsReplySchema,
});
