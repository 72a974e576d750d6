import { DomainError, statusOf } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { NoAnswerError } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { AuditEntity } from '#src/approvals/audit-entity.ts';
import { recordAudit, type AuditedChange, type OperatorAct } from '#src/approvals/record-audit.ts';

type ChangeElsewhere = Pick<AuditedChange, 'before' | 'after'> & Partial<Pick<AuditedChange, 'action' | 'target'>>;

/**
 * Leaves the trace of a change that another service makes. It is written before that service is asked, and completed with
 * what was before and after: should this process end in between, or no answer come, the trace is there and tells who
 * wanted what. What was refused has changed nothing and leaves none.
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
