import { LockMode } from '@mikro-orm/core';
import { DepositExpired, newId } from '@gateway/contracts';
import { emit } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';

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
    for (const deposit of due) {
      deposit.state = follow(deposit.state, 'expired');
      await emit(tx, DepositExpired, {
        id: newId('event', now().getTime()),
        occurredAt: unixSeconds(now()),
        deposit: toDeposit(deposit),
      });
    }
    return due.length === batchMax;
  });
}
