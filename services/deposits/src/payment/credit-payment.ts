import { DepositPaid, newId, type Deposit, type LedgerCommandOf, type LedgerResult } from '@gateway/contracts';
import { emit, type Tx } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { lockDeposit } from '#src/deposit/find-deposit.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';
import { PaymentEntity, type PaymentRow } from '#src/payment/payment-entity.ts';

/**
 * Has a received payment credited, then makes its deposit PAID, in that order: whoever sees PAID finds the balance.
 * Repeatable at any point: the ledger decides the command once, and the deposit's lock lets one caller record it.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper asks again
 */
export async function creditPayment(
  dependencies: Dependencies,
  payment: PaymentRow,
  timeoutMs: number,
): Promise<Deposit> {
  const { database, now } = dependencies;
  const result = await dependencies.askLedger(creditCommandOf(payment), timeoutMs);
  if (result.outcome !== 'applied') return await recordRefusal(dependencies, payment, result);
  return await database.transaction((tx) => recordCredit(tx, payment, now()));
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

async function recordCredit(tx: Tx, { environment, provider, e2eId, ...paid }: PaymentRow, now: Date) {
  const deposit = await lockDeposit(tx, { environment, accountId: paid.accountId, id: paid.depositId });
  const payment = await tx.em.findOneOrFail(PaymentEntity, { environment, provider, e2eId });
  if (payment.state === 'CREDITED') return toDeposit(deposit);
  tx.em.assign(payment, { state: 'CREDITED', nextAttemptAt: null });
  tx.em.assign(deposit, {
    state: follow(deposit.state, 'paid'),
    amount: payment.amount,
    fee: payment.fee,
    paidAt: payment.paidAt,
    e2eId,
    payerDetails: payment.payerDetails,
  });
  const record = toDeposit(deposit);
  await emit(tx, DepositPaid, {
    id: newId('event', now.getTime()),
    occurredAt: unixSeconds(now),
    deposit: record,
  });
  return record;
}

/** The ledger never changes its mind, so asking again is pointless: kept for an operator, and said loudly. */
async function recordRefusal(
  { database, logger }: Dependencies,
  payment: PaymentRow,
  result: LedgerResult,
): Promise<never> {
  const refusal = `${result.outcome}: ${result.refusal ?? result.field ?? 'no reason given'}`;
  await database.query(
    `update payment set state = 'REFUSED', refusal = $4, next_attempt_at = null
     where environment = $1 and provider = $2 and e2e_id = $3 and state = 'RECEIVED'`,
    [payment.environment, payment.provider, payment.e2eId, refusal],
  );
  logger.error({ depositId: payment.depositId, refusal }, 'the ledger refuses to credit a payment');
  throw new Error(`the ledger refuses to credit ${payment.depositId}: ${refusal}`);
}
