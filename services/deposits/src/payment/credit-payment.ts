import { LockMode } from '@mikro-orm/core';
import { type Deposit, DepositPaid } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import { environmentSchema, unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import { counter } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { receiptName } from '#src/deposit/receipt-name.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { PaymentEntity, type PaymentRow } from '#src/payment/payment-entity.ts';

/**
 * Has a received payment credited, then makes its deposit PAID, in that order: a reader who sees PAID finds the balance.
 * Repeatable at any point: the ledger decides the command once, and the payment's state lets one caller record it.
 *
 * @param deposit as it was when the payment was received: only expiry may have changed it since
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper asks again
 */
export async function creditPayment(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  deposit: DepositRow,
  timeoutMs: number,
): Promise<Deposit> {
  const result = await dependencies.askLedger(creditCommandOf(payment), timeoutMs);
  if (result.refusal === 'unknown_provider') {
    throw new DomainError('SERVICE_UNAVAILABLE', `the ledger has not been told of ${payment.provider}`);
  }
  if (result.outcome !== 'applied') return await recordRefusal(dependencies, payment, result);
  return await recordCredit(dependencies, payment, deposit);
}

/** Follows from the payment alone and names its deposit: one credit per deposit, however often it is asked for. */
function creditCommandOf(payment: PaymentRow): LedgerCommandOf<'credit-deposit'> {
  return {
    kind: 'credit-deposit',
    id: `credit-deposit:${payment.depositId}`,
    environment: payment.environment,
    accountId: payment.accountId,
    currency: payment.currency,
    depositId: payment.depositId,
    provider: payment.provider,
    amount: payment.amount,
    fee: payment.fee,
    releaseAt: payment.releaseAt ?? null,
  };
}

async function recordCredit(
  { database, payments, now }: PaymentDependencies,
  payment: PaymentRow,
  deposit: DepositRow,
): Promise<Deposit> {
  if (deposit.state === 'PAID' || deposit.state === 'REFUNDED') return toDeposit(deposit);
  const { amount, fee, paidAt, payerDetails } = payment;
  const { e2eId } = receiptName(payment);
  const state = nextState(deposit.state, 'paid');
  const record = toDeposit({ ...deposit, state, amount, fee, paidAt, e2eId, payerDetails });
  const at = now();
  const event = {
    id: newId('event', at.getTime()),
    occurredAt: unixSeconds(at),
    provider: payment.provider,
    deposit: record,
  };
  if (await payments.credit(payment, outboxRow(DepositPaid, event))) return record;
  // Another caller was faster: the sweeper, or the same report handled twice.
  return toDeposit(await findDeposit(database, deposit));
}

const refused = counter('gateway_payments_refused_total', 'Payments the ledger refuses to credit', ['environment']);
// An increase from nothing is seen only where there was a zero.
for (const environment of environmentSchema.options) refused.add(0, { environment });

/** The ledger decides a command once, so asking again changes nothing: kept for an operator, with an alert. */
async function recordRefusal(
  { payments, logger }: PaymentDependencies,
  payment: PaymentRow,
  result: LedgerResult,
): Promise<never> {
  const refusal = `${result.outcome}: ${result.refusal ?? result.field ?? 'no reason given'}`;
  await payments.refuse(payment, refusal);
  refused.add(1, { environment: payment.environment });
  logger.error({ depositId: payment.depositId, refusal }, 'the ledger refuses to credit a payment');
  throw new Error(`the ledger refuses to credit ${payment.depositId}: ${refusal}`);
}

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
