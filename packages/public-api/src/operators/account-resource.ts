import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Account, type Caller, freezeLevelSchema, freezeSchema } from '@gateway/contracts/accounts';
import { apiVersionSchema, type Environment, environmentSchema } from '@gateway/contracts/values';

const feeResourceSchema = z.object({ fixed_cents: z.int(), bps: z.int() });
const feesResourceSchema = z.object({ deposit: feeResourceSchema, payout: feeResourceSchema });

/** `GET /v1/account` (api.md 2): the account behind the key of the call. */
export const ownAccountResourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  environment: environmentSchema,
  api_version: apiVersionSchema,
  fees: feesResourceSchema,
  auto_approve_payouts: z.boolean(),
  retention_days: z.int(),
  frozen: freezeSchema
    .nullable()
    .describe(
      'What an operator has stopped in this environment: at `payouts` whatever takes money out of the balance, at `writes` ' +
        'whatever changes something. `at` is in Unix seconds; null when nothing is stopped',
    ),
});
export type OwnAccountResource = z.infer<typeof ownAccountResourceSchema>;

/** A freeze as operators see it. */
const operatorFreezeSchema = z.object({
  level: freezeLevelSchema,
  reason: z.string(),
  by: z.string().describe('The operator who froze it'),
  at: z.int().describe('Unix seconds'),
});
export type OperatorFreeze = z.infer<typeof operatorFreezeSchema>;

/** An account as operators see it (api.md 5). */
export const accountResourceSchema = z.object({
  id: z.string(),
  object: z.literal('account'),
  name: z.string(),
  document: z.string().nullable(),
  auto_approve_payouts: z.boolean(),
  fees: feesResourceSchema,
  retention_days: z.int(),
  rate_limit: z.object({ per_second: z.int(), burst: z.int() }),
  payout_limits: z.object({ per_payout_cents: z.int().nullable(), per_day_cents: z.int().nullable() }),
  frozen: operatorFreezeSchema
    .extend({ environment: environmentSchema.nullable().describe('Null when both environments are frozen alike') })
    .nullable()
    .describe('The stricter one of what is frozen; null when nothing is'),
  frozen_environments: z.object({ live: operatorFreezeSchema.nullable(), test: operatorFreezeSchema.nullable() }),
  /** Unix seconds. */
  created_at: z.int(),
});
export type AccountResource = z.infer<typeof accountResourceSchema>;

export function presentOwnAccount({ account, environment, apiVersion, frozen }: Caller): OwnAccountResource {
  return {
    id: account.id,
    name: account.name,
    environment,
    api_version: apiVersion,
    fees: presentFees(account.fees),
    auto_approve_payouts: account.autoApprovePayouts,
    retention_days: account.retentionDays,
    frozen,
  };
}

interface AccountFacts {
  /** Unix seconds. */
  readonly createdAt: number;
  readonly frozen: Readonly<Record<Environment, OperatorFreeze | null>>;
}

export function presentAccount(account: Account, { createdAt, frozen }: AccountFacts): AccountResource {
  return {
    id: account.id,
    object: 'account',
    name: account.name,
    document: account.document,
    auto_approve_payouts: account.autoApprovePayouts,
    fees: presentFees(account.fees),
    retention_days: account.retentionDays,
    rate_limit: { per_second: account.rateLimit.perSecond, burst: account.rateLimit.burst },
    payout_limits: {
      per_payout_cents: account.payoutLimits.perPayoutCents,
      per_day_cents: account.payoutLimits.perDayCents,
    },
    frozen: stricterOf(frozen),
    frozen_environments: frozen,
    created_at: createdAt,
  };
}

function stricterOf({ live, test }: AccountFacts['frozen']): AccountResource['frozen'] {
  if (live && test && isDeepStrictEqual(live, test)) return { ...live, environment: null };
  if (live && (live.level === 'writes' || test?.level !== 'writes')) return { ...live, environment: 'live' };
  return test && { ...test, environment: 'test' };
}

function presentFees(fees: Account['fees']): z.infer<typeof feesResourceSchema> {
  return {
    deposit: { fixed_cents: fees.deposit.fixedCents, bps: fees.deposit.bps },
    payout: { fixed_cents: fees.payout.fixedCents, bps: fees.payout.bps },
  };
}
