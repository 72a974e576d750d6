import type { ReplyOf, RequestOf, simulatePayment as contract } from '@gateway/contracts';
import { simulateChargePaid, type ChargeReceipt } from '@gateway/providers';
import type { RpcCall } from '@gateway/service-kit';
import { chargeInputOf } from '#src/charging/draft-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit, lockDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import { paymentOf, receivePayment } from '#src/payment/receive-payment.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** Pays a test deposit by the real flow (spec 4, rule 4): received, credited, PAID. */
export async function simulatePayment(
  dependencies: Dependencies,
  request: RequestOf<typeof contract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  const { database, payments, now } = dependencies;
  const creditTimeoutMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const deposit = await findDeposit(database, request);
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

function receiptOf(deposit: DepositRow, paidAt: Date): ChargeReceipt {
  const { ref, money, payer } = chargeInputOf(deposit);
  return { ...simulateChargePaid({ ref, money, paidAt, payer }), paidAt };
}
