import type { AccountPatch, AccountRequest } from '@gateway/public-api';
import type { AccountEntity } from '#src/accounts/account-entity.ts';

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
