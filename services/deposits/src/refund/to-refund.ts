import type { OperatorRefund, Refund, RefundStatus } from '@gateway/contracts/deposits';
import { toProviderReference } from '@gateway/pix';
import { unixSeconds } from '#src/deposit/to-deposit.ts';
import type { RefundState } from '#src/refund/life-cycle.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';

/** The record as other services and merchants see it. */
export function toRefund(row: RefundRow): Refund {
  const status = publicStatus(row.state);
  if (!status) throw new Error('a refund that is being reserved has no public form');
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    depositId: row.depositId,
    externalId: row.externalId,
    status,
    currency: row.currency,
    amount: row.amount,
    reason: row.reason ?? null,
    returnId: row.returnId ?? null,
    failureReason: row.failureReason ?? null,
    failureMessage: row.failureMessage ?? null,
    createdAt: unixSeconds(row.createdAt),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** With what only operators see of it. */
export function toOperatorRefund(row: RefundRow): OperatorRefund {
  return {
    ...toRefund(row),
    provider: row.provider,
    reference: toProviderReference(row.id),
    providerRef: row.providerRef ?? null,
    attempts: row.attempts,
    unknownSince: row.unknownSince?.toISOString() ?? null,
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
  };
}

/** What merchants see, or null for a state they do not. */
function publicStatus(state: RefundState): RefundStatus | null {
  switch (state) {
    case 'RESERVING':
      return null;
    case 'SENDING':
    case 'REVERSING':
      return 'PROCESSING';
    case 'REDEBITING':
      return 'FAILED';
    case 'DONE':
    case 'FAILED':
      return state;
  }
}

const states: readonly RefundState[] = ['RESERVING', 'SENDING', 'REVERSING', 'REDEBITING', 'DONE', 'FAILED'];

export const visibleStates: RefundState[] = states.filter((state) => publicStatus(state) !== null);

/** The states a merchant knows under a status. */
export function statesOf(status: RefundStatus): RefundState[] {
  return states.filter((state) => publicStatus(state) === status);
}
