import { newId } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { AuditEntity } from '#src/approvals/audit-entity.ts';

/** Who acts, and under which request. */
export interface OperatorAct {
  readonly operator: string;
  readonly requestId: string;
  readonly at: Date;
}

/** Under which the gateway itself acts when a time is up; no operator may have this name. */
export const gatewayName = 'gateway';

/** Whoever opens the link of a live key; no operator may have this name. */
export const merchantName = 'merchant';

export function gatewayAct(cause: string, at: Date): OperatorAct {
  return { operator: gatewayName, requestId: cause, at };
}

export interface AuditedChange {
  readonly action:
    | 'account.create'
    | 'account.update'
    | 'adjustment.approve'
    | 'adjustment.expire'
    | 'adjustment.propose'
    | 'adjustment.reject'
    | 'approval.approve'
    | 'approval.expire'
    | 'approval.propose'
    | 'approval.reject'
    | 'dead-letter.discard'
    | 'dead-letter.retry'
    | 'dispute.confirm-evidence'
    | 'dispute.resolve'
    | 'integration.set'
    | 'key.claim'
    | 'key.issue'
    | 'key.revoke'
    | 'payout.approve'
    | 'payout.refuse'
    | 'payout.propose-resolution'
    | 'payout.resolve'
    | 'orphan-receipt.retry'
    | 'unread-item.dismiss'
    | 'provider.update'
    | 'reconciliation.run'
    | 'refund.resolve';
  readonly target: string;
  /** The public shape of the record before and after; never a secret. */
  readonly before: object | null;
  readonly after: object | null;
}

/** Leaves the trace of a change in the transaction that makes it (api.md 5). */
export function recordAudit(tx: Tx, act: OperatorAct, change: AuditedChange & { readonly id?: string }): void {
  tx.em.create(AuditEntity, {
    id: newId('audit'),
    operator: act.operator,
    requestId: act.requestId,
    createdAt: act.at,
    ...change,
  });
}
