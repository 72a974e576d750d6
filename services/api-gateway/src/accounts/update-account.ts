import { LockMode } from '@mikro-orm/core';
import { isId, NotFoundError, type AccountPatch, type AccountResource } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { changedColumns } from '#src/accounts/account-settings.ts';
import { accountResourceOf } from '#src/accounts/create-account.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import { recordAudit, type OperatorAct } from '#src/operators/record-audit.ts';

/** Changes settings; records created from now on follow them. */
export async function updateAccount(
  database: Database,
  directory: CallerDirectory,
  act: OperatorAct,
  { id, patch }: { readonly id: string; readonly patch: AccountPatch },
): Promise<AccountResource> {
  if (!isId('account', id)) throw new NotFoundError('account');
  return await database.transaction(async (tx) => {
    const account = await tx.em.findOne(AccountEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!account) throw new NotFoundError('account');
    const before = accountResourceOf(account);
    tx.em.assign(account, { ...changedColumns(patch), version: account.version + 1, updatedAt: act.at });
    const after = accountResourceOf(account);
    recordAudit(tx, act, { action: 'account.update', target: id, before, after });
    tx.afterCommit(() => directory.announceAccountChanged(id));
    return after;
  });
}
