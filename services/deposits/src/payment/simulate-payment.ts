import type { simulatePayment as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { amountMax } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { type ChargeReceipt, simulateChargePaid } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit, lockDeposit } from '#src/deposit/deposit-record.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { chargeInputOf, toDeposit } from '#src/deposit/to-deposit.ts';
import { AmountFixedError, AmountTooLargeError } from '#src/errors.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { gatherTransfer, isTyped } from '#src/payment/gather-transfers.ts';
import { PaymentEntity, type PaymentRow, TransferEntity } from '#src/payment/payment-entity.ts';
import { paymentOf, receivePayment } from '#src/payment/receive-payment.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** Pays a test deposit by the real flow (spec 4, rule 4): received, credited, PAID. */
export async function simulatePayment(
  dependencies: PaymentDependencies,
  request: RequestOf<typeof contract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  const { database, depositReader, payments, now } = dependencies;
  const creditTimeoutMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const deposit = await depositReader.find(request);
  if (isTyped(deposit)) return await payTyped(dependencies, request, creditTimeoutMs);
  if (typeof request.amount === 'number') throw new AmountFixedError();
  const payment = paymentOf(deposit, receiptOf(deposit, now()), now());
  if (await payments.receive(payment)) {
    return { deposit: await creditPayment(dependencies, payment, deposit, creditTimeoutMs) };
  }
  // It has been paid already, or takes no payment.
  const known = await database.transaction(async (tx) => {
    const locked = await lockDeposit(tx, request);
    return await receivePayment(tx, locked, receiptOf(locked, now()), now());
  });
  const current = await findDeposit(database, request);
  if (known.state === 'CREDITED') return { deposit: toDeposit(current) };
  return { deposit: await creditPayment(dependencies, known, current, creditTimeoutMs) };
}

/** Where less arrives than was asked the deposit stays as it is. */
async function payTyped(
  dependencies: PaymentDependencies,
  request: RequestOf<typeof contract>,
  creditTimeoutMs: number,
): Promise<ReplyOf<typeof contract>> {
  const { database } = dependencies;
  const payment = await database.transaction(async (tx) =>
    simulateTransfer(tx, await lockDeposit(tx, request), request.amount ?? null, dependencies),
  );
  const current = await findDeposit(database, request);
  if (payment?.state !== 'RECEIVED') return { deposit: toDeposit(current) };
  return { deposit: await creditPayment(dependencies, payment, current, creditTimeoutMs) };
}

function receiptOf(deposit: DepositRow, paidAt: Date): ChargeReceipt {
  const { ref, money, payer } = chargeInputOf(deposit);
  return { ...simulateChargePaid({ ref, money, paidAt, payer }), paidAt };
}

/**
 * A payer of test mode types an amount, or what is still missing.
 *
 * @param deposit locked in `tx`
 * @returns the payment that is to be credited or was, or null where less has arrived than was asked
 * @throws DomainError INVALID_STATE when the deposit takes no payment
 * @throws AmountTooLargeError when all of it together could not be credited
 */
async function simulateTransfer(
  tx: Tx,
  deposit: DepositRow,
  amount: number | null,
  { now, logger }: Pick<PaymentDependencies, 'now' | 'logger'>,
): Promise<PaymentRow | null> {
  const { environment, accountId, id: depositId } = deposit;
  const payment = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
  if (payment) return payment;
  nextState(deposit.state, 'paid');
  const { ref, money: asked, payer } = chargeInputOf(deposit);
  const left = amountMax - deposit.received;
  if (amount !== null && amount > left) throw new AmountTooLargeError(left);
  const paidAt = now();
  const sequence = await tx.em.count(TransferEntity, { environment, accountId, depositId });
  const money = { currency: asked.currency, amount: amount ?? deposit.amount - deposit.received };
  const paid = simulateChargePaid({ ref, money, paidAt, payer, sequence });
  return await gatherTransfer(tx, deposit, { ...paid, paidAt }, { now: paidAt, logger });
}
