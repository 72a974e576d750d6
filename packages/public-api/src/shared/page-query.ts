import { z } from 'zod';
import {
  apiVersionSchema,
  environmentSchema,
  externalIdSchema,
  listOrderSchema,
  requestText,
} from '@gateway/contracts/values';
import { exportKindSchema, exportStatusSchema } from '@gateway/contracts/exports';
import { depositStatusSchema, disputeStatusSchema, refundStatusSchema } from '@gateway/contracts/deposits';
import { amountSchema, idSchema, type IdKind, currencySchema } from '@gateway/money';
import { ledgerEntryTypeSchema, reconciliationStatusSchema } from '@gateway/contracts/ledger';
import { payoutKindSchema, payoutStatusSchema } from '@gateway/contracts/payouts';
import { deliveryStatusSchema, webhookEventSchema } from '@gateway/contracts/webhooks';
import { pageLimitDefault, pageLimitMax } from '#src/shared/page.ts';
import { documentQuerySchema, documentSchema } from '#src/shared/request-document.ts';
import { periodQuery, secondsPeriodQuery, timeQuerySchema, zoneQuerySchema } from '#src/shared/time-query.ts';

const limitMessage = `must be an integer from 1 to ${pageLimitMax}`;

export const pageLimit = z
  .string(limitMessage)
  .regex(/^\d{1,9}$/, limitMessage)
  .transform(Number)
  .pipe(z.int(limitMessage).min(1, limitMessage).max(pageLimitMax, limitMessage))
  .default(pageLimitDefault)
  // What arrives is text; what callers mean is a number.
  .meta({
    type: 'integer',
    ...{ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault },
    description: 'How many records to answer with at most.',
  });

const amountMessage = 'must be an amount in minor units';

/** An amount as a query names it. */
const amountQuerySchema = z
  .string(amountMessage)
  .regex(/^\d{1,16}$/, amountMessage)
  .transform(Number)
  .pipe(amountSchema)
  .meta({ type: 'integer', minimum: 1 });

/** `true` or `false`, as a query has it. */
export const booleanSchema = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** `true`: only those that need an operator to go on. */
export const attentionFlag = booleanSchema
  .optional()
  .describe('`true`: only those that need an operator to go on; `false`: only the others.');

const externalIdFilter = externalIdSchema.optional().describe('Only the record with this reference of yours.');
const currencyFilter = currencySchema.optional().describe('Only records in this currency.');
const accountFilter = idSchema('account').optional().describe('Only records of this account.');
const depositFilter = idSchema('deposit').optional().describe('Only records that belong to this deposit.');

/** Between which amounts, both of which belong to them. */
export const amountRange = {
  min_amount: amountQuerySchema.optional().describe('Only records of at least this amount, in the smallest unit.'),
  max_amount: amountQuerySchema.optional().describe('Only records of at most this amount, in the smallest unit.'),
};

/** Query of every list: JSON, or the whole list as CSV. */
export const csvQuery = {
  format: z.enum(['json', 'csv']).optional().describe('`csv`: the whole list, as with `Accept: text/csv`'),
  raw: booleanSchema
    .default(false)
    .describe(
      "`true`: CSV with texts as they are, for programs; without it, texts that a spreadsheet would run get a leading `'`",
    ),
};

/** Query of every list (api.md 1): `limit`, and the id of the last record received as `cursor`. */
export function pageQuery(kind: IdKind) {
  const cursor = idSchema(kind).optional().describe('The id of the last record received: the page after it.');
  return { limit: pageLimit, cursor, ...csvQuery };
}

/** Query of every list of a merchant's records: a page, a period, an order, and JSON or the whole list as CSV. */
function listQuery(kind: IdKind) {
  return {
    ...pageQuery(kind),
    ...periodQuery,
    order: listOrderSchema.default('desc').describe('`desc`: newest first'),
  };
}

