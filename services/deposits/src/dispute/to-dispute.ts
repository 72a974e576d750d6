import type { Dispute, DisputeStatus, OperatorDispute } from '@gateway/contracts';
import type { DisputeRow } from '#src/dispute/dispute-entity.ts';
import type { DisputeState } from '#src/dispute/life-cycle.ts';

/** The record as other services and merchants see it. */
export function toDispute(row: DisputeRow): Dispute {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    depositId: row.depositId,
    externalId: row.externalId,
    e2eId: row.e2eId,
    currency: row.currency,
    amount: row.amount,
    blocked: row.blocked,
    returned: row.returned,
    reason: row.reason ?? null,
    status: publicStatus(row.state),
    openedAt: row.openedAt.toISOString(),
    defenseDueAt: row.defenseDueAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}

/** With what only operators see of it. */
export function toOperatorDispute(row: DisputeRow): OperatorDispute {
  return {
    ...toDispute(row),
    provider: row.provider,
    disputeRef: row.disputeRef,
    shortfall: row.shortfall,
    verdict: row.verdict ?? null,
    stepSince: row.stepSince?.toISOString() ?? null,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
  };
}

function publicStatus(state: DisputeState): DisputeStatus {
  if (state === 'OPENING') throw new Error('a dispute that is being opened has no public form');
  return state;
}
