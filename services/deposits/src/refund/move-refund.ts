import { LockMode } from '@mikro-orm/core';
import { DepositRefunded } from '@gateway/contracts';
import type { Tx } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { lockDeposit } from '#src/deposit/find-deposit.ts';
import { moveDeposit } from '#src/deposit/move-deposit.ts';
import { refundLifeCycle, type RefundHappening } from '#src/refund/life-cycle.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';

type Facts = Partial<Pick<RefundRow, 'providerRef' | 'returnId' | 'failureReason' | 'failureMessage'>>;

/**
 * Takes a refund along an arrow of its life cycle, and its deposit with it. One that somebody else took there, or
 * further, meanwhile is answered as it is.
 */
export async function moveRefund(
  { database, now }: Dependencies,
  { environment, accountId, id, depositId }: RefundRow,
  happening: RefundHappening,
  facts: Facts,
): Promise<RefundRow> {
  const { from, to } = refundLifeCycle[happening];
  return await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    // The deposit first, as everywhere: two transactions that lock both never wait for each other.
    const key = { environment, accountId, id: depositId };
    if (to === 'DONE') await lockDeposit(tx, key);
    const refund = await tx.em.findOneOrFail(RefundEntity, { environment, accountId, id }, lock);
    if (refund.state !== from) return refund;
    const isDecided = to === 'DONE' || to === 'FAILED';
    const end = isDecided ? { nextAttemptAt: null, finishedAt: now() } : {};
    tx.em.assign(refund, { ...facts, ...end, state: to });
    if (to === 'DONE') await countRefunded(tx, refund, now());
    return refund;
  });
}

async function countRefunded(tx: Tx, { environment, accountId, depositId, amount }: RefundRow, now: Date) {
  const deposit = await lockDeposit(tx, { environment, accountId, id: depositId });
  tx.em.assign(deposit, { refunded: deposit.refunded + amount });
  if (deposit.refunded === deposit.amount) await moveDeposit(tx, deposit, 'refunded', DepositRefunded, now);
}
