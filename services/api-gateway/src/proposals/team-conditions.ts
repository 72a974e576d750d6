import { type Account, requireNotFrozen } from '@gateway/contracts/accounts';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { listPeople, type Membership, merchantGrant, type Person } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { AccountEntity, freezesOf, toAccount, toFreeze } from '#src/accounts/account.ts';
import type { Approval } from '#src/approvals/approval.ts';

export interface TeamServices {
  readonly database: Database;
  readonly bus: Askable;
}

export interface TeamTerms {
  readonly account: Account;
  readonly accountId: string;
  readonly environment: Environment;
}

/** Whose money a proposal is about. */
export function ownerOf({ accountId, environment }: Approval): { accountId: string; environment: Environment } {
  if (!accountId || !environment) throw new TypeError('a proposal of a team is of one account in one environment');
  return { accountId, environment };
}

/** What the person has in the account; undefined also of one who is not active. */
export function membershipOf(
  people: readonly Person[],
  { accountId, personId }: { readonly accountId: string; readonly personId: string | null | undefined },
): Membership | undefined {
  const person = people.find(({ id, state }) => id === personId && state === 'ACTIVE');
  return person?.memberships.find((each) => each.accountId === accountId);
}

/**
 * What has to hold when money leaves, not only when it was proposed: the account is not frozen, and the proposer may still
 * propose for it.
 *
 * @returns the account as it is now
 * @throws DomainError ACCOUNT_FROZEN, PERMISSION_DENIED
 */
export async function requireStillAllowed({ database, bus }: TeamServices, approval: Approval): Promise<TeamTerms> {
  const { accountId, environment } = ownerOf(approval);
  const account = await database.reader().findOne(AccountEntity, { id: accountId });
  if (!account) throw new NotFoundError('account');
  requireNotFrozen(toFreeze(freezesOf(account)[environment]), 'money_out');
  const { people } = await callRpc(bus, listPeople, { realm: 'merchant', accountId });
  const membership = membershipOf(people, { accountId, personId: approval.proposedByPerson });
  const mayPropose =
    membership?.environments.includes(environment) && merchantGrant(membership.roles, 'money:propose') === 'full';
  if (mayPropose) return { account: toAccount(account), accountId, environment };
  throw new DomainError('PERMISSION_DENIED', 'who proposed it may propose for the account no longer');
}
