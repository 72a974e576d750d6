import { LockMode } from '@mikro-orm/core';
import { DepositExpired, type Deposit } from '@gateway/contracts/deposits';
import type { Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { moveDeposit } from '#src/deposit/move-deposit.ts';
import { askOnceMore } from '#src/expiry/ask-about-expired.ts';
import { closeGathering } from '#src/payment/gather-transfers.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';

const batchMax = 200;

/**
 * Expires deposits whose time is up, oldest first; several processes share the work. A deposit that is being paid at
 * this moment is locked and so left alone; should it expire all the same, its payment counts as a late one.
 * Answers true when there may be more.
 */
export async function expireDueDeposits(dependencies: Dependencies): Promise<boolean> {
  const { database, now } = dependencies;
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      DepositEntity,
      { state: 'PENDING', expiresAt: { $lte: now() } },
      { orderBy: { expiresAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const deposit of due) {
      await expire(tx, deposit, now());
      await askOnceMore(tx, dependencies, deposit);
    }
    return due.length === batchMax;
  });
}

/**
 * Ends a deposit's time. What arrived of it counts as a late payment: it is credited as it came.
 *
 * @param deposit locked in `tx`
 */
export async function expire(tx: Tx, deposit: DepositRow, now: Date): Promise<Deposit> {
  const { environment, accountId, id: depositId } = deposit;
  const expired = await moveDeposit(tx, deposit, 'expired', DepositExpired, now);
  if (deposit.received === 0) return expired;
  const payment = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
  const closed = payment ? null : await closeGathering(tx, deposit, now);
  // Nobody is waiting for the answer: the sweeper credits it at once.
  if (closed) tx.em.assign(closed, { nextAttemptAt: now });
  return expired;
}
