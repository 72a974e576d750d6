import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { beginRecovery, listPeople, type Person } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Tx } from '@gateway/persistence';
import type { Approval, ApprovalRules, EndedState } from '#src/approvals/approval.ts';
import { gatewayAct, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';
import { type FirstOwnerOptions, inviterOf, welcomeLink } from '#src/proposals/invite-first-owner.ts';

const realm = 'merchant';
/** The people of the account see the proposal on every page of theirs for so long before it can be approved. */
const recoveryWaitMs = 86_400_000;
/** And for so long after it was approved: who enrolled anew cannot end the notice by signing in. */
export const recoveryNoticeMs = 7 * 86_400_000;
/** For so long after signing in an owner may still have a session, in which to reset others. */
const ownersSessionSec = 12 * 3_600;

/** Whose sign-in is reset. */
interface RecoveryRequest {
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
    const { person_id: personId, name, account_ids: notified } = requestOf(approval);
    const { state, memberships } = await requireNoOtherOwner(bus, approval.accountId ?? '', {
      personId,
      proposedAt: approval.createdAt,
    });
    if (memberships.some(({ accountId }) => !notified.includes(accountId))) {
      throw new DomainError('INVALID_STATE', 'the person belongs to another account since, which was not told');
    }
    // One attempt makes one link.
    await AttemptLease.take(database, approval);
    const { proposedByPerson, approvedByPerson, reason, id } = approval;
    const people = { by: inviterOf(proposedByPerson), approvedBy: approvedByPerson ?? null };
    const asked = { realm, personId, ...people, reason: reason ?? id } as const;
    const { invitationId, token, endsAt } = await callRpc(bus, beginRecovery, asked);
    const outcome = { invitation_id: invitationId, person_id: personId, name, ends_at: endsAt };
    return async (tx: Tx, act: OperatorAct) => {
      const after = { name, state: 'INVITED', ends_at: endsAt };
      recordForAccounts(tx, act, approval, { action: 'team.recover', before: { name, state }, after });
      return { outcome, shownOnce: { invitation_url: welcomeLink(consoleUrl, token) } };
    };
  };
  return { apply, waitMs: recoveryWaitMs, ended };
}

async function ended(tx: Tx, approval: Approval, state: EndedState): Promise<void> {
  const { id, decidedBy, decisionRequestId, decidedAt } = approval;
  const act = gatewayAct(decisionRequestId ?? id, decidedAt ?? new Date());
  const after = { name: requestOf(approval).name, proposal: state };
  const by = { ...act, operator: decidedBy ?? act.operator };
  recordForAccounts(tx, by, approval, { action: 'team.end-recovery', before: null, after });
}

interface ForAccounts {
  readonly action: 'team.propose-recovery' | 'team.recover' | 'team.end-recovery';
  readonly before: object | null;
  readonly after: object;
}

/** A row for each account that is notified, of which its people see all but who the operators are and what they wrote. */
export function recordForAccounts(tx: Tx, act: OperatorAct, approval: Approval, change: ForAccounts): void {
  for (const accountId of requestOf(approval).account_ids) {
    recordAudit(tx, act, { ...change, target: approval.target, accountId });
  }
}

/** Unix seconds from which on it can be approved. */
export function recoverableFrom({ createdAt }: Approval): number {
  return Math.floor((createdAt.getTime() + recoveryWaitMs) / 1_000);
}

export function requestOf({ request }: Approval): RecoveryRequest {
  return request as unknown as RecoveryRequest;
}

/**
 * An owner is reset beside another one only where that one cannot have a session: of several owners who have all lost
 * everything, operators let one in again, who resets the others.
 *
 * @returns the person, whom no owner of the account can reset
 * @throws NotFoundError for a person without a part in the account; DomainError INVALID_STATE for one who is suspended, and
 *   where an owner can
 */
export async function requireNoOtherOwner(
  bus: Askable,
  accountId: string,
  { personId, proposedAt }: { readonly personId: string; readonly proposedAt: Date },
): Promise<Person> {
  const { people } = await callRpc(bus, listPeople, { realm, accountId });
  const person = people.find(({ id }) => id === personId);
  if (!person) throw new NotFoundError('person');
  if (person.state === 'SUSPENDED') {
    throw new DomainError('INVALID_STATE', 'the state of the person is SUSPENDED, which a reset does not end');
  }
  if (person.memberships.some((each) => each.accountId !== accountId)) return person;
  const owners = people.filter((each) => each.id !== personId && each.state === 'ACTIVE' && isOwner(each, accountId));
  const from = proposedAt.getTime() / 1_000 - ownersSessionSec;
  const present = owners.filter(({ lastSignInAt }) => lastSignInAt !== null && lastSignInAt >= from);
  if (!isOwner(person, accountId) && owners.length > 0) {
    throw new DomainError('INVALID_STATE', 'an owner of the account resets the sign-in');
  }
  if (present.length > 0) {
    throw new DomainError('INVALID_STATE', 'another owner of the account has signed in lately, and resets the sign-in');
  }
  return person;
}

function isOwner({ memberships }: Person, accountId: string): boolean {
  const own = memberships.find((each) => each.accountId === accountId);
  return own !== undefined && own.roles.includes('owner') && own.environments.includes('live');
}
