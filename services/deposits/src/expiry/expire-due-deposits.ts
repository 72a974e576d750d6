import { LockMode } from '@mikro-orm/core';
import { DepositExpired } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { moveDeposit } from '#src/deposit/move-deposit.ts';

const batchMax = 200;

/**
 * Expires deposits whose time is up, oldest first; several processes share the work. A deposit that is being paid at
 * this moment is locked and so left alone; should it expire all the same, its payment counts as a late one.
 * Answers true when there may be more.
 */
export async function expireDueDeposits({ database, now }: Dependencies): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      DepositEntity,
      { state: 'PENDING', expiresAt: { $lte: now() } },
      { orderBy: { expiresAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const deposit of due) await moveDeposit(tx, deposit, 'expired', DepositExpired, now());
    return due.length === batchMax;
  });
}
