import { DomainError } from '@gateway/contracts/errors';
import {
  beginRecovery,
  changeRoles,
  createInvitation,
  createServiceToken,
  listInvitations,
  listPeople,
  listServiceTokens,
  type OperatorRole,
  reinstatePerson,
  revokeInvitation,
  revokeServiceToken,
  type ServiceToken,
} from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';
import { requireUnchanged } from '#src/approvals/propose-approval.ts';
import { inviterOf, welcomeLink } from '#src/proposals/invite-first-owner.ts';

const realm = 'operator';
const secondsOfADay = 86_400;

/** Who is changed; `roles` where those are. */
export interface PersonRequest {
  readonly person_id: string;
  readonly name: string;
  readonly roles?: OperatorRole[];
}

interface Services {
  readonly bus: Askable;
  readonly database: Database;
  /** The operators' console, at which people enrol. */
  readonly consoleUrl: string;
}

/**
 * Invites a person to operate, by a link that the approver alone is shown; the proposer confirms who enrolled by it. A link
 * of an attempt that ended before its answer is replaced: the latest alone opens something.
 */
export function operatorInvitationRules({ bus, database, consoleUrl }: Services): ApprovalRules {
  const apply = async (approval: Approval) => {
    await AttemptLease.take(database, approval);
    const { name, roles } = approval.request as unknown as { readonly name: string; readonly roles: OperatorRole[] };
    const people = peopleOf(approval);
    const { by } = people;
    const { invitations } = await callRpc(bus, listInvitations, { realm });
    for (const open of invitations.filter((each) => each.name === name && each.state === 'OPEN')) {
      await callRpc(bus, revokeInvitation, { realm, invitationId: open.id, by });
    }
    const { invitation, token } = await callRpc(bus, createInvitation, { realm, name, roles, ...people });
    const outcome = { invitation_id: invitation.id, name, roles, ends_at: invitation.endsAt };
    return async () => ({ outcome, shownOnce: { invitation_url: welcomeLink(consoleUrl, token) } });
  };
  return { apply };
}

/** Gives an operator other roles; doing it twice is doing it once. */
export function operatorRolesRules({ bus }: Services): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { person_id: personId, roles = [] } = approval.request as unknown as PersonRequest;
    const now = await personOf(bus, personId);
    if (now.roles.join() !== roles.join()) {
      requireUnchanged({ roles: now.roles }, approval.before);
      await callRpc(bus, changeRoles, { realm, personId, ...peopleOf(approval), rights: { roles } });
    }
    return async () => ({ outcome: { person_id: personId, name: now.name, roles } });
  };
  return { apply };
}

/** Lets a suspended operator in again; doing it twice is doing it once. */
export function reinstatementRules({ bus }: Services): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { person_id: personId, name } = approval.request as unknown as PersonRequest;
    const { state } = await personOf(bus, personId);
    if (state !== 'ACTIVE') {
      const asked = { realm, personId, ...peopleOf(approval), reason: reasonOf(approval) } as const;
      await callRpc(bus, reinstatePerson, asked);
    }
    return async () => ({ outcome: { person_id: personId, name, state: 'ACTIVE' } });
  };
  return { apply };
}

/** Resets the sign-in of an operator, which two others agreed on. */
export function operatorRecoveryRules({ bus, database, consoleUrl }: Services): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { person_id: personId, name } = approval.request as unknown as PersonRequest;
    if (approval.approvedBy === name) {
      throw new DomainError('SECOND_PERSON_REQUIRED', 'two others agree on the reset of a sign-in');
    }
    await AttemptLease.take(database, approval);
    const asked = { realm, personId, ...peopleOf(approval), reason: reasonOf(approval) } as const;
    const { invitationId, token, endsAt } = await callRpc(bus, beginRecovery, asked);
    const outcome = { invitation_id: invitationId, person_id: personId, name, ends_at: endsAt };
    return async () => ({ outcome, shownOnce: { invitation_url: welcomeLink(consoleUrl, token) } });
  };
  return { apply };
}

/** A token for automation as it is asked for. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: ServiceToken['scopes'];
  readonly allowlist: string[];
  readonly days: number;
}

/**
 * @param people who made it, and who approved it where that takes two
 * @returns the token with what it may do; it is known to nothing else
 */
export async function issueServiceToken(
  bus: Askable,
  { days, ...terms }: TokenRequest,
  people: { readonly by: string; readonly approvedBy: string | null },
) {
  return await callRpc(bus, createServiceToken, { ...terms, lifeSec: days * secondsOfADay, ...people });
}

/**
 * Issues a token that writes, which the approver alone is shown: both people answer for what it proposes. One of an attempt that ended before its answer is known to no program, and is revoked.
 */
export function serviceTokenRules({ bus, database }: Services): ApprovalRules {
  const apply = async (approval: Approval) => {
    await AttemptLease.take(database, approval);
    const wanted = approval.request as unknown as TokenRequest;
    const { name, scopes } = wanted;
    const people = peopleOf(approval);
    const { by } = people;
    const decidedAt = Math.floor((approval.decidedAt ?? approval.createdAt).getTime() / 1_000);
    const { serviceTokens } = await callRpc(bus, listServiceTokens, {});
    for (const { id, createdAt, createdBy, revokedAt, ...made } of serviceTokens) {
      const isOfThis = made.name === name && createdBy === by && createdAt >= decidedAt && revokedAt === null;
      if (isOfThis) await callRpc(bus, revokeServiceToken, { id, by });
    }
    const { serviceToken, token } = await issueServiceToken(bus, wanted, people);
    const outcome = { service_token_id: serviceToken.id, name, scopes, ends_at: serviceToken.endsAt };
    return async () => ({ outcome, shownOnce: { token } });
  };
  return { apply };
}

async function personOf(bus: Askable, personId: string) {
  const { people } = await callRpc(bus, listPeople, { realm });
  const person = people.find(({ id }) => id === personId);
  if (!person) throw new DomainError('INVALID_STATE', 'the person is no operator any more');
  return person;
}

/** Both count as having made the change: who proposed it, and who agreed and was shown what comes of it. */
function peopleOf({ proposedByPerson, approvedByPerson }: Approval) {
  return { by: inviterOf(proposedByPerson), approvedBy: approvedByPerson ?? null };
}

function reasonOf({ reason, id }: Approval): string {
  return reason ?? id;
}
