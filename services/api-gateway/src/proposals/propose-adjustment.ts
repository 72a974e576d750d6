import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { type Database, violatedConstraint } from '@gateway/persistence';
import type { AdjustmentRequest, AdjustmentResource } from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account.ts';
import { type Approval, ApprovalEntity } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { AdjustmentEntity, presentAdjustment } from '#src/proposals/adjustment.ts';

/** What an approval of an adjustment carries out. */
export type AdjustmentProposal = Omit<AdjustmentRequest, 'reason'> & { readonly adjustment_id: string };

export interface ProposedAdjustment {
  readonly created: boolean;
  readonly adjustment: AdjustmentResource;
  /** By which another operator decides it. */
  readonly approval: Approval;
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
  if (known) return known;
  try {
    return await insert(database, act, request);
  } catch (error) {
    const winner = violatedConstraint(error) === 'adjustment_external_id' ? await find(database, request) : undefined;
    if (!winner) throw error;
    return winner;
  }
}

async function find(database: Database, request: AdjustmentRequest): Promise<ProposedAdjustment | undefined> {
  const { account_id: accountId, environment, external_id: externalId } = request;
  const adjustment = await database.reader().findOne(AdjustmentEntity, { accountId, environment, externalId });
  if (!adjustment) return undefined;
  const approval = await approvalOf(database, adjustment.id);
  return { created: false, adjustment: presentAdjustment(adjustment), approval };
}

/** @throws NotFoundError */
export async function readAdjustment(database: Database, id: string): Promise<AdjustmentResource> {
  const adjustment = await database.reader().findOne(AdjustmentEntity, { id });
  if (!adjustment) throw new NotFoundError('adjustment');
  return presentAdjustment(adjustment);
}

/** @throws NotFoundError also for an adjustment that was decided before there were approvals */
export async function approvalOf(database: Database, adjustmentId: string): Promise<Approval> {
  const where = { kind: 'adjustment.apply', target: adjustmentId } as const;
  const approval = await database.reader().findOne(ApprovalEntity, where);
  if (!approval) throw new NotFoundError('adjustment');
  return approval;
}

async function insert(database: Database, act: OperatorAct, request: AdjustmentRequest): Promise<ProposedAdjustment> {
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
    const { reason, ...wanted } = request;
    const proposal: AdjustmentProposal = { adjustment_id: adjustment.id, ...wanted };
    const { environment, accountId, id: target } = adjustment;
    const subject = { kind: 'adjustment.apply', environment, accountId, target, before: null, reason } as const;
    return { created: true, adjustment: after, approval: proposeApproval(tx, act, { ...subject, request: proposal }) };
  });
}
