import { LockMode } from '@mikro-orm/core';
import { DomainError, type ErrorCode, statusOf } from '@gateway/contracts/errors';
import type { Database, Tx } from '@gateway/persistence';
import {
  type Approval,
  ApprovalEntity,
  isTeamKind,
  presentApproval,
  type Recording,
  type RulesByKind,
} from '#src/approvals/approval.ts';
import { AuditEntity, mayNothing, type OperatorAct } from '#src/approvals/audit.ts';
import { requireAsProposed } from '#src/approvals/request-digest.ts';

interface Services {
  readonly database: Database;
  readonly rules: RulesByKind;
}

export interface CarriedOut {
  readonly approval: Approval;
  /** Of the outcome, for this one answer. */
  readonly shownOnce: object;
}

/**
 * Carries out an APPLYING approval and records its outcome. Doing so twice, at the same time or after a crash, has the
 * effect of doing it once: other services are asked under the approval's own id, and the gateway's own share is recorded in
 * the transaction that makes it APPLIED.
 *
 * @throws DomainError the refusal when the change cannot be made, also when another attempt was refused: the
 *   approval has FAILED then. Any other error leaves it APPLYING, to be tried again
 */
export async function carryOut({ database, rules }: Services, approval: Approval): Promise<CarriedOut> {
  const { apply } = rules[approval.kind];
  try {
    // What is carried out is what was proposed and shown; records of earlier versions have no digest.
    if (approval.requestDigest !== null) requireAsProposed(approval.request, approval.requestDigest);
    const recording = await apply(approval);
    return await database.transaction(async (tx) => await record(tx, approval, recording));
  } catch (error) {
    if (!(error instanceof DomainError) || statusOf(error.code) >= 500) throw error;
    await database.transaction(async (tx) => await fail(tx, rules, approval, error));
    throw error;
  }
}

async function record(tx: Tx, { id }: Approval, recording: Recording): Promise<CarriedOut> {
  const approval = await lock(tx, id);
  if (approval.failure) throw new DomainError(approval.failure.code as ErrorCode, approval.failure.message);
  if (approval.state !== 'APPLYING') return { approval, shownOnce: {} };
  const requestId = approval.decisionRequestId ?? id;
  const act = { operator: approval.approvedBy ?? '', may: mayNothing, requestId, at: new Date(), ...teamOf(approval) };
  const { outcome, shownOnce = {} } = await recording(tx, act);
  approval.state = 'APPLIED';
  approval.outcome = { ...outcome };
  await completeTrace(tx, approval);
  return { approval, shownOnce };
}

/** The name of an account's person is no operator's, also in what is written down with the outcome. */
function teamOf({ kind, accountId, environment }: Approval): Pick<OperatorAct, 'team'> {
  return isTeamKind(kind) && accountId && environment ? { team: { accountId, environment } } : {};
}

async function fail(tx: Tx, rules: RulesByKind, { id }: Approval, { code, message }: DomainError): Promise<void> {
  const approval = await lock(tx, id);
  if (approval.state !== 'APPLYING') return;
  approval.state = 'FAILED';
  approval.failure = { code, message };
  await rules[approval.kind].ended?.(tx, approval, 'FAILED');
  await completeTrace(tx, approval);
}

async function completeTrace(tx: Tx, approval: Approval): Promise<void> {
  const trace = { action: 'approval.approve', target: approval.id };
  await tx.em.nativeUpdate(AuditEntity, trace, { after: presentApproval(approval) });
}

async function lock(tx: Tx, id: string): Promise<ApprovalEntity> {
  return await tx.em.findOneOrFail(ApprovalEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
