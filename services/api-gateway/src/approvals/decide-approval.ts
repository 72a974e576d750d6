import { LockMode } from '@mikro-orm/core';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import { type Database, type Tx, violatedConstraint } from '@gateway/persistence';
import {
  type Approval,
  ApprovalEntity,
  isTeamKind,
  presentApproval,
  type RulesByKind,
} from '#src/approvals/approval.ts';
import { gatewayAct, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { type CarriedOut, carryOut } from '#src/approvals/carry-out.ts';
import { neededToPropose, requireConfirmed, requireDecider } from '#src/approvals/permissions.ts';

export interface ApprovalServices {
  readonly database: Database;
  readonly rules: RulesByKind;
}

export interface Decision {
  readonly id: string;
  readonly reason: string | null;
}

/**
 * Carries out what another operator proposed. Of several who approve at the same time one wins. When another service does
 * not answer, approving again asks it the same question, and so does `keepApprovals`; what is applied already is answered
 * to its approver as it is.
 *
 * @throws DomainError SECOND_PERSON_REQUIRED to the proposer; PERMISSION_DENIED to an operator who may not decide its
 *   kind; INVALID_STATE for one that is decided otherwise; whatever
 *   the change itself is refused with, and then it has FAILED; SERVICE_UNAVAILABLE while another service does not answer
 */
export async function approve(services: ApprovalServices, act: OperatorAct, decision: Decision): Promise<CarriedOut> {
  if (!isId('approval', decision.id)) throw new NotFoundError('approval');
  requireConfirmed(act);
  await requireSecond(services.database, act, decision.id);
  const claimed = await services.database
    .transaction(async (tx) => await claim(tx, services.rules, act, decision))
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'approval_applying') throw error;
      throw new DomainError('INVALID_STATE', 'another change of the same record is being carried out');
    });
  if (claimed.state === 'APPLIED') return { approval: claimed, shownOnce: {} };
  if (claimed.state !== 'APPLYING') throw notOpen(claimed);
  // A team's approval has several steps, which one attempt at a time goes through: the first one, or `keepApprovals`.
  const isUnderWay = claimed.attemptedAt?.getTime() !== act.at.getTime();
  if (act.team && isUnderWay) return { approval: claimed, shownOnce: {} };
  return await carryOut(services, claimed);
}

/** Who answers for a proposal never changes, so it may be asked before the approval is locked. */
async function requireSecond(database: Database, act: OperatorAct, id: string): Promise<void> {
  const { person } = act;
  if (!person) return;
  const approval = await database.reader().findOne(ApprovalEntity, { id });
  if (!approval || !isWithinReach(act, approval)) return;
  const toPropose = approval.tokenApprovedBy ? null : neededToPropose(approval.kind);
  await person.requireSecondTo(approval.proposedByPerson ?? null, toPropose);
  if (approval.tokenApprovedBy) await person.requireSecondTo(approval.tokenApprovedBy, null);
}

/** From here on the approver is known, whatever becomes of the change. */
async function claim(tx: Tx, rules: RulesByKind, act: OperatorAct, { id, reason }: Decision): Promise<Approval> {
  const approval = await lockWithinReach(tx, act, id);
  requireDecider(act, approval.kind);
  const isOpen = approval.state === 'PROPOSED' || approval.state === 'APPLYING';
  if (isOpen && approval.proposedBy === act.operator) {
    throw new DomainError('SECOND_PERSON_REQUIRED', 'a change is approved by another operator than its proposer');
  }
  if (approval.state === 'PROPOSED' && approval.expiresAt <= act.at) return await expire(tx, rules, approval, act.at);
  if (approval.state !== 'PROPOSED') {
    if (approval.approvedBy === act.operator) return approval;
    throw notOpen(approval);
  }
  const { waitMs } = rules[approval.kind];
  if (waitMs !== undefined) requireWaited(approval, waitMs, act.at);
  // The trace is there before anything is done; what came of it is added with the outcome.
  const before = presentApproval(approval);
  recordAudit(tx, act, { action: 'approval.approve', target: id, before, after: null });
  approval.state = 'APPLYING';
  approval.approvedBy = act.operator;
  approval.approvedByPerson = act.responsible ?? null;
  approval.decidedBy = act.operator;
  approval.decisionReason = reason;
  approval.decisionRequestId = act.requestId;
  approval.decidedAt = act.at;
  approval.attemptedAt = act.at;
  return approval;
}

