import { isDeepStrictEqual } from 'node:util';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Account, AccountTerms, Freeze, FreezeLevel } from '@gateway/contracts/accounts';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { type AccountPatch, type AccountRequest, ownTermCurrencies } from '@gateway/public-api';

/** A freeze as operators read it; the account's row has one per environment, so that it is in force with its settings. */
export interface AccountFreeze {
  readonly level: FreezeLevel;
  readonly reason: string;
  /** The operator who froze it. */
  readonly by: string;
  /** Unix seconds. */
  readonly at: number;
}

/** What one currency has instead of the account's: amounts in its smallest unit. */
export interface OwnTerms {
  readonly depositFeeFixed?: number;
  readonly depositFeeBps?: number;
  readonly payoutFeeFixed?: number;
  readonly payoutFeeBps?: number;
  readonly payoutLimit?: number | null;
  readonly payoutDayLimit?: number | null;
}

/** A merchant account with its settings. */
export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    document: p.string().nullable(),
    autoApprovePayouts: p.boolean(),
    depositFeeFixed: p.bigint('number'),
    depositFeeBps: p.integer(),
    payoutFeeFixed: p.bigint('number'),
    payoutFeeBps: p.integer(),
    retentionDays: p.integer(),
    ratePerSecond: p.integer(),
    rateBurst: p.integer(),
    /** Larger payouts wait for approval. */
    payoutLimit: p.bigint('number').nullable(),
    /** Payouts beyond this sum within a day wait for approval. */
    payoutDayLimit: p.bigint('number').nullable(),
    /** Payouts and refunds by people above it, in cents of BRL, take a second of them; null: none does. */
    teamApprovalOver: p.bigint('number').nullable(),
    /** Of the currencies that have fees or limits of their own. */
    currencyTerms: p.json<Partial<Record<Currency, OwnTerms>>>(),
    frozenLive: p.json<AccountFreeze>().nullable(),
    frozenTest: p.json<AccountFreeze>().nullable(),
    /** Grows with every change; what is remembered of the account is compared by it. */
    version: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type AccountEntity = InferEntity<typeof AccountEntity>;

/** The columns of one account, as the unit of work and plain SQL (`accountFromRow`) both have them. */
type AccountColumns = Omit<
  AccountEntity,
  'teamApprovalOver' | 'frozenLive' | 'frozenTest' | 'version' | 'createdAt' | 'updatedAt'
>;

export function toAccount(columns: AccountColumns): Account {
  const currencies = Object.entries(columns.currencyTerms).map(([currency, own]) => {
    const { fees, payoutLimits } = termsIn({ ...columns, ...own });
    const named = Object.keys(own);
    const hasLimits = named.some((name) => limitColumns.has(name));
    const hasFees = named.some((name) => !limitColumns.has(name));
    return [currency, { ...(hasFees ? { fees } : {}), ...(hasLimits ? { payoutLimits } : {}) }] as const;
  });
  return {
    id: columns.id,
    name: columns.name,
    document: columns.document ?? null,
    autoApprovePayouts: columns.autoApprovePayouts,
    ...termsIn(columns),
    ...(currencies.length === 0 ? {} : { currencies: Object.fromEntries(currencies) }),
    retentionDays: columns.retentionDays,
    rateLimit: { perSecond: columns.ratePerSecond, burst: columns.rateBurst },
  };
}

const limitColumns: ReadonlySet<string> = new Set(['payoutLimit', 'payoutDayLimit']);

type TermColumns = Pick<AccountColumns, Exclude<keyof OwnTerms, 'payoutLimit' | 'payoutDayLimit'>> & OwnTerms;

function termsIn(columns: TermColumns): AccountTerms {
  return {
    fees: {
      deposit: { fixedCents: columns.depositFeeFixed, bps: columns.depositFeeBps },
      payout: { fixedCents: columns.payoutFeeFixed, bps: columns.payoutFeeBps },
    },
    payoutLimits: { perPayoutCents: columns.payoutLimit ?? null, perDayCents: columns.payoutDayLimit ?? null },
  };
}

/** What operators have frozen of an account. */
export function freezesOf(
  account: Pick<AccountEntity, 'frozenLive' | 'frozenTest'>,
): Record<Environment, AccountFreeze | null> {
  return { live: account.frozenLive ?? null, test: account.frozenTest ?? null };
}

/** What a merchant and other services see of a freeze. */
export function toFreeze(freeze: AccountFreeze | null): Freeze | null {
  return freeze && { level: freeze.level, at: freeze.at };
}

type Settings = Omit<AccountEntity, 'id' | 'name' | 'version' | 'createdAt' | 'updatedAt'>;

/** What a new account has where the operator says nothing (api.md 1 and 5). */
const defaults = {
  document: null,
  autoApprovePayouts: true,
  depositFeeFixed: 0,
  depositFeeBps: 0,
  payoutFeeFixed: 0,
  payoutFeeBps: 0,
  retentionDays: 0,
  ratePerSecond: 100,
  rateBurst: 200,
  payoutLimit: null,
  payoutDayLimit: null,
  teamApprovalOver: 0,
  currencyTerms: {},
  frozenLive: null,
  frozenTest: null,
} as const satisfies Partial<Settings>;

/** Columns of a new account. */
export function settingsOf(request: AccountRequest) {
  return { ...defaults, ...changedColumns(request, defaults), name: request.name };
}

/**
 * The columns a request speaks of; the others stay. Null is a value: it takes a document or a limit away, and gives a
 * currency the fees or the limits of the account again.
 */
export function changedColumns(
  patch: AccountPatch,
  { currencyTerms }: Pick<AccountEntity, 'currencyTerms'>,
): Partial<AccountEntity> {
  return defined({
    name: patch.name,
    document: patch.document,
    autoApprovePayouts: patch.auto_approve_payouts,
    depositFeeFixed: patch.fees?.deposit?.fixed_cents,
    depositFeeBps: patch.fees?.deposit?.bps,
    payoutFeeFixed: patch.fees?.payout?.fixed_cents,
    payoutFeeBps: patch.fees?.payout?.bps,
    retentionDays: patch.retention_days,
    ratePerSecond: patch.rate_limit?.per_second,
    rateBurst: patch.rate_limit?.burst,
    payoutLimit: patch.payout_limits?.per_payout_cents,
    payoutDayLimit: patch.payout_limits?.per_day_cents,
    teamApprovalOver: patch.team_approval_over_cents,
    currencyTerms: changedTerms(patch, currencyTerms),
  });
}

function changedTerms({ fees, payout_limits: limits }: AccountPatch, terms: AccountEntity['currencyTerms']) {
  const changed = { ...terms };
  for (const currency of ownTermCurrencies) {
    const [fee, limit] = [fees?.[currency], limits?.[currency]];
    if (fee === undefined && limit === undefined) continue;
    const { payoutLimit, payoutDayLimit, ...ownFees } = terms[currency] ?? {};
    const own = {
      ...(fee === null ? {} : ownFees),
      ...(limit === null ? {} : defined({ payoutLimit, payoutDayLimit })),
      ...defined({
        depositFeeFixed: fee?.deposit?.fixed_cents,
        depositFeeBps: fee?.deposit?.bps,
        payoutFeeFixed: fee?.payout?.fixed_cents,
        payoutFeeBps: fee?.payout?.bps,
        payoutLimit: limit?.per_payout_cents,
        payoutDayLimit: limit?.per_day_cents,
      }),
    };
    if (Object.keys(own).length === 0) Reflect.deleteProperty(changed, currency);
    else changed[currency] = own;
  }
  return isDeepStrictEqual(changed, terms) ? undefined : changed;
}

function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
