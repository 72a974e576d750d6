import { newId, ValidationError, type AdjustmentRequest, type AdjustmentResource } from '@gateway/contracts';
import { violatedConstraint, type Database } from '@gateway/service-kit';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { AdjustmentEntity, presentAdjustment } from '#src/adjustments/adjustment-entity.ts';
import { recordAudit, type OperatorAct } from '#src/operators/record-audit.ts';

export interface ProposedAdjustment {
  readonly created: boolean;
  readonly adjustment: AdjustmentResource;
}

/**
 * Writes down a correction for another operator to approve; no balance changes yet. A repeated `external_id` finds the
 * earlier proposal, whatever the repetition says.
 */
export async function proposeAdjustment(
  database: Database,
  act: OperatorAct,
  request: AdjustmentRequest,
): Promise<ProposedAdjustment> {
  const known = await find(database, request);
  if (known) return { created: false, adjustment: known };
  try {
    return { created: true, adjustment: await insert(database, act, request) };
  } catch (error) {
    const winner = violatedConstraint(error) === 'adjustment_external_id' ? await find(database, request) : undefined;
    if (!winner) throw error;
    return { created: false, adjustment: winner };
  }
}

async function find(database: Database, request: AdjustmentRequest): Promise<AdjustmentResource | undefined> {
  const { account_id: accountId, environment, external_id: externalId } = request;
  const adjustment = await database.reader().findOne(AdjustmentEntity, { accountId, environment, externalId });
  return adjustment ? presentAdjustment(adjustment) : undefined;
}

async function insert(database: Database, act: OperatorAct, request: AdjustmentRequest): Promise<AdjustmentResource> {
  return await database.transaction(async (tx) => {
    if (!(await tx.em.findOne(AccountEntity, { id: request.account_id }))) {
      throw new ValidationError([{ path: 'account_id', message: 'is not the id of an account' }]);
    }
    const adjustment = tx.em.create(AdjustmentEntity, {
      id: newId('adjustment'),
      accountId: request.account_id,
      environment: request.environment,
      currency: request.currency,
      amount: request.amount_cents,
      reason: request.reason,
      externalId: request.external_id,
      status: 'PROPOSED',
      proposedBy: act.operator,
      approvedBy: null,
      approvedAt: null,
      createdAt: act.at,
      decidedAt: null,
    });
    const after = presentAdjustment(adjustment);
    recordAudit(tx, act, { action: 'adjustment.propose', target: adjustment.id, before: null, after });
    return after;
  });
}
