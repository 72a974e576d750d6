import { LockMode } from '@mikro-orm/core';
import { type Deposit, DepositExpired, type simulateExpiry as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Tx } from '@gateway/persistence';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { lockDeposit, moveDeposit } from '#src/deposit/deposit-record.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { closeGathering } from '#src/payment/gather-transfers.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const batchMax = 200;

/** Of the inbox: charges whose time is up, by their references. */
export const expiryFeed = 'expired-charges';

/**
 * Expires deposits whose time is up, oldest first; several processes share the work. A deposit that is being paid at
 * this moment is locked and so left alone; should it expire all the same, its payment counts as a late one.
 * Answers true when there may be more.
 */
export async function expireDueDeposits(dependencies: ChargeDependencies): Promise<boolean> {
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
async function expire(tx: Tx, deposit: DepositRow, now: Date): Promise<Deposit> {
  const { environment, accountId, id: depositId } = deposit;
  const expired = await moveDeposit(tx, deposit, 'expired', DepositExpired, now);
  if (deposit.received === 0) return expired;
  const payment = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
  const closed = payment ? null : await closeGathering(tx, deposit, now);
  // No caller waits for the answer: the sweeper credits it at its next round.
  if (closed) tx.em.assign(closed, { nextAttemptAt: now });
  return expired;
}

/** A charge whose time is up is asked about once more, for a payment that neither a notification nor a list has reported. */
async function askOnceMore(
  tx: Tx,
  { chargeRoutes, feeds }: Pick<ChargeDependencies, 'chargeRoutes' | 'feeds'>,
  { environment, provider, reference }: DepositRow,
): Promise<void> {
  const route = routeOf(chargeRoutes, environment, provider);
  if (!route?.provider.capabilities.receivesPayments) return;
  await feeds.keepIn(tx, { environment, provider, feed: expiryFeed }, [{ key: reference, raw: null }]);
}

/** Lets the time of a test deposit be up (api.md 2). */
export async function simulateExpiry(
  { database, now }: ChargeDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, request);
    if (deposit.state === 'EXPIRED') return { deposit: toDeposit(deposit) };
    return { deposit: await expire(tx, deposit, now()) };
  });
}
