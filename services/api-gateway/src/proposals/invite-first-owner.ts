import { DomainError } from '@gateway/contracts/errors';
import { createInvitation, listInvitations, listPeople, revokeInvitation } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';

const realm = 'merchant';

export interface FirstOwnerRequest {
  readonly name: string;
}

export interface FirstOwnerOptions {
  readonly bus: Askable;
  readonly database: Database;
  /** The merchants' console, at which the invited person enrols. */
  readonly consoleUrl: string;
}

/**
 * Invites the first owner of an account, who invites everybody else. Whom the proposer knows enrols by the link that the
 * approver hands over, and opens nothing before the proposer has recognised that person: neither of the two becomes an
 * owner alone.
 */
export function firstOwnerRules({ bus, database, consoleUrl }: FirstOwnerOptions): ApprovalRules {
  const apply = async (approval: Approval) => {
    // One attempt makes one link.
    await AttemptLease.take(database, approval);
    const { target: accountId, request } = approval;
    const by = inviterOf(approval.proposedByPerson);
    await requireNoOwner(bus, accountId);
    await revokeOpen(bus, accountId, by);
    const { name } = request as unknown as FirstOwnerRequest;
    const membership = { accountId, roles: ['owner' as const], environments: ['test' as const, 'live' as const] };
    const { invitation, token } = await callRpc(bus, createInvitation, { realm, name, membership, by });
    const outcome = { invitation_id: invitation.id, name, ends_at: invitation.endsAt };
    return async () => ({ outcome, shownOnce: { invitation_url: welcomeLink(consoleUrl, token) } });
  };
  return { apply };
}

/** Who answers for an invitation: the person who proposed it; of a token of a developer's machine none. */
export function inviterOf(responsible: string | null | undefined): string {
  return responsible ?? 'bootstrap';
}

/** Where an invited person enrols. The token is in the fragment, which browsers send to no server. */
export function welcomeLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/welcome#${token}`;
}

/** @throws DomainError INVALID_STATE once an owner is there, or has enrolled: owners invite the others */
export async function requireNoOwner(bus: Askable, accountId: string): Promise<void> {
  const { people } = await callRpc(bus, listPeople, { realm, accountId });
  const isOwner = people.some(({ memberships }) =>
    memberships.some((each) => each.accountId === accountId && each.roles.includes('owner')),
  );
  if (isOwner) throw new DomainError('INVALID_STATE', 'the account has an owner, or one who is to be confirmed');
}

/** A link that was lost is replaced: of an account without an owner the latest link alone opens something. */
async function revokeOpen(bus: Askable, accountId: string, by: string): Promise<void> {
  const { invitations } = await callRpc(bus, listInvitations, { realm, accountId });
  for (const { id, state } of invitations) {
    if (state === 'OPEN') await callRpc(bus, revokeInvitation, { realm, invitationId: id, by });
  }
}
