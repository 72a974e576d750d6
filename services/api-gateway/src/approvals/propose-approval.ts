import type { Environment } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { ApprovalKind } from '@gateway/public-api';
import type { Tx } from '@gateway/persistence';
import { ApprovalEntity } from '#src/approvals/approval-entity.ts';
import { presentApproval } from '#src/approvals/present-approval.ts';
import { recordAudit, type OperatorAct } from '#src/approvals/record-audit.ts';

/** How long a proposal waits for another operator: over a week-end. */
const lifetimeMs = 72 * 3_600_000;

export interface Proposal {
  readonly kind: ApprovalKind;
  readonly environment: Environment | null;
  readonly accountId: string | null;
  readonly target: string;
  readonly request: object;
  /** What the request changes, as it is now. */
  readonly before: object | null;
  readonly reason: string | null;
}

/** Writes down what another operator is to decide; nothing changes yet. */
export function proposeApproval(tx: Tx, act: OperatorAct, proposal: Proposal): ApprovalEntity {
  const approval = tx.em.create(ApprovalEntity, {
    ...proposal,
    id: newId('approval'),
    request: { ...proposal.request },
    before: proposal.before && { ...proposal.before },
    state: 'PROPOSED',
    proposedBy: act.operator,
    approvedBy: null,
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
