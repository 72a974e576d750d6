import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import type { AccountPatch, AccountResource } from '@gateway/public-api';
import type { Database, Tx } from '@gateway/persistence';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { changedColumns } from '#src/accounts/account-settings.ts';
import { accountResourceOf } from '#src/accounts/create-account.ts';
import { needsSecondPerson } from '#src/accounts/second-person.ts';
import type { ApprovalEntity } from '#src/approvals/approval-entity.ts';
import type { Approval, ApprovalRules } from '#src/approvals/approval-rules.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { namedMembers, requireUnchanged } from '#src/approvals/unchanged-since.ts';
import { recordAudit, type OperatorAct } from '#src/approvals/record-audit.ts';

/** Learns of changed accounts once they are committed, so that what it remembers of them is dropped. */
export interface AccountWatcher {
  announceAccountChanged(accountId: string): void;
}

export interface AccountChange {
  readonly id: string;
  readonly patch: AccountPatch;
  readonly reason: string | null;
}

/** Either the account as it is from now on, or the proposal another operator has to approve. */
export type AccountUpdate = { readonly account: AccountResource } | { readonly proposal: ApprovalEntity };

/** Changes settings; records created from now on follow them. A change that takes two operators is proposed as a whole. */
export async function updateAccount(
  database: Database,
  watcher: AccountWatcher,
  act: OperatorAct,
  { id, patch, reason }: AccountChange,
): Promise<AccountUpdate> {
  if (!isId('account', id)) throw new NotFoundError('account');
  return await database.transaction(async (tx) => {
    const account = await lockAccount(tx, id);
    if (!needsSecondPerson(account, patch)) return { account: change(tx, watcher, act, account, patch) };
    const before = namedMembers(accountResourceOf(account), patch);
    const subject = { kind: 'account.update', environment: null, accountId: id, target: id } as const;
    return { proposal: proposeApproval(tx, act, { ...subject, request: patch, before, reason }) };
  });
}

/** How an approved change of settings is carried out. */
export function accountUpdateRules(watcher: AccountWatcher): ApprovalRules {
  const apply = async (approval: Approval) => async (tx: Tx, act: OperatorAct) => {
    const account = await lockAccount(tx, approval.target);
    const patch = approval.request as AccountPatch;
    requireUnchanged(namedMembers(accountResourceOf(account), patch), approval.before);
    return { outcome: change(tx, watcher, act, account, patch) };
  };
  return { apply };
}

function change(
  tx: Tx,
  watcher: AccountWatcher,
  act: OperatorAct,
  account: AccountEntity,
  patch: AccountPatch,
): AccountResource {
  const { id } = account;
  const before = accountResourceOf(account);
  tx.em.assign(account, { ...changedColumns(patch), version: account.version + 1, updatedAt: act.at });
  const after = accountResourceOf(account);
  recordAudit(tx, act, { action: 'account.update', target: id, before, after });
  tx.afterCommit(() => watcher.announceAccountChanged(id));
  return after;
}

async function lockAccount(tx: Tx, id: string): Promise<AccountEntity> {
  const account = await tx.em.findOne(AccountEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!account) throw new NotFoundError('account');
  return account;
}
