import type { OrphanReceipt } from '@gateway/contracts/deposits';
import type { OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt-entity.ts';

/** The record as operators see it: RETURNING until the ledger knows that it is back. */
export function toOrphanReceipt(row: OrphanReceiptRow): OrphanReceipt {
  const { id, environment, accountId, depositId, provider, e2eId, cause, state, currency, amount, attempts } = row;
  return {
    ...{ id, environment, accountId, depositId, provider, e2eId, cause, currency, amount, attempts },
    state: state === 'BOOKING' ? 'RETURNING' : state,
    failure: row.failure ?? null,
    returnId: row.returnId ?? null,
    paidAt: row.paidAt.toISOString(),
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
  };
}
