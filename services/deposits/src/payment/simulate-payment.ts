import type { ReplyOf, RequestOf, simulatePayment as contract } from '@gateway/contracts';
import { simulateChargePaid } from '@gateway/providers';
import type { RpcCall } from '@gateway/service-kit';
import { chargeInputOf } from '#src/charging/draft-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { findDeposit, lockDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import { receivePayment } from '#src/payment/receive-payment.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** Pays a test deposit by the real flow (spec 4, rule 4): received, credited, PAID. */
export async function simulatePayment(
  dependencies: Dependencies,
  request: RequestOf<typeof contract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  const { database, now } = dependencies;
  const payment = await database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, request);
    const { ref, money, payer } = chargeInputOf(deposit);
    const paidAt = now();
    const paid = simulateChargePaid({ ref, money, paidAt, payer });
    return await receivePayment(tx, deposit, { ...paid, paidAt }, now());
  });
  if (payment.state === 'CREDITED') return { deposit: toDeposit(await findDeposit(database, request)) };
  return { deposit: await creditPayment(dependencies, payment, Math.max(timeoutMs - answerMarginMs, answerMarginMs)) };
}
