import type { ApprovalKind } from '@gateway/public-api';
import type { Tx } from '@gateway/persistence';
import type { ApprovalEntity } from '#src/approvals/approval-entity.ts';
import type { OperatorAct } from '#src/approvals/record-audit.ts';

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

/** How one kind of change is carried out. */
export interface ApprovalRules {
  /**
   * What other services have to do, between transactions, and what is then to be recorded. It may be asked again for the
   * same approval, at the same time or after a crash, and must then do nothing twice.
   *
   * @throws DomainError below 500 when the change is refused for good: the approval has FAILED
   */
  readonly apply: (approval: Approval) => Promise<Recording>;
  /** What follows in the transaction that ends it without effect. */
  readonly ended?: (tx: Tx, approval: Approval, state: 'REJECTED' | 'EXPIRED' | 'FAILED') => Promise<void>;
  /** What the approving operator alone sees of the outcome beside what is kept. */
  readonly forApprover?: (approval: Approval) => object;
}

/** Every kind has its rules. */
export type RulesByKind = Readonly<Record<ApprovalKind, ApprovalRules>>;
