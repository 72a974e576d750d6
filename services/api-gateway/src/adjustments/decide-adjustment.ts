import { LockMode } from '@mikro-orm/core';
import { ledgerCommand, NotFoundError, type AdjustmentResource, type LedgerResult } from '@gateway/contracts';
import type { Asker, Database, Tx } from '@gateway/service-kit';
import { AdjustmentEntity, presentAdjustment } from '#src/adjustments/adjustment-entity.ts';
import { AuditEntity } from '#src/operators/audit-entity.ts';

export interface Decided {
  readonly adjustment: AdjustmentResource;
  readonly result: LedgerResult;
}

/**
 * Puts an approved correction to the ledger and records the answer. The ledger decides it once, so whoever asks again, at
 * the same time or after a crash, records the same.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger does not answer
 */
export async function decideAdjustment(
  database: Database,
  asker: Asker,
  { id, accountId, environment, currency, amount }: AdjustmentEntity,
  timeoutMs: number,
): Promise<Decided> {
  const command = { kind: 'adjust', id: `adjust:${id}`, adjustmentId: id } as const;
  const request = { ...command, accountId, environment, currency, amount };
  const result = await asker.ask(ledgerCommand, request, { timeoutMs });
  return { result, adjustment: await database.transaction(async (tx) => await record(tx, id, result)) };
}

async function record(tx: Tx, id: string, result: LedgerResult): Promise<AdjustmentResource> {
  const adjustment = await lockAdjustment(tx, id);
  if (adjustment.status !== 'PROPOSED') return presentAdjustment(adjustment);
  adjustment.status = result.outcome === 'applied' ? 'APPLIED' : 'REFUSED';
  adjustment.decidedAt = new Date();
  const after = presentAdjustment(adjustment);
  await tx.em.nativeUpdate(AuditEntity, { action: 'adjustment.approve', target: id }, { after });
  return after;
}

/** @throws NotFoundError */
export async function lockAdjustment(tx: Tx, id: string): Promise<AdjustmentEntity> {
  const adjustment = await tx.em.findOne(AdjustmentEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!adjustment) throw new NotFoundError('adjustment');
  return adjustment;
}
