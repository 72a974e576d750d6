import { z } from 'zod';
import {
  apiVersionSchema,
  environmentSchema,
  externalIdSchema,
  listOrderSchema,
  requestText,
} from '@gateway/contracts/values';
import { depositStatusSchema, disputeStatusSchema, refundStatusSchema } from '@gateway/contracts/deposits';
import { idSchema, type IdKind, currencySchema } from '@gateway/money';
import { ledgerEntryTypeSchema, reconciliationStatusSchema } from '@gateway/contracts/ledger';
import { payoutKindSchema, payoutStatusSchema } from '@gateway/contracts/payouts';
import { deliveryStatusSchema, webhookEventSchema } from '@gateway/contracts/webhooks';
import { pageLimitDefault, pageLimitMax } from '#src/shared/page.ts';
import { documentSchema } from '#src/shared/request-document.ts';
import { periodQuery, timeQuerySchema, zoneQuerySchema } from '#src/shared/time-query.ts';

const limitMessage = `must be an integer from 1 to ${pageLimitMax}`;

const limitSchema = z
  .string(limitMessage)
  .regex(/^\d{1,9}$/, limitMessage)
  .transform(Number)
  .pipe(z.int(limitMessage).min(1, limitMessage).max(pageLimitMax, limitMessage))
  .default(pageLimitDefault);

const unixSecondsMessage = 'must be a time in Unix seconds';

export const unixSecondsSchema = z
  .string(unixSecondsMessage)
  .regex(/^\d{1,11}$/, unixSecondsMessage)
  .transform(Number);

export const booleanSchema = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** When the records were made, in Unix seconds, both inclusive. */
export const createdRange = { from: unixSecondsSchema.optional(), to: unixSecondsSchema.optional() };

/** Query of every list (api.md 1): `limit`, and the id of the last record received as `cursor`. */
export function pageQuery(kind: IdKind) {
  return { limit: limitSchema, cursor: idSchema(kind).optional() };
}

const rawSchema = booleanSchema
  .default(false)
  .describe(
    "`true`: CSV with texts as they are, for programs; without it, texts that a spreadsheet would run get a leading `'`",
  );

/** Query of every list of a merchant's records: a page, a period, an order, and JSON or the whole list as CSV. */
function listQuery(kind: IdKind) {
  return {
    ...pageQuery(kind),
    ...periodQuery,
    order: listOrderSchema.default('desc').describe('`desc`: newest first'),
    format: z.enum(['json', 'csv']).optional().describe('`csv`: the whole list, as with `Accept: text/csv`'),
    raw: rawSchema,
  };
}

export const depositsQuerySchema = z.strictObject({
  ...listQuery('deposit'),
  status: depositStatusSchema.optional(),
  external_id: externalIdSchema.optional(),
  currency: currencySchema.optional(),
});

export const conversionsQuerySchema = z.strictObject({
  ...listQuery('conversion'),
  external_id: externalIdSchema.optional(),
  currency: currencySchema.optional(),
});

/** Query of `GET /v1/deposits/{id}/refunds`. */
export const refundsQuerySchema = z.strictObject(listQuery('refund'));

/** Query of `GET /v1/refunds`. */
export const accountRefundsQuerySchema = z.strictObject({
  ...listQuery('refund'),
  status: refundStatusSchema.optional(),
  deposit_id: idSchema('deposit').optional(),
});

export const disputesQuerySchema = z.strictObject({
  ...listQuery('dispute'),
  status: disputeStatusSchema.optional(),
  deposit_id: idSchema('deposit').optional(),
});

export const payoutsQuerySchema = z.strictObject({
  ...listQuery('payout'),
  status: payoutStatusSchema.optional(),
  external_id: externalIdSchema.optional(),
  kind: payoutKindSchema.optional(),
  currency: currencySchema.optional(),
});

export const transactionsQuerySchema = z.strictObject({
  ...listQuery('ledgerEntry'),
  format: z
    .enum(['json', 'csv', 'accounting'])
    .optional()
    .describe('`accounting`: with the records behind the entries; CSV, or JSON where `Accept` names it'),
  currency: currencySchema.optional(),
  type: ledgerEntryTypeSchema.optional(),
  ref_id: requestText(1, 64).optional(),
});
export type TransactionsQuery = z.infer<typeof transactionsQuerySchema>;

export const balanceQuerySchema = z.strictObject({
  at: timeQuerySchema.optional(),
  zone: zoneQuerySchema,
  currency: currencySchema.optional(),
});

export const pendingQuerySchema = z.strictObject({ zone: zoneQuerySchema, currency: currencySchema.optional() });

/** An operator names the environment too. */
const ofEnvironment = { environment: environmentSchema };
export const operatorTransactionsQuerySchema = transactionsQuerySchema.extend(ofEnvironment);
export const operatorBalanceQuerySchema = balanceQuerySchema.extend(ofEnvironment);
export const operatorPendingQuerySchema = pendingQuerySchema.extend(ofEnvironment);

export const webhooksQuerySchema = z.strictObject(pageQuery('webhook'));

export const deliveriesQuerySchema = z.strictObject({
  ...pageQuery('delivery'),
  status: deliveryStatusSchema.optional(),
  event: webhookEventSchema.optional(),
  data_id: requestText(1, 64).optional(),
});

/** Query of `GET /v1/deliveries`. */
export const recordDeliveriesQuerySchema = deliveriesQuerySchema.extend({
  data_id: requestText(1, 64).describe('The id of the record that the events are about'),
});

/** Query of `GET /ops/accounts/{id}/webhooks`. */
export const operatorWebhooksQuerySchema = webhooksQuerySchema.extend({ environment: environmentSchema });

/** Query of `GET /ops/deliveries`. */
export const operatorDeliveriesQuerySchema = deliveriesQuerySchema
  .extend({ account_id: idSchema('account').optional(), environment: environmentSchema.optional() })
  .refine(({ account_id: accountId, data_id: dataId }) => (accountId ?? dataId) !== undefined, {
    path: ['data_id'],
    message: 'is required where account_id is not given',
  });

export const auditQuerySchema = z.strictObject({
  ...pageQuery('audit'),
  operator: requestText(1, 120).optional(),
  action: requestText(1, 64).optional(),
  /** Id of the record that was changed. */
  target: requestText(1, 64).optional(),
});

export const accountsQuerySchema = z.strictObject({
  ...pageQuery('account'),
  name: requestText(1, 120).optional().describe('part of the name, upper or lower case'),
  document: documentSchema.optional(),
  auto_approve_payouts: booleanSchema.optional(),
  frozen: booleanSchema.optional().describe('whether anything of the account is frozen'),
  ...createdRange,
});
export type AccountsQuery = z.infer<typeof accountsQuerySchema>;

/** Keys are listed by public key: they have no id of their own. */
export const keysQuerySchema = z.strictObject({
  limit: limitSchema,
  cursor: requestText(1, 64).optional(),
  environment: environmentSchema.optional(),
  api_version: apiVersionSchema.optional(),
  status: z.enum(['active', 'revoked']).optional(),
  name: requestText(1, 64).optional().describe('part of the name, upper or lower case'),
  ...createdRange,
});
export type KeysQuery = z.infer<typeof keysQuerySchema>;

export const reconciliationsQuerySchema = z.strictObject({
  ...pageQuery('reconciliation'),
  status: reconciliationStatusSchema.optional(),
  ...createdRange,
});
