import { LockMode } from '@mikro-orm/core';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { ledgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import type { LedgerCommandClient } from '@gateway/messaging';
import type { Tx } from '@gateway/persistence';
import type { Approval, ApprovalRules, EndedState } from '#src/approvals/approval.ts';
import { gatewayAct, mayNothing, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { AdjustmentEntity, presentAdjustment } from '#src/proposals/adjustment.ts';
import type { AdjustmentProposal } from '#src/proposals/propose-adjustment.ts';

/** How long the ledger is waited for; unanswered, it is asked the same again. */
const ledgerTimeoutMs = 9_000;

/** The ledger decides an adjustment once, by its command id, so asking again records the same. */
export function adjustmentRules(ledgerClient: LedgerCommandClient): ApprovalRules {
  const apply = async ({ request }: Approval) => {
    const { adjustment_id: id, ...wanted } = request as unknown as AdjustmentProposal;
    const { account_id: accountId, environment, currency, amount_cents: amount } = wanted;
    const command = { kind: 'adjust', id: `adjust:${id}`, adjustmentId: id } as const;
    const question = { ...command, accountId, environment, currency, amount };
    const result = await ledgerClient.request(ledgerCommand, question, { timeoutMs: ledgerTimeoutMs });
    if (result.outcome !== 'applied') throw refusalOf(result);
    return async (tx: Tx, act: OperatorAct) => ({ outcome: await approved(tx, id, act, 'APPLIED') });
  };
  return { apply, ended };
}

/** Without effect on the balance: refused by the ledger or an operator, withdrawn, or never decided. */
async function ended(tx: Tx, approval: Approval, state: EndedState): Promise<void> {
  const { target, approvedBy, decidedBy, decisionRequestId } = approval;
  const at = new Date();
  const requestId = decisionRequestId ?? approval.id;
  if (state === 'FAILED') {
    await approved(tx, target, { operator: approvedBy ?? '', may: mayNothing, requestId, at }, 'REFUSED');
    return;
  }
  const adjustment = await lockAdjustment(tx, target);
  const before = presentAdjustment(adjustment);
  // REFUSED is by the ledger.
  adjustment.status = state === 'REFUSED' ? 'REJECTED' : state;
  adjustment.decidedAt = at;
  const after = presentAdjustment(adjustment);
  const decider = { operator: decidedBy ?? '', may: mayNothing, requestId, at };
  const act = state === 'EXPIRED' ? gatewayAct(approval.id, at) : decider;
  recordAudit(tx, act, { action: endings[state], target, before, after });
}

const endings = {
  REFUSED: 'adjustment.refuse',
  WITHDRAWN: 'adjustment.withdraw',
  EXPIRED: 'adjustment.expire',
} as const;

async function approved(tx: Tx, id: string, act: OperatorAct, status: 'APPLIED' | 'REFUSED') {
  const adjustment = await lockAdjustment(tx, id);
  const before = presentAdjustment(adjustment);
  adjustment.status = status;
  adjustment.approvedBy = act.operator;
  adjustment.approvedAt = act.at;
  adjustment.decidedAt = act.at;
  const after = presentAdjustment(adjustment);
  recordAudit(tx, act, { action: 'adjustment.approve', target: id, before, after });
  return after;
}

/** @throws NotFoundError */
async function lockAdjustment(tx: Tx, id: string): Promise<AdjustmentEntity> {
  const adjustment = await tx.em.findOne(AdjustmentEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!adjustment) throw new NotFoundError('adjustment');
  return adjustment;
}

function refusalOf({ refusal, outcome }: LedgerResult): DomainError {
  if (refusal === 'insufficient_funds') {
    return new DomainError('INSUFFICIENT_FUNDS', 'the available balance does not cover the adjustment');
  }
  return new DomainError('INVALID_STATE', `the ledger refused the adjustment: ${refusal ?? outcome}`);
}
