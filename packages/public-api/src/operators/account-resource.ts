import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type Account,
  type AccountTerms,
  type Caller,
  freezeLevelSchema,
  freezeSchema,
} from '@gateway/contracts/accounts';
import { apiVersionSchema, type Environment, environmentSchema } from '@gateway/contracts/values';
import { count, flag, minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

const feeResourceSchema = z
  .object({
    fixed_cents: minorUnits('The fixed part.', 10),
    bps: count('The part of the amount, in hundredths of a percent.', 99),
  })
  .meta({ id: 'Fee', description: 'A fee: `fixed_cents + amount * bps / 10000`, rounded half up.' });
const feesShape = {
  deposit: feeResourceSchema.describe('The fee of a deposit.'),
  payout: feeResourceSchema.describe('The fee of a payout.'),
};
const feesResourceSchema = z
  .object({
    ...feesShape,
    MXN: z
      .object(feesShape)
      .meta({ id: 'CurrencyFees', description: 'The fees of one currency.' })
      .optional()
      .describe('The fees of MXN, in centavos; left out where MXN has those beside it.'),
  })
  .meta({ id: 'Fees', description: 'What the gateway keeps.' });

const payoutLimitsShape = {
  per_payout_cents: minorUnits('Payouts above it wait for approval; null without one.', 100_000).nullable(),
  per_day_cents: minorUnits('Payouts that exceed it within a day wait for approval; null without one.').nullable(),
};

/** `GET /v1/account` (api.md 2): the account behind the key of the call. */
export const ownAccountResourceSchema = z
  .object({
    id: recordId('account', 'The id of the account.'),
    name: text('The name of the account.', 'Loja Um'),
    environment: environmentSchema.describe('The environment of the key of this call.'),
    api_version: apiVersionSchema.describe('The contract that the key speaks when a call names none.'),
    fees: feesResourceSchema.describe('What the gateway keeps.'),
    auto_approve_payouts: flag('Whether payouts within the limits are sent without an operator.'),
    retention_days: count('For how many days deposits are retained before they can be spent.', 0),
    frozen: freezeSchema
      .nullable()
      .describe(
        'What an operator has stopped in this environment: at `payouts` whatever takes money out of the balance, at ' +
          '`writes` whatever changes something; null when nothing is stopped.',
      ),
    events_since: unixSeconds(
      'From when on the event log has every event of the account; what happened before is not in it. Null while that ' +
        'cannot be read.',
    ).nullable(),
  })
  .meta({ id: 'OwnAccount', description: 'The account behind the key.' });
export type OwnAccountResource = z.infer<typeof ownAccountResourceSchema>;

/** A freeze as operators see it. */
const operatorFreezeSchema = z
  .object({
    level: freezeLevelSchema.describe('What is stopped.'),
    reason: text('Why it was frozen.', 'reports of fraud'),
    by: text('The operator who froze it.', 'ana'),
    at: unixSeconds('When it was frozen.'),
  })
  .meta({ id: 'OperatorFreeze', description: 'A freeze as operators see it.' });
export type OperatorFreeze = z.infer<typeof operatorFreezeSchema>;

/** An account as operators see it (api.md 5). */
export const accountResourceSchema = z
  .object({
    id: recordId('account', 'The id of the account.'),
    object: objectName('account'),
    name: text('The name of the account.', 'Loja Um'),
    document: text('The registered tax document of the merchant.', '11222333000181').nullable(),
    auto_approve_payouts: flag('Whether payouts within the limits are sent without an operator.'),
    fees: feesResourceSchema.describe('What the gateway keeps.'),
    retention_days: count('For how many days deposits are retained before they can be spent.', 0),
    rate_limit: z
      .object({
        per_second: count('Requests per second in the long run.', 100),
        burst: count('Requests at once.', 200),
      })
      .meta({ id: 'RateLimit', description: 'How many requests a key of the account may make.' }),
    payout_limits: z
      .object({
        ...payoutLimitsShape,
        MXN: z
          .object(payoutLimitsShape)
          .meta({ id: 'CurrencyPayoutLimits', description: 'The limits of payouts in one currency.' })
          .optional()
          .describe('The limits of payouts in MXN, in centavos; left out where MXN has those beside it.'),
      })
      .meta({ id: 'PayoutLimits', description: 'Above which amounts payouts wait for approval.' }),
    team_approval_over_cents: count(
      'Payouts and refunds that people of the account ask for above it, in cents, take a second of them; null: none does.',
      0,
    ).nullable(),
    frozen: operatorFreezeSchema
      .extend({ environment: environmentSchema.nullable().describe('Null when both environments are frozen alike.') })
      .meta({ id: 'AccountFreeze', description: 'A freeze, and the environment that it stops.' })
      .nullable()
      .describe('The stricter one of what is frozen; null when nothing is.'),
    frozen_environments: z
      .object({
        live: operatorFreezeSchema.nullable().describe('What is frozen live.'),
        test: operatorFreezeSchema.nullable().describe('What is frozen in test mode.'),
      })
      .meta({ id: 'FrozenEnvironments', description: 'What is frozen in each environment; null when nothing is.' }),
    created_at: unixSeconds('When it was created.'),
  })
  .meta({ id: 'Account', description: 'A merchant account.' });
export type AccountResource = z.infer<typeof accountResourceSchema>;

/** @param eventsSince in Unix seconds; null while it is not known */
export function presentOwnAccount(
  { account, environment, apiVersion, frozen }: Caller,
  eventsSince: number | null,
): OwnAccountResource {
  return {
    id: account.id,
    name: account.name,
    environment,
    api_version: apiVersion,
    fees: presentFees(account),
    auto_approve_payouts: account.autoApprovePayouts,
    retention_days: account.retentionDays,
    frozen,
    events_since: eventsSince,
  };
}

interface AccountFacts {
  /** Unix seconds. */
  readonly createdAt: number;
  readonly teamApprovalOverCents: number | null;
  readonly frozen: Readonly<Record<Environment, OperatorFreeze | null>>;
}

export function presentAccount(
  account: Account,
  { createdAt, frozen, teamApprovalOverCents }: AccountFacts,
): AccountResource {
  return {
    id: account.id,
    object: 'account',
    name: account.name,
    document: account.document,
    auto_approve_payouts: account.autoApprovePayouts,
    fees: presentFees(account),
    retention_days: account.retentionDays,
    rate_limit: { per_second: account.rateLimit.perSecond, burst: account.rateLimit.burst },
    payout_limits: presentPayoutLimits(account),
    team_approval_over_cents: teamApprovalOverCents,
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

function presentFees({ fees, currencies }: Account): z.infer<typeof feesResourceSchema> {
  const own = currencies?.MXN?.fees;
  return { ...presentFeePair(fees), ...(own ? { MXN: presentFeePair(own) } : {}) };
}

function presentPayoutLimits({ payoutLimits, currencies }: Account): AccountResource['payout_limits'] {
  const own = currencies?.MXN?.payoutLimits;
  return { ...presentLimits(payoutLimits), ...(own ? { MXN: presentLimits(own) } : {}) };
}

function presentLimits(limits: AccountTerms['payoutLimits']) {
  return { per_payout_cents: limits.perPayoutCents, per_day_cents: limits.perDayCents };
}

function presentFeePair(fees: AccountTerms['fees']) {
  return {
    deposit: { fixed_cents: fees.deposit.fixedCents, bps: fees.deposit.bps },
    payout: { fixed_cents: fees.payout.fixedCents, bps: fees.payout.bps },
  };
}
