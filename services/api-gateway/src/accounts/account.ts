import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Account, Freeze, FreezeLevel } from '@gateway/contracts/accounts';
import type { Environment } from '@gateway/contracts/values';
import type { AccountPatch, AccountRequest } from '@gateway/public-api';

/** A freeze as operators read it; the account's row has one per environment, so that it is in force with its settings. */
export interface AccountFreeze {
  readonly level: FreezeLevel;
  readonly reason: string;
  /** The operator who froze it. */
  readonly by: string;
  /** Unix seconds. */
  readonly at: number;
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
type AccountColumns = Omit<AccountEntity, 'frozenLive' | 'frozenTest' | 'version' | 'createdAt' | 'updatedAt'>;

export function toAccount(columns: AccountColumns): Account {
  return {
    id: columns.id,
    name: columns.name,
    document: columns.document ?? null,
    autoApprovePayouts: columns.autoApprovePayouts,
    fees: {
      deposit: { fixedCents: columns.depositFeeFixed, bps: columns.depositFeeBps },
      payout: { fixedCents: columns.payoutFeeFixed, bps: columns.payoutFeeBps },
    },
    retentionDays: columns.retentionDays,
    rateLimit: { perSecond: columns.ratePerSecond, burst: columns.rateBurst },
    payoutLimits: {
      perPayoutCents: columns.payoutLimit ?? null,
      perDayCents: columns.payoutDayLimit ?? null,
    },
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
  frozenLive: null,
  frozenTest: null,
} as const satisfies Partial<Settings>;

/** Columns of a new account. */
export function settingsOf(request: AccountRequest) {
  return { ...defaults, ...changedColumns(request), name: request.name };
}

/** The columns a request speaks of; the others stay. Null is a value: it takes a document or a limit away. */
export function changedColumns(patch: AccountPatch): Partial<AccountEntity> {
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
  });
}

function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
