import type { ApprovalResource } from '@gateway/public-api';
import type { Approval, RulesByKind } from '#src/approvals/approval-rules.ts';

/** An approval as the audit trail has it, and every operator sees it. */
export function presentApproval(approval: Approval): ApprovalResource {
  return {
    id: approval.id,
    object: 'approval',
    kind: approval.kind,
    environment: approval.environment ?? null,
    account_id: approval.accountId ?? null,
    target: approval.target,
    request: approval.request,
    before: approval.before ?? null,
    reason: approval.reason ?? null,
    state: approval.state,
    proposed_by: approval.proposedBy,
    approved_by: approval.approvedBy ?? null,
    decided_by: approval.decidedBy ?? null,
    decision_reason: approval.decisionReason ?? null,
    created_at: seconds(approval.createdAt),
    expires_at: seconds(approval.expiresAt),
    decided_at: approval.decidedAt ? seconds(approval.decidedAt) : null,
    outcome: approval.outcome ?? null,
    failure: approval.failure ?? null,
  };
}

/** An approval as one operator sees it. @param shownOnce what this answer alone has of the outcome */
export function presentApprovalTo(
  operator: string,
  approval: Approval,
  rules: RulesByKind,
  shownOnce: object = {},
): ApprovalResource {
  const presented = presentApproval(approval);
  if (approval.approvedBy !== operator || !presented.outcome) return presented;
  const alone = rules[approval.kind].forApprover?.(approval) ?? {};
  return { ...presented, outcome: { ...presented.outcome, ...alone, ...shownOnce } };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
