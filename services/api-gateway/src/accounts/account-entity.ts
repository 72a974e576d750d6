import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Account } from '@gateway/contracts/accounts';

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
    /** Grows with every change; what is remembered of the account is compared by it. */
    version: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type AccountEntity = InferEntity<typeof AccountEntity>;

/** The columns of one account, as the unit of work and plain SQL (`accountFromRow`) both have them. */
type AccountColumns = Omit<AccountEntity, 'version' | 'createdAt' | 'updatedAt'>;

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
