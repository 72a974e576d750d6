import { z } from 'zod';
import { idSchema, currencySchema, paymentMethodSchema, amountSchema } from '@gateway/money';
import { accountSchema } from '#src/accounts/account.ts';
import { statementRecordsReplySchema, statementRecordsRequestSchema } from '#src/ledger/statement-record.ts';
import { metadataSchema } from '#src/deposits/deposit.ts';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { requestText } from '#src/values/request-text.ts';
import { shownIn, shownPageSchema } from '#src/values/shown-page.ts';
import { defineRpc } from '#src/messages/define.ts';
import {
  payoutKeyTypeSchema,
  payoutKindSchema,
  payoutSchema,
  payoutStatusSchema,
  recipientSchema,
} from '#src/payouts/payout.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/**
 * Debits amount and fee and sends the payout, once per (environment, account, externalId).
 * Refuses INSUFFICIENT_FUNDS leaving no record; PROVIDER_TIMEOUT names the record in `payout_id`, which can be read.
 */
export const createPayout = defineRpc({
  subject: 'rpc.payouts.create-payout.v1',
  owner: 'payouts',
  request: z.object({
    environment: environmentSchema,
    account: accountSchema,
    apiVersion: apiVersionSchema,
    externalId: z.string().min(1).max(120),
    currency: currencySchema,
    paymentMethod: paymentMethodSchema.default('PIX'),
    amount: amountSchema,
    key: z.string(),
    keyType: payoutKeyTypeSchema,
    recipient: recipientSchema,
    kind: payoutKindSchema,
    enforceOwnership: z.boolean(),
    metadata: metadataSchema,
  }),
  reply: z.object({ created: z.boolean(), payout: payoutSchema }),
});

/**
 * As `createPayout`, for the connector: it names a key, and the gateway says whose it is and what the account's settings
 * are. AUTH_INVALID once the key is revoked; SERVICE_UNAVAILABLE while the gateway does not answer.
 */
export const createConnectorPayout = defineRpc({
  subject: 'rpc.payouts.create-connector-payout.v1',
  owner: 'payouts',
  callers: ['compat'],
  request: createPayout.request
    .omit({ environment: true, account: true, apiVersion: true })
    .extend({ publicKey: z.string().max(200) }),
  reply: createPayout.reply,
});

export const getPayout = defineRpc({
  subject: 'rpc.payouts.get-payout.v1',
  owner: 'payouts',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ payout: payoutSchema }),
});

/** A page of payouts. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listPayouts = defineRpc({
  subject: 'rpc.payouts.list-payouts.v1',
  owner: 'payouts',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    status: payoutStatusSchema.optional(),
    externalId: z.string().optional(),
    kind: payoutKindSchema.optional(),
    currency: currencySchema.optional(),
    /** Of the payment on the rail. */
    e2eId: requestText(1, 64).optional(),
    /** Minor units, both inclusive. */
    minAmount: amountSchema.optional(),
    maxAmount: amountSchema.optional(),
    /** CPF, CNPJ or RFC of the recipient. */
    recipientDocument: requestText(1, 20).optional(),
    ...listWindow,
  }),
  reply: z.object({ payouts: z.array(payoutSchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showPayouts = defineRpc({
  subject: 'rpc.payouts.show-payouts.v1',
  owner: 'payouts',
  request: listPayouts.request.extend(shownIn),
  reply: shownPageSchema,
});

/** Ends a PENDING payout and gives amount and fee back. Refuses INVALID_STATE for any other. */
export const cancelPayout = defineRpc({
  subject: 'rpc.payouts.cancel-payout.v1',
  owner: 'payouts',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ payout: payoutSchema }),
});

/**
 * For a caller without an answer to `createPayout`: the payout of that external_id, or null, and then none comes into
 * being any more by a call that was under way.
 */
export const abandonCreation = defineRpc({
  subject: 'rpc.payouts.abandon-creation.v1',
  owner: 'payouts',
  callers: ['api-gateway', 'compat'],
  request: z.object({ ...owner, externalId: z.string() }),
  reply: z.object({ payout: payoutSchema.nullable() }),
});

/**
 * Ends a payout of test mode as the rail would (api.md 2). `returned` settles it first where that has not happened, and
 * sends `amount` back, or all that is left. What has happened already is answered as it is. Refuses INVALID_STATE when it
 * contradicts what has happened.
 */
export const settlePayout = defineRpc({
  subject: 'rpc.payouts.settle-payout.v1',
  owner: 'payouts',
  request: z.object({
    environment: z.literal('test'),
    accountId: owner.accountId,
    id: z.string(),
    result: z.enum(['paid', 'failed', 'returned']),
    amount: amountSchema.optional(),
  }),
  reply: z.object({ payout: payoutSchema }),
});

/**
 * Approves a PENDING payout of test mode, as its operators would in live mode; it is sent at once. One that was approved before is
 * answered as it is. Refuses INVALID_STATE for one that was canceled or refused.
 */
export const simulatePayoutApproval = defineRpc({
  subject: 'rpc.payouts.simulate-approval.v1',
  owner: 'payouts',
  request: z.object({ environment: z.literal('test'), accountId: owner.accountId, id: z.string() }),
  reply: z.object({ payout: payoutSchema }),
});

/** What an accounting statement says of payouts. */
export const getPayoutRecords = defineRpc({
  subject: 'rpc.payouts.get-statement-records.v1',
  owner: 'payouts',
  request: statementRecordsRequestSchema,
  reply: statementRecordsReplySchema,
});
