import { newId } from '@gateway/money';
import { presentAccount, type AccountRequest, type AccountResource } from '@gateway/public-api';
import type { Database } from '@gateway/persistence';
import { AccountEntity, toAccount } from '#src/accounts/account-entity.ts';
import { settingsOf } from '#src/accounts/account-settings.ts';
import { recordAudit, type OperatorAct } from '#src/approvals/record-audit.ts';

/** Sets up a merchant account; keys are issued apart. */
export async function createAccount(
  database: Database,
  act: OperatorAct,
  request: AccountRequest,
): Promise<AccountResource> {
  return await database.transaction(async (tx) => {
    const account = tx.em.create(AccountEntity, {
      id: newId('account'),
      ...settingsOf(request),
      version: 1,
      createdAt: act.at,
      updatedAt: act.at,
    });
    const resource = accountResourceOf(account);
    recordAudit(tx, act, { action: 'account.create', target: account.id, before: null, after: resource });
    return resource;
  });
}

export function accountResourceOf(account: AccountEntity): AccountResource {
  return presentAccount(toAccount(account), Math.floor(account.createdAt.getTime() / 1_000));
}
