import { LockMode } from '@mikro-orm/core';
import { findDeposit } from '#src/deposit/find-deposit.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { PaymentEntity, type PaymentRow } from '#src/payment/payment-entity.ts';

const batchMax = 100;
const ledgerTimeoutMs = 5_000;
const attemptFirstMs = 10_000;
const attemptMaxMs = 300_000;

/**
 * Credits payments whose process died, or whose ledger did not answer, before they were. Answers true when there may be
 * more.
 */
export async function creditReceivedPayments(dependencies: PaymentDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((payment) => tryToCredit(dependencies, payment)));
  return due.length === batchMax;
}

/** Each attempt is due again later, with growing distance, unless it ends in a decision. */
async function claimDue({ database, now }: PaymentDependencies): Promise<PaymentRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      PaymentEntity,
      { state: 'RECEIVED', nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const payment of due) {
      const distanceMs = Math.min(attemptFirstMs * 2 ** payment.attempts, attemptMaxMs);
      payment.nextAttemptAt = new Date(now().getTime() + distanceMs);
      payment.attempts += 1;
    }
    return due;
  });
}

async function tryToCredit(dependencies: PaymentDependencies, payment: PaymentRow): Promise<void> {
  const { depositId, attempts } = payment;
  try {
    const { environment, accountId } = payment;
    const deposit = await findDeposit(dependencies.database, { environment, accountId, id: depositId });
    await creditPayment(dependencies, payment, deposit, ledgerTimeoutMs);
    dependencies.logger.info({ depositId }, 'payment credited after an interruption');
  } catch (error) {
    dependencies.logger.warn({ err: error, depositId, attempts }, 'payment could not be credited yet');
  }
}