/** What a record of a payment is found by beside its references. */
const paidFilters = {
  e2e_id: requestText(1, 64).optional().describe('Only the record whose payment has this end-to-end id on the rail.'),
  ...amountRange,
};

const metadataMessage = 'must be a key of the metadata, =, and its value';

/** One entry of the metadata of a record, as `key=value`. */
const metadataQuerySchema = requestText(2, 541)
  .regex(/^[^=]{1,40}=[\s\S]{0,500}$/u, metadataMessage)
  .transform((text) => {
    const end = text.indexOf('=');
    return { key: text.slice(0, end), value: text.slice(end + 1) };
  });

export const depositsQuerySchema = z.strictObject({
  ...listQuery('deposit'),
  status: depositStatusSchema.optional().describe('Only records in this state.'),
  external_id: externalIdFilter,
  currency: currencyFilter,
  ...paidFilters,
  payer_document: documentQuerySchema
    .optional()
    .describe('Only deposits whose payer has this document, as it was given when they were created.'),
  metadata: metadataQuerySchema
    .optional()
    .describe('Only deposits whose metadata has this value for this key, exactly: `cart=77`.'),
});

export const conversionsQuerySchema = z.strictObject({
  ...listQuery('conversion'),
  external_id: externalIdFilter,
  currency: currencyFilter,
});

/** Query of `GET /v1/deposits/{id}/refunds`. */
export const refundsQuerySchema = z.strictObject(listQuery('refund'));

/** Query of `GET /v1/refunds`. */
export const accountRefundsQuerySchema = z.strictObject({
  ...listQuery('refund'),
  status: refundStatusSchema.optional().describe('Only records in this state.'),
  deposit_id: depositFilter,
});

/** Query of `GET /v1/exports`. */
export const exportsQuerySchema = z.strictObject({
  ...pageQuery('export'),
  status: exportStatusSchema.optional().describe('Only records in this state.'),
  kind: exportKindSchema.optional().describe('Only exports of this kind.'),
  external_id: externalIdFilter,
});

export const disputesQuerySchema = z.strictObject({
  ...listQuery('dispute'),
  status: disputeStatusSchema.optional().describe('Only records in this state.'),
  deposit_id: depositFilter,
  due_before: timeQuerySchema
    .optional()
    .describe(
      'Only those not decided whose `defense_due_at` is before this: Unix seconds, ISO 8601 with a zone, or a date in `zone`.',
    ),
});

export const payoutsQuerySchema = z.strictObject({
  ...listQuery('payout'),
  status: payoutStatusSchema.optional().describe('Only records in this state.'),
  external_id: externalIdFilter,
  kind: payoutKindSchema.optional().describe('Only payouts of this kind.'),
  currency: currencyFilter,
  ...paidFilters,
  recipient_document: documentQuerySchema.optional().describe('Only payouts to a recipient with this document.'),
});

export const transactionsQuerySchema = z.strictObject({
  ...listQuery('ledgerEntry'),
  format: z
    .enum(['json', 'csv', 'accounting'])
    .optional()
    .describe('`accounting`: with the records behind the entries; CSV, or JSON where `Accept` names it.'),
  currency: currencyFilter,
  type: ledgerEntryTypeSchema.optional().describe('Only entries of this type.'),
  ref_id: requestText(1, 64).optional().describe('Only entries that belong to the record with this id.'),
});
export type TransactionsQuery = z.infer<typeof transactionsQuerySchema>;

export const balanceQuerySchema = z.strictObject({
  at: timeQuerySchema
    .optional()
    .describe('The moment to answer for: Unix seconds, ISO 8601 with a zone, or a date in `zone`; now when left out.'),
  zone: zoneQuerySchema,
  currency: currencySchema
    .optional()
    .describe('Only the balance in this currency, in contract 1.0; 0.1 has both of its currencies always.'),
});

export const pendingQuerySchema = z.strictObject({ zone: zoneQuerySchema, currency: currencyFilter });

