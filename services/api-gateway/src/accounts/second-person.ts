import type { AccountPatch } from '@gateway/public-api';
import type { AccountEntity } from '#src/accounts/account-entity.ts';
import { changedColumns } from '#src/accounts/account-settings.ts';

type Columns = Partial<AccountEntity>;

const fees = ['depositFeeFixed', 'depositFeeBps', 'payoutFeeFixed', 'payoutFeeBps'] as const;
const limits = ['payoutLimit', 'payoutDayLimit'] as const;

/**
 * Whether a change takes two operators (api.md 8): it lets more money leave without anybody looking, gives some of ours
 * away, or sends settlements elsewhere. The opposite is for one: whoever sees something wrong stops it at once. What a new
 * account begins with is for one as well, since there is no money yet.
 */
export function needsSecondPerson(account: AccountEntity, patch: AccountPatch): boolean {
  const wanted: Columns = changedColumns(patch);
  return (
    (wanted.autoApprovePayouts === true && !account.autoApprovePayouts) ||
    limits.some((limit) => isRaised(account[limit] ?? null, wanted[limit])) ||
    fees.some((fee) => (wanted[fee] ?? account[fee]) < account[fee]) ||
    // The first document is registered; another one redirects settlements, also by way of none.
    (wanted.document !== undefined && (account.document ?? null) !== null && wanted.document !== account.document)
  );
}

/** Null is no limit; undefined leaves it as it is. */
function isRaised(limit: number | null, wanted: number | null | undefined): boolean {
  if (wanted === undefined || limit === null) return false;
  return wanted === null || wanted > limit;
}
