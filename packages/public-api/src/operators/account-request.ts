import { z } from 'zod';
import { requestText, apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import { freezeLevelSchema, rateLimitSchema } from '@gateway/contracts/accounts';
import { amountSchema, feeScheduleSchema } from '@gateway/money';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { documentSchema } from '#src/shared/request-document.ts';

const accountNameSchema = requestText(1, 120);

const feeRequestSchema = z.strictObject({
  fixed_cents: feeScheduleSchema.shape.fixedCents.optional(),
  bps: feeScheduleSchema.shape.bps.optional(),
});

const settings = {
  /** Null takes the document away. */
  document: documentSchema.nullable().optional(),
  auto_approve_payouts: z.boolean().optional(),
  fees: z.strictObject({ deposit: feeRequestSchema.optional(), payout: feeRequestSchema.optional() }).optional(),
  retention_days: z.int().min(0).max(365).optional(),
  rate_limit: z
    .strictObject({
      per_second: rateLimitSchema.shape.perSecond.optional(),
      burst: rateLimitSchema.shape.burst.optional(),
    })
    .optional(),
  /** Null takes a limit away. */
  payout_limits: z
    .strictObject({
      per_payout_cents: amountSchema.nullable().optional(),
      per_day_cents: amountSchema.nullable().optional(),
    })
    .optional(),
};

/** Body of `POST /ops/accounts` (api.md 5); what is left out has the default of a new account. */
export const accountRequestSchema = z.strictObject({ name: accountNameSchema, ...settings });
export type AccountRequest = z.infer<typeof accountRequestSchema>;

/** Body of `PATCH /ops/accounts/{id}`; what is left out stays as it is. */
export const accountPatchSchema = z.strictObject({
  name: accountNameSchema.optional(),
  ...settings,
  /** Kept with the proposal when the change takes two operators. */
  reason: operatorReasonSchema.nullish(),
});
export type AccountPatch = Omit<z.infer<typeof accountPatchSchema>, 'reason'>;

/** Body of `POST /ops/accounts/{id}/freeze` (api.md 8). */
export const freezeRequestSchema = z.strictObject({
  level: freezeLevelSchema.describe(
    '`payouts` stops whatever takes money out of the balance, `writes` whatever changes something',
  ),
  environment: environmentSchema.nullish().describe('Left out, both environments are frozen'),
  reason: operatorReasonSchema.describe('For the other operators; the merchant does not see it'),
});
export type FreezeRequest = z.infer<typeof freezeRequestSchema>;

/** Body of `POST /ops/accounts/{id}/unfreeze` (api.md 8). */
export const unfreezeRequestSchema = z.strictObject({
  environment: environmentSchema.nullish().describe('Left out, every freeze of the account is lifted'),
  reason: operatorReasonSchema.describe('For the operator who approves it'),
});
export type UnfreezeRequest = z.infer<typeof unfreezeRequestSchema>;

/** Body of `POST /ops/accounts/{id}/keys`. */
export const keyRequestSchema = z.strictObject({
  environment: environmentSchema,
  api_version: apiVersionSchema.default('0.1'),
  name: requestText(1, 64).nullish(),
  /** Kept with the proposal of a live key. */
  reason: operatorReasonSchema.nullish(),
});
export type KeyRequest = z.infer<typeof keyRequestSchema>;
