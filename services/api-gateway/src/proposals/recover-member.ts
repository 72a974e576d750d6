import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { beginRecovery, listPeople, type Person } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';
import { type FirstOwnerOptions, inviterOf, welcomeLink } from '#src/proposals/invite-first-owner.ts';

const realm = 'merchant';
/** The people of the account see the proposal on every page of theirs for so long before it can be approved. */
export const recoveryWaitMs = 86_400_000;

/** Whose sign-in is reset. */
export interface RecoveryRequest {
  readonly person_id: string;
  readonly name: string;
  /** All to which the person belongs: who belongs to any of them is notified. */
  readonly account_ids: readonly string[];
}

/**
 * Lets a person of a merchant enrol anew whom no owner of the account can let in again. As with a first owner the approver
 * hands the link over, and the proposer confirms who enrolled by it: neither of the two takes the person's place alone.
 */
export function memberRecoveryRules({ bus, database, consoleUrl }: FirstOwnerOptions): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { person_id: personId, name, account_ids: told } = approval.request as unknown as RecoveryRequest;
    const { memberships } = await requireNoOtherOwner(bus, approval.accountId ?? '', personId);
    if (memberships.some(({ accountId }) => !told.includes(accountId))) {
      throw new DomainError('INVALID_STATE', 'the person belongs to another account since, which was not told');
    }
    // One attempt makes one link.
    await AttemptLease.take(database, approval);
    const { proposedByPerson, approvedByPerson, reason, id } = approval;
    const people = { by: inviterOf(proposedByPerson), approvedBy: approvedByPerson ?? null };
    const asked = { realm, personId, ...people, reason: reason ?? id } as const;
    const { invitationId, token, endsAt } = await callRpc(bus, beginRecovery, asked);
    const outcome = { invitation_id: invitationId, person_id: personId, name, ends_at: endsAt };
    return async () => ({ outcome, shownOnce: { invitation_url: welcomeLink(consoleUrl, token) } });
  };
  return { apply, waitMs: recoveryWaitMs };
}

/**
 * @returns the person, whom an owner of the account cannot reset
 * @throws NotFoundError for a person without a part in the account; DomainError INVALID_STATE where an owner can
 */
export async function requireNoOtherOwner(bus: Askable, accountId: string, personId: string): Promise<Person> {
  const { people } = await callRpc(bus, listPeople, { realm, accountId });
  const person = people.find(({ id }) => id === personId);
  if (!person) throw new NotFoundError('person');
  const isElsewhere = person.memberships.some((each) => each.accountId !== accountId);
  const hasOwner = people.some(({ id, state, memberships }) => {
    const own = memberships.find((each) => each.accountId === accountId);
    return id !== personId && state === 'ACTIVE' && own?.roles.includes('owner') && own.environments.includes('live');
  });
  if (hasOwner && !isElsewhere) throw new DomainError('INVALID_STATE', 'an owner of the account resets the sign-in');
  return person;
}