/** @throws DomainError INVALID_STATE as long as those whom it is about have not had the time to object */
function requireWaited({ createdAt }: Approval, waitMs: number, at: Date): void {
  const from = new Date(createdAt.getTime() + waitMs);
  if (at < from) throw new DomainError('INVALID_STATE', `the change can be approved from ${from.toISOString()} on`);
}

/**
 * Ends a proposal without effect: another operator refuses it, or its proposer withdraws it.
 *
 * @param wanted which of the two; without it, the one that the operator may
 * @throws DomainError INVALID_STATE for one that is no longer PROPOSED, and to another operator who withdraws it;
 *   SECOND_PERSON_REQUIRED to its proposer who refuses it; PERMISSION_DENIED to another who may not decide its kind
 */
export async function endProposal(
  { database, rules }: ApprovalServices,
  act: OperatorAct,
  { id, reason }: Decision,
  wanted?: 'refuse' | 'withdraw',
): Promise<Approval> {
  if (!isId('approval', id)) throw new NotFoundError('approval');
  const ended = await database.transaction(async (tx) => {
    const approval = await lockWithinReach(tx, act, id);
    if (approval.state !== 'PROPOSED') throw notOpen(approval);
    requireRole(approval, act, wanted);
    if (approval.expiresAt <= act.at) return await expire(tx, rules, approval, act.at);
    return await endUnapplied(tx, rules, approval, { act, reason });
  });
  if (ended.state === 'EXPIRED') throw notOpen(ended);
  return ended;
}

function requireRole({ proposedBy, kind }: Approval, act: OperatorAct, wanted?: 'refuse' | 'withdraw'): void {
  const { operator } = act;
  if (wanted === 'refuse' && operator === proposedBy) {
    throw new DomainError(
      'SECOND_PERSON_REQUIRED',
      'a proposal is refused by another operator; its proposer withdraws it',
    );
  }
  if (wanted === 'withdraw' && operator !== proposedBy) {
    throw new DomainError('INVALID_STATE', 'a proposal is withdrawn by its proposer; another operator refuses it');
  }
  if (operator === proposedBy) return;
  requireDecider(act, kind);
  requireConfirmed(act);
}

interface Ending {
  readonly act: OperatorAct;
  readonly reason: string | null;
}

/** In a transaction that has locked the PROPOSED approval. */
export async function endUnapplied(
  tx: Tx,
  rules: RulesByKind,
  approval: ApprovalEntity,
  { act, reason }: Ending,
): Promise<Approval> {
  const before = presentApproval(approval);
  const state = act.operator === approval.proposedBy ? 'WITHDRAWN' : 'REFUSED';
  approval.state = state;
  approval.decidedBy = act.operator;
  approval.decisionReason = reason;
  approval.decisionRequestId = act.requestId;
  approval.decidedAt = act.at;
  await rules[approval.kind].ended?.(tx, approval, state);
  recordAudit(tx, act, {
    action: state === 'WITHDRAWN' ? 'approval.withdraw' : 'approval.refuse',
    target: approval.id,
    before,
    after: presentApproval(approval),
  });
  return approval;
}

/** In a transaction that has locked the PROPOSED approval. */
export async function expire(tx: Tx, rules: RulesByKind, approval: ApprovalEntity, at: Date): Promise<Approval> {
  const before = presentApproval(approval);
  approval.state = 'EXPIRED';
  approval.decidedAt = at;
  await rules[approval.kind].ended?.(tx, approval, 'EXPIRED');
  const act = gatewayAct(approval.id, at);
  recordAudit(tx, act, {
    action: 'approval.expire',
    target: approval.id,
    before,
    after: presentApproval(approval),
  });
  return approval;
}

async function lockWithinReach(tx: Tx, act: OperatorAct, id: string): Promise<ApprovalEntity> {
  const approval = await lockApproval(tx, id);
  if (!isWithinReach(act, approval)) throw new NotFoundError('approval');
  return approval;
}

/** The people of an account reach what was proposed in it, in the environment they act in; operators only what operators did. */
export function isWithinReach(
  { team }: Pick<OperatorAct, 'team'>,
  { kind, accountId, environment }: Approval,
): boolean {
  if (!team) return !isTeamKind(kind);
  return isTeamKind(kind) && accountId === team.accountId && environment === team.environment;
}

/** @throws NotFoundError */
export async function lockApproval(tx: Tx, id: string): Promise<ApprovalEntity> {
  const approval = await tx.em.findOne(ApprovalEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!approval) throw new NotFoundError('approval');
  return approval;
}

function notOpen({ state }: Approval): DomainError {
  return new DomainError('INVALID_STATE', `the approval is ${state} and cannot be decided any more`);
}
