import type { simulatePayment as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { type ChargeReceipt, simulateChargePaid } from '@gateway/providers';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit, lockDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { AmountFixedError } from '#src/errors.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { isTyped } from '#src/payment/gather-transfers.ts';
import { paymentOf, receivePayment } from '#src/payment/receive-payment.ts';
import { simulateTransfer } from '#src/payment/simulate-transfer.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** Pays a test deposit by the real flow (spec 4, rule 4): received, credited, PAID. */
export async function simulatePayment(
  dependencies: PaymentDependencies,
  request: RequestOf<typeof contract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  const { database, payments, now } = dependencies;
  const creditTimeoutMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const deposit = await findDeposit(database, request);
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
