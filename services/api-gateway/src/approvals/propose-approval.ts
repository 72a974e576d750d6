import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { type AnyKind, ApprovalEntity, presentApproval } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { requireConfirmed, requireProposer } from '#src/approvals/permissions.ts';
import { digestOfRequest } from '#src/approvals/request-digest.ts';

/** How long a proposal waits for another operator: over a week-end. */
const lifetimeMs = 72 * 3_600_000;

export interface Proposal {
  /** Given where another service has to know it before. */
  readonly id?: string;
  readonly kind: AnyKind;
  readonly environment: Environment | null;
  readonly accountId: string | null;
  readonly target: string;
  readonly request: object;
  /** What the request changes, as it is now. */
  readonly before: object | null;
  readonly reason: string | null;
}

/**
 * Writes down what another operator is to decide; nothing changes yet.
 *
 * @throws DomainError PERMISSION_DENIED to an operator whose roles do not allow to propose this kind of change
 */
export function proposeApproval(tx: Tx, act: OperatorAct, proposal: Proposal): ApprovalEntity {
  requireProposer(act, proposal.kind);
  requireConfirmed(act);
  const approval = tx.em.create(ApprovalEntity, {
    id: newId('approval'),
    ...proposal,
    request: { ...proposal.request },
    requestDigest: digestOfRequest(proposal.request),
    before: proposal.before && { ...proposal.before },
    state: 'PROPOSED',
    proposedBy: act.operator,
    proposedByPerson: act.responsible ?? null,
    tokenApprovedBy: act.tokenApprovedBy ?? null,
    approvedBy: null,
    approvedByPerson: null,
    decidedBy: null,
    decisionReason: null,
    decisionRequestId: null,
    createdAt: act.at,
    expiresAt: new Date(act.at.getTime() + lifetimeMs),
    decidedAt: null,
    attemptedAt: null,
    outcome: null,
    failure: null,
  });
  const after = presentApproval(approval);
  recordAudit(tx, act, { action: 'approval.propose', target: approval.id, before: null, after });
  return approval;
}

/** Of a record, what a request names: the members of `request`, down to those that hold no members of their own. */
export function namedMembers(record: object, request: object): Record<string, unknown> {
  const named = Object.entries(request).filter(([, wanted]) => wanted !== undefined);
  return Object.fromEntries(
    named.map(([name, wanted]) => {
      const value = (record as Readonly<Record<string, unknown>>)[name];
      return [name, isMembers(wanted) && isMembers(value) ? namedMembers(value, wanted) : (value ?? null)];
    }),
  );
}

/**
 * The approver saw the values from before; other values by now would be a change that no operator has seen.
 *
 * @throws DomainError INVALID_STATE
 */
export function requireUnchanged(now: object, before: object | null | undefined): void {
  if (isDeepStrictEqual({ ...now }, { ...before })) return;
  throw new DomainError('INVALID_STATE', 'what was to be changed has changed since it was proposed; propose it again');
}

function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