/** An operator names the environment too. */
const ofEnvironment = { environment: environmentSchema.describe('The environment of the records.') };
export const operatorTransactionsQuerySchema = transactionsQuerySchema.extend(ofEnvironment);
export const operatorBalanceQuerySchema = balanceQuerySchema.extend(ofEnvironment);
export const operatorPendingQuerySchema = pendingQuerySchema.extend(ofEnvironment);
export const operatorReceiptQuerySchema = z.strictObject(ofEnvironment);

export const webhooksQuerySchema = z.strictObject(pageQuery('webhook'));

export const deliveriesQuerySchema = z.strictObject({
  ...pageQuery('delivery'),
  status: deliveryStatusSchema.optional().describe('Only records in this state.'),
  event: webhookEventSchema.optional().describe('Only deliveries of this event.'),
  data_id: requestText(1, 64).optional().describe('Only deliveries about the record with this id.'),
});

/** Query of `GET /v1/deliveries`. */
export const recordDeliveriesQuerySchema = deliveriesQuerySchema.extend({
  data_id: requestText(1, 64).describe('The id of the record that the events are about.'),
});

/** Query of `GET /ops/accounts/{id}/webhooks`. */
export const operatorWebhooksQuerySchema = webhooksQuerySchema.extend({
  environment: environmentSchema.describe('The environment whose events they get.'),
});

/** Query of `GET /ops/deliveries`. */
export const operatorDeliveriesQuerySchema = deliveriesQuerySchema
  .extend({
    account_id: accountFilter,
    environment: environmentSchema.optional().describe('Only deliveries of this environment.'),
  })
  .refine(({ account_id: accountId, data_id: dataId }) => (accountId ?? dataId) !== undefined, {
    path: ['data_id'],
    message: 'is required where account_id is not given',
  });

export const auditQuerySchema = z.strictObject({
  ...pageQuery('audit'),
  kind: z
    .enum(['change', 'read'])
    .optional()
    .describe(
      '`change`: what operators changed; `read`: what they read of personal data. Left out, changes, or with `request_id` both.',
    ),
  operator: requestText(1, 120).optional().describe('Only what this operator did.'),
  action: requestText(1, 64).optional().describe('Only this action, for example `key.issue`.'),
  target: requestText(1, 64).optional().describe('Only what was done to the record with this id.'),
  account_id: accountFilter,
  request_id: requestText(1, 64).optional().describe('Only what this request did.'),
  ...secondsPeriodQuery,
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const accountsQuerySchema = z.strictObject({
  ...pageQuery('account'),
  name: requestText(1, 120).optional().describe('Part of the name, in upper or lower case.'),
  document: documentSchema.optional().describe('Only the account with this tax document.'),
  auto_approve_payouts: booleanSchema.optional().describe('Only accounts with this setting.'),
  frozen: booleanSchema.optional().describe('Only accounts of which anything is frozen, or only the others.'),
  ...secondsPeriodQuery,
});
export type AccountsQuery = z.infer<typeof accountsQuerySchema>;

/** Keys are listed by public key: they have no id of their own. */
export const keysQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 64).optional().describe('The public key of the last key received: the page after it.'),
  ...csvQuery,
  environment: environmentSchema.optional().describe('Only keys of this environment.'),
  api_version: apiVersionSchema.optional().describe('Only keys of this contract.'),
  status: z.enum(['active', 'revoked']).optional().describe('Only keys that are in force, or only those that are not.'),
  name: requestText(1, 64).optional().describe('Part of the name, in upper or lower case.'),
  ...secondsPeriodQuery,
});
export type KeysQuery = z.infer<typeof keysQuerySchema>;

export const reconciliationsQuerySchema = z.strictObject({
  ...pageQuery('reconciliation'),
  status: reconciliationStatusSchema.optional().describe('Only records in this state.'),
  ...secondsPeriodQuery,
});
