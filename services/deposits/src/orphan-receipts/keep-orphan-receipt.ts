import { newId } from '@gateway/money';
import type { ChargeReceipt } from '@gateway/providers';
import type { Tx } from '@gateway/persistence';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { notBegun } from '#src/returns/attention.ts';
import { OrphanReceiptEntity, type OrphanCause } from '#src/orphan-receipts/orphan-receipt-entity.ts';

/**
 * Remembers money that must not be credited, together with the task of sending it back. Harmless to repeat.
 *
 * @param deposit locked in `tx`
 */
export async function keepOrphanReceipt(
  tx: Tx,
  deposit: DepositRow,
  receipt: ChargeReceipt,
  cause: OrphanCause,
  now: Date,
): Promise<void> {
  const { environment, provider, accountId } = deposit;
  const { e2eId, money, paidAt } = receipt;
  if (await tx.em.findOne(OrphanReceiptEntity, { environment, provider, e2eId })) return;
  tx.em.create(OrphanReceiptEntity, {
    environment,
    provider,
    e2eId,
    id: newId('refund', now.getTime()),
    accountId,
    depositId: deposit.id,
    cause,
    state: 'RETURNING',
    currency: money.currency,
    amount: money.amount,
    paidAt,
    sentAt: now,
    providerRef: null,
    returnId: null,
    failure: null,
    attempts: 0,
    nextAttemptAt: now,
    returningSince: now,
    ...notBegun,
    calledAt: null,
  });
}
