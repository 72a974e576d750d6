import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { NoAnswerError } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';

/**
 * What one operator did: never changed, never removed. `before` and `after` are null as long as it is not known what came
 * of it.
 */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.string().primary(),
    operator: p.string(),
    action: p.string(),
    /** Id of the record that was changed. */
    target: p.string(),
    before: p.json<object>().nullable(),
    after: p.json<object>().nullable(),
    requestId: p.string(),
    createdAt: p.datetime(),
  },
});
export type AuditEntity = InferEntity<typeof AuditEntity>;

/** Who acts, and under which request. */
export interface OperatorAct {
  readonly operator: string;
  readonly requestId: string;
  readonly at: Date;
}

/** Under which the gateway itself acts when a time is up; no operator may have this name. */
export const gatewayName = 'gateway';

/** Under which the opening of a live key's link is recorded; no operator may have this name. */
export const merchantName = 'merchant';

export function gatewayAct(cause: string, at: Date): OperatorAct {
  return { operator: gatewayName, requestId: cause, at };
}

export interface AuditedChange {
  readonly action:
    | 'account.create'
    | 'account.freeze'
    | 'account.unfreeze'
    | 'account.update'
    | 'adjustment.approve'
    | 'adjustment.expire'
    | 'adjustment.propose'
    | 'adjustment.refuse'
    | 'adjustment.withdraw'
    | 'approval.approve'
    | 'approval.expire'
    | 'approval.propose'
    | 'approval.refuse'
    | 'approval.withdraw'
    | 'dead-letter.discard'
    | 'dead-letter.retry'
    | 'delivery.redeliver'
    | 'dispute.confirm-evidence'
    | 'deposit.look-up'
    | 'dispute.resolve'
    | 'integration.remove'
    | 'integration.set'
    | 'key.claim'
    | 'key.issue'
    | 'key.revoke'
    | 'payout.approve'
    | 'payout.look-up'
    | 'payout.refuse'
    | 'payout.propose-resolution'
    | 'payout.resolve'
    | 'orphan-receipt.retry'
    | 'unread-item.dismiss'
    | 'provider.update'
    | 'reconciliation.run'
    | 'refund.resolve'
    | 'webhook.enable'
    | 'webhook.pause'
    | 'webhook.recover';
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

type ChangeElsewhere = Pick<AuditedChange, 'before' | 'after'> & Partial<Pick<AuditedChange, 'action' | 'target'>>;

/**
 * Leaves the trace of a change that another service makes. It is written before that service is asked, and completed with
 * what was before and after: should this process end in between, or no answer come, the trace is there and names
 * the operator and the change. What was refused has changed nothing and leaves none.
 *
 * @param work asks, and may name the action and its target more closely
 */
export async function auditAcross<Change extends ChangeElsewhere>(
  database: Database,
  act: OperatorAct,
  { action, target }: Pick<AuditedChange, 'action' | 'target'>,
  work: () => Promise<Change>,
): Promise<Change> {
  const id = newId('audit');
  const intention = { id, action, target, before: null, after: null };
  await database.transaction(async (tx) => recordAudit(tx, act, intention));
  const change = await work().catch(async (error: unknown) => {
    if (isRefusal(error))
      await database.transaction(async (tx) => void (await tx.em.nativeDelete(AuditEntity, { id })));
    throw error;
  });
  const { before, after } = change;
  const done = { action: change.action ?? action, target: change.target ?? target, before, after };
  await database.transaction(async (tx) => void (await tx.em.nativeUpdate(AuditEntity, { id }, done)));
  return change;
}

/** A fault of the other service, or a provider that did not answer it, may have come after the change. */
function isRefusal(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.received === 'no';
  return error instanceof DomainError && statusOf(error.code) < 500;
}
