import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import type { Tx } from '@gateway/persistence';
import type { ApprovalKind, ApprovalResource, ApprovalState } from '@gateway/public-api';
import { previewOf } from '#src/approvals/after-preview.ts';
import type { OperatorAct } from '#src/approvals/audit.ts';

/** What the people of one account propose and decide among themselves; no operator does either. */
export type TeamKind = 'team.key' | 'team.owner' | 'team.payouts' | 'team.refund';
export const teamKinds: readonly TeamKind[] = ['team.key', 'team.owner', 'team.payouts', 'team.refund'];

export type AnyKind = ApprovalKind | TeamKind;

export function isTeamKind(kind: AnyKind): kind is TeamKind {
  return (teamKinds as readonly AnyKind[]).includes(kind);
}

/** A change proposed by one person, for another to decide: operators, or two of the people of one account. */
export const ApprovalEntity = defineEntity({
  name: 'Approval',
  tableName: 'approval',
  properties: {
    id: p.string().primary(),
    kind: p.string().$type<AnyKind>(),
    environment: p.string().$type<Environment>().nullable(),
    accountId: p.string().nullable(),
    target: p.string(),
    request: p.json<Record<string, unknown>>(),
    /** SHA-256 of the request as it was proposed; null in records of earlier versions. */
    requestDigest: p.string().nullable(),
    before: p.json<Record<string, unknown>>().nullable(),
    reason: p.string().nullable(),
    state: p.string().$type<ApprovalState>(),
    proposedBy: p.string(),
    /** The person who answers for it; null of a token that is configured. */
    proposedByPerson: p.string().nullable(),
    /** Of a token: the person who approved it, was shown it, and answers for what it proposes as well. */
    tokenApprovedBy: p.string().nullable(),
    approvedBy: p.string().nullable(),
    /** The person who approved it; null of a token that is configured. */
    approvedByPerson: p.string().nullable(),
    decidedBy: p.string().nullable(),
    decisionReason: p.string().nullable(),
    decisionRequestId: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
    /** When carrying it out was begun last; once that is long ago, it is begun again. */
    attemptedAt: p.datetime().nullable(),
    outcome: p.json<Record<string, unknown>>().nullable(),
    failure: p.json<{ readonly code: string; readonly message: string }>().nullable(),
  },
});
export type ApprovalEntity = InferEntity<typeof ApprovalEntity>;

/** An approval as it was read; only the mechanism writes one. */
export type Approval = Readonly<ApprovalEntity>;

/** What came of an approval. */
export interface Applied {
  /** What the operation would have answered; kept, and shown to every operator, so never a secret. */
  readonly outcome: object;
  /** Shown in this one answer to the approving operator, and kept nowhere. */
  readonly shownOnce?: object;
}

/** The own share of a change, in the transaction that makes the approval APPLIED. */
export type Recording = (tx: Tx, act: OperatorAct) => Promise<Applied>;

/** How an approval ends without effect. */
export type EndedState = 'REFUSED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/** How one kind of change is carried out. */
export interface ApprovalRules {
  /**
   * What other services have to do, between transactions, and what is then to be recorded. It may be asked again for the
   * same approval, at the same time or after a crash, and must then do nothing twice.
   *
   * @throws DomainError below 500 when the change is refused for good: the approval has FAILED
   */
  readonly apply: (approval: Approval) => Promise<Recording>;
  /** How long it waits for others to object before it can be approved. */
  readonly waitMs?: number;
  /** What follows in the transaction that ends it without effect. */
  readonly ended?: (tx: Tx, approval: Approval, state: EndedState) => Promise<void>;
  /** What the approving operator alone sees of the outcome beside what is kept. */
  readonly forApprover?: (approval: Approval) => object;
}

/** Every kind has its rules. */
export type RulesByKind = Readonly<Record<AnyKind, ApprovalRules>>;

/** An approval as the audit trail has it, and all who may decide it see it. Operators are shown none of a team's kind. */
export function presentApproval(approval: Approval): ApprovalResource {
  return {
    id: approval.id,
    object: 'approval',
    kind: approval.kind as ApprovalKind,
    environment: approval.environment ?? null,
    account_id: approval.accountId ?? null,
    target: approval.target,
    request: approval.request,
    before: approval.before ?? null,
    after_preview: previewOf(approval.before, approval.request),
    reason: approval.reason ?? null,
    state: approval.state,
    proposed_by: approval.proposedBy,
    responsible: [approval.proposedByPerson, approval.tokenApprovedBy].flatMap((id) => id ?? []),
    approved_by: approval.approvedBy ?? null,
    decided_by: approval.decidedBy ?? null,
    decision_reason: approval.decisionReason ?? null,
    proposed_at: seconds(approval.createdAt),
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
