import type { Refund, RefundStatus } from '@gateway/contracts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';
import type { RefundState } from '#src/refund/life-cycle.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';

/** The record as other services and merchants see it. */
export function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    depositId: row.depositId,
    externalId: row.externalId,
    status: publicStatus(row.state),
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

function publicStatus(state: RefundState): RefundStatus {
  switch (state) {
    case 'RESERVING':
      throw new Error('a refund that is being reserved has no public form');
    case 'SENDING':
    case 'REVERSING':
      return 'PROCESSING';
    case 'DONE':
    case 'FAILED':
      return state;
  }
}
