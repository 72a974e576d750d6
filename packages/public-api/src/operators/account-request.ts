import { z } from 'zod';
import { requestText, apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import { freezeLevelSchema, keyScopes, keyScopeSchema, rateLimitSchema } from '@gateway/contracts/accounts';
import { amountMax, amountSchema, type Currency, feeScheduleSchema } from '@gateway/money';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { allowlistRequestSchema } from '#src/shared/ip-allowlist.ts';
import { documentSchema } from '#src/shared/request-document.ts';

const accountNameSchema = requestText(1, 120);

const feeRequestSchema = z
  .strictObject({
    fixed_cents: feeScheduleSchema.shape.fixedCents.optional().describe('The fixed part, in cents.'),
    bps: feeScheduleSchema.shape.bps.optional().describe('The part of the amount, in hundredths of a percent.'),
  })
  .meta({ id: 'FeeUpdate', description: 'A fee; what is left out stays as it is, or is 0 of a new account.' });

/** Currencies that may have fees and limits of their own; those of the account itself are BRL's, and any other's without. */
export const ownTermCurrencies = ['MXN'] as const satisfies readonly Currency[];

const feesShape = {
  deposit: feeRequestSchema.optional().describe('The fee of a deposit.'),
  payout: feeRequestSchema.optional().describe('The fee of a payout.'),
};

const payoutLimitsShape = {
  per_payout_cents: amountSchema
    .nullable()
    .optional()
    .describe('Payouts above it wait for approval, in cents; null lifts it.'),
  per_day_cents: amountSchema
    .nullable()
    .optional()
    .describe('Payouts that exceed it within a day wait for approval, in cents; null lifts it.'),
};

const settings = {
  document: documentSchema.nullable().optional().describe('The tax document of the merchant; null takes it away.'),
  auto_approve_payouts: z
    .boolean()
    .optional()
    .describe('Whether payouts within the limits are sent without an operator.'),
  fees: z
    .strictObject({
      ...feesShape,
      MXN: z
        .strictObject(feesShape)
        .meta({ id: 'CurrencyFeesUpdate', description: 'Fees of one currency; what is left out stays as it is.' })
        .nullish()
        .describe('Fees of MXN instead of these; null gives MXN these again.'),
    })
    .meta({ id: 'FeesUpdate', description: 'What the gateway keeps.' })
    .optional(),
  team_approval_over_cents: z
    .int()
    .min(0)
    .max(amountMax)
    .nullable()
    .optional()
    .describe(
      'Payouts and refunds that people of the account ask for above it, in cents, take a second of them; 0 is all, null none.',
    ),
  retention_days: z
    .int()
    .min(0)
    .max(365)
    .optional()
    .describe('For how many days deposits are retained before they can be spent.'),
  rate_limit: z
    .strictObject({
      per_second: rateLimitSchema.shape.perSecond.optional().describe('Requests per second in the long run.'),
      burst: rateLimitSchema.shape.burst.optional().describe('Requests at once.'),
    })
    .meta({ id: 'RateLimitUpdate', description: 'How many requests a key of the account may make.' })
    .optional(),
  payout_limits: z
    .strictObject({
      ...payoutLimitsShape,
      MXN: z
        .strictObject(payoutLimitsShape)
        .meta({ id: 'CurrencyPayoutLimitsUpdate', description: 'Limits of one currency.' })
        .nullish()
        .describe('Limits of payouts in MXN instead of these; null gives MXN these again.'),
    })
    .meta({ id: 'PayoutLimitsUpdate', description: 'Above which amounts payouts wait for approval.' })
    .optional(),
};

/** Body of `POST /ops/accounts` (api.md 5); what is left out has the default of a new account. */
export const accountRequestSchema = z
  .strictObject({ name: accountNameSchema.describe('The name of the account.'), ...settings })
  .meta({ id: 'AccountCreate', description: 'An account to be made.' });
export type AccountRequest = z.infer<typeof accountRequestSchema>;

/** Body of `PATCH /ops/accounts/{id}`; what is left out stays as it is. */
export const accountPatchSchema = z
  .strictObject({
    name: accountNameSchema.optional().describe('Its new name; it stays what it is without it.'),
    ...settings,
    reason: operatorReasonSchema.nullish().describe('Why; kept with the proposal when the change takes two operators.'),
  })
  .meta({ id: 'AccountUpdate', description: 'What changes; what is left out stays as it is.' });
export type AccountPatch = Omit<z.infer<typeof accountPatchSchema>, 'reason'>;

/** Body of `POST /ops/accounts/{id}/freeze` (api.md 8). */
export const freezeRequestSchema = z
  .strictObject({
    level: freezeLevelSchema.describe(
      '`payouts` stops whatever takes money out of the balance, `writes` whatever changes something.',
    ),
    environment: environmentSchema.nullish().describe('Left out, both environments are frozen.'),
    reason: operatorReasonSchema.describe('For the other operators; the merchant does not see it.'),
  })
  .meta({ id: 'AccountFreezeCreate', description: 'What is to be stopped.' });
export type FreezeRequest = z.infer<typeof freezeRequestSchema>;

/** Body of `POST /ops/accounts/{id}/unfreeze` (api.md 8). */
export const unfreezeRequestSchema = z
  .strictObject({
    environment: environmentSchema.nullish().describe('Left out, every freeze of the account is lifted.'),
    reason: operatorReasonSchema.describe('For the operator who approves it.'),
  })
  .meta({ id: 'AccountUnfreeze', description: 'What is to be lifted.' });
export type UnfreezeRequest = z.infer<typeof unfreezeRequestSchema>;

/** The scopes of a key, each once. */
export const keyScopesSchema = z
  .array(keyScopeSchema)
  .min(1, 'must name one scope at least')
  .max(keyScopes.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once')
  .meta({ uniqueItems: true });

/** Body of `POST /ops/accounts/{id}/keys`. */
export const keyRequestSchema = z
  .strictObject({
    environment: environmentSchema.describe('The environment that the key opens.'),
    api_version: apiVersionSchema.default('0.1').describe('The contract that it speaks when a call names none.'),
    name: requestText(1, 64).nullish().describe('What the key is for.'),
    scopes: keyScopesSchema.nullish().describe('What the key is limited to; left out, it is limited to nothing.'),
    reason: operatorReasonSchema.nullish().describe('Why; kept with the proposal of a live key.'),
  })
  .meta({ id: 'KeyIssue', description: 'A key pair to be issued.' });
export type KeyRequest = z.infer<typeof keyRequestSchema>;

/** Body of `PUT /ops/keys/{publicKey}/allowlist`. */
export const keyAllowlistRequestSchema = z
  .strictObject({
    ...allowlistRequestSchema.shape,
    reason: operatorReasonSchema.describe('Why, for the operator who approves.'),
  })
  .meta({ id: 'KeyAllowlistUpdate', description: 'All the addresses from which the key may be used, and why.' });
