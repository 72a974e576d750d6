import { amountMax } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { simulateChargePaid } from '@gateway/providers';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { AmountTooLargeError } from '#src/errors.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { gatherTransfer } from '#src/payment/gather-transfers.ts';
import { PaymentEntity, type PaymentRow, TransferEntity } from '#src/payment/payment-entity.ts';

/**
 * A payer of test mode types an amount, or what is still missing.
 *
 * @param deposit locked in `tx`
 * @returns the payment that is to be credited or was, or null where less has arrived than was asked
 * @throws DomainError INVALID_STATE when the deposit takes no payment
 * @throws AmountTooLargeError when all of it together could not be credited
 */
export async function simulateTransfer(
  tx: Tx,
  deposit: DepositRow,
  amount: number | null,
  { now, logger }: Pick<PaymentDependencies, 'now' | 'logger'>,
): Promise<PaymentRow | null> {
  const { environment, accountId, id: depositId } = deposit;
  const payment = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
  if (payment) return payment;
  follow(deposit.state, 'paid');
  const { ref, money: asked, payer } = chargeInputOf(deposit);
  const left = amountMax - deposit.received;
  if (amount !== null && amount > left) throw new AmountTooLargeError(left);
  const paidAt = now();
  const sequence = await tx.em.count(TransferEntity, { environment, accountId, depositId });
  const money = { currency: asked.currency, amount: amount ?? deposit.amount - deposit.received };
  const paid = simulateChargePaid({ ref, money, paidAt, payer, sequence });
  return await gatherTransfer(tx, deposit, { ...paid, paidAt }, { now: paidAt, logger });
}
