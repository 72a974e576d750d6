import { DomainError, isId, NotFoundError, type AdjustmentResource, type LedgerResult } from '@gateway/contracts';
import type { Asker, Database, Tx } from '@gateway/service-kit';
import { presentAdjustment, type AdjustmentEntity } from '#src/adjustments/adjustment-entity.ts';
import { decideAdjustment, lockAdjustment } from '#src/adjustments/decide-adjustment.ts';
import { recordAudit, type OperatorAct } from '#src/operators/record-audit.ts';

/** How long the approving operator waits for the ledger. */
export const approvalTimeoutMs = 10_000;

/**
 * Carries a proposed correction out, by another operator than the one who proposed it. When the ledger does not answer,
 * approving again asks it the same question, and so does `finishAdjustments`; an adjustment that is applied already is
 * answered as it is.
 *
 * @throws DomainError INVALID_STATE to the proposer, or when the ledger has refused; INSUFFICIENT_FUNDS when it refuses
 *   now because the balance would become negative; SERVICE_UNAVAILABLE when it does not answer
 */
export async function approveAdjustment(
  database: Database,
  asker: Asker,
  act: OperatorAct,
  id: string,
): Promise<AdjustmentResource> {
  if (!isId('adjustment', id)) throw new NotFoundError('adjustment');
  const claimed = await database.transaction(async (tx) => await claim(tx, act, id));
  if (claimed.status === 'APPLIED') return presentAdjustment(claimed);
  const { adjustment: decided, result } = await decideAdjustment(database, asker, claimed, approvalTimeoutMs);
  if (decided.status === 'REFUSED') throw refusalOf(result);
  return decided;
}

/** From here on the approver is known, whatever becomes of the question to the ledger. */
async function claim(tx: Tx, act: OperatorAct, id: string): Promise<AdjustmentEntity> {
  const adjustment = await lockAdjustment(tx, id);
  if (adjustment.proposedBy === act.operator) {
    throw new DomainError('INVALID_STATE', 'an adjustment is approved by another operator than its proposer');
  }
  if (adjustment.status === 'REFUSED') {
    throw new DomainError('INVALID_STATE', 'the ledger has refused the adjustment; propose another');
  }
  if (adjustment.approvedBy === null) {
    // The trace is there before the ledger is asked; what came of it is added with its answer.
    const change = {
      action: 'adjustment.approve',
      target: id,
      before: presentAdjustment(adjustment),
      after: null,
    } as const;
    recordAudit(tx, act, change);
    adjustment.approvedBy = act.operator;
    adjustment.approvedAt = act.at;
  }
  return adjustment;
}

function refusalOf({ refusal, outcome }: LedgerResult): DomainError {
  if (refusal === 'insufficient_funds') {
    return new DomainError('INSUFFICIENT_FUNDS', 'the available balance does not cover the adjustment');
  }
  return new DomainError('INVALID_STATE', `the ledger refused the adjustment: ${refusal ?? outcome}`);
}
