import { LockMode } from '@mikro-orm/core';
import { type AccountTerms, termsOf } from '@gateway/contracts/accounts';
import { NotFoundError } from '@gateway/contracts/errors';
import { currencySchema, type FeeSchedule, isId, newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { type AccountPatch, type AccountRequest, type AccountResource, presentAccount } from '@gateway/public-api';
import { AccountEntity, changedColumns, freezesOf, settingsOf, toAccount } from '#src/accounts/account.ts';
import type { Approval, ApprovalEntity, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { requirePermission } from '#src/approvals/permissions.ts';
import { namedMembers, proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

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
  const createdAt = Math.floor(account.createdAt.getTime() / 1_000);
  return presentAccount(toAccount(account), {
    createdAt,
    frozen: freezesOf(account),
    teamApprovalOverCents: account.teamApprovalOver ?? null,
  });
}

/** Learns of changed accounts once they are committed, so that what it remembers of them is dropped. */
export interface AccountWatcher {
  announceAccountChanged(accountId: string): void;
}

export interface AccountChange {
  readonly id: string;
  readonly patch: AccountPatch;
  readonly reason: string | null;
}

const moneyHolders: ReadonlySet<string> = new Set([
  'payout_limits',
  'auto_approve_payouts',
  'team_approval_over_cents',
]);

/** What an operator on duty may change alone, as long as it lets less money leave than before. */
function holdsMoneyBack(patch: AccountPatch): boolean {
  return Object.keys(patch).every((name) => moneyHolders.has(name));
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
    if (!holdsMoneyBack(patch)) requirePermission(act, 'accounts:propose');
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
  tx.em.assign(account, { ...changedColumns(patch, account), version: account.version + 1, updatedAt: act.at });
  const after = accountResourceOf(account);
  recordAudit(tx, act, { action: 'account.update', target: id, before, after });
  tx.afterCommit(() => watcher.announceAccountChanged(id));
  return after;
}

/** @throws NotFoundError */
export async function lockAccount(tx: Tx, id: string): Promise<AccountEntity> {
  const account = await tx.em.findOne(AccountEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!account) throw new NotFoundError('account');
  return account;
}

/**
 * Whether a change takes two operators (api.md 8): it lets more money leave unseen, gives some of ours away, or sends
 * settlements elsewhere. One operator is enough for the opposite, so that money can be stopped at once, and for the first
 * settings of an account, which has no money yet.
 */
function needsSecondPerson(account: AccountEntity, patch: AccountPatch): boolean {
  const wanted = changedColumns(patch, account);
  const [before, after] = [toAccount(account), toAccount({ ...account, ...wanted })];
  return (
    (wanted.autoApprovePayouts === true && !account.autoApprovePayouts) ||
    // What two of the account's people decide is decided by one of them from then on.
    (wanted.teamApprovalOver !== undefined &&
      isRaised(account.teamApprovalOver ?? null, wanted.teamApprovalOver ?? null)) ||
    currencySchema.options.some((currency) => givesMore(termsOf(before, currency), termsOf(after, currency))) ||
    // The first document is registered; another one redirects settlements, also by way of none.
    (wanted.document !== undefined && (account.document ?? null) !== null && wanted.document !== account.document)
  );
}

/** A limit is raised or lifted, or a fee lowered. */
function givesMore(before: AccountTerms, after: AccountTerms): boolean {
  const isLower = (one: FeeSchedule, other: FeeSchedule) => other.fixedCents < one.fixedCents || other.bps < one.bps;
  return (
    isRaised(before.payoutLimits.perPayoutCents, after.payoutLimits.perPayoutCents) ||
    isRaised(before.payoutLimits.perDayCents, after.payoutLimits.perDayCents) ||
    isLower(before.fees.deposit, after.fees.deposit) ||
    isLower(before.fees.payout, after.fees.payout)
  );
}

/** Null is no limit. */
function isRaised(limit: number | null, wanted: number | null): boolean {
  return limit !== null && (wanted === null || wanted > limit);
}
