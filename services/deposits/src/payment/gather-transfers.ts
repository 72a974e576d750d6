import { DepositPartiallyPaid } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { amountMax, newId, rails, requireRailCurrency } from '@gateway/money';
import { emit, type Tx } from '@gateway/persistence';
import type { ChargeReceipt } from '@gateway/providers';
import { counter, type Logger } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { receiptName, recordedName } from '#src/deposit/receipt-name.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { keepOrphanReceipt, type OrphanCause, OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { PaymentEntity, type PaymentRow, TransferEntity, type TransferRow } from '#src/payment/payment-entity.ts';
import { feeOfReceived, payerDetailsOf, paymentRow } from '#src/payment/receive-payment.ts';

const underpaid = counter('gateway_deposits_underpaid_total', 'Transfers after which a charge is still not covered', [
  'provider',
]);

/** True where the payer types the amount, and may send it in several transfers. */
export function isTyped({ paymentMethod }: Pick<DepositRow, 'paymentMethod'>): boolean {
  return rails[paymentMethod].amountTypedBy === 'payer';
}

/** A transfer of this deposit that is known already. */
export async function findTransfer(
  tx: Tx,
  { environment, provider, id: depositId }: DepositRow,
  e2eId: string,
): Promise<TransferRow | null> {
  return await tx.em.findOne(TransferEntity, { environment, provider, e2eId, depositId });
}

/**
 * Remembers a transfer on a charge whose amount the payer types. While the sum does not cover the charge, the deposit stays
 * PENDING and the log says so; once it does, or when the charge has expired before, what came is the payment. A transfer
 * with which it would be more than one credit may carry goes back.
 *
 * @param deposit locked in `tx`, neither paid nor canceled
 * @returns the payment to be credited, or null while there is none
 */
export async function gatherTransfer(
  tx: Tx,
  deposit: DepositRow,
  receipt: ChargeReceipt,
  { now, logger }: { readonly now: Date; readonly logger: Logger },
): Promise<PaymentRow | null> {
  const { environment, provider, accountId, id: depositId } = deposit;
  const { money, paidAt, payer } = receipt;
  tx.em.create(TransferEntity, {
    ...{ environment, provider, ...recordedName(receipt), accountId, depositId, paidAt },
    currency: money.currency,
    amount: money.amount,
    payerDetails: payerDetailsOf(payer),
  });
  const received = deposit.received + money.amount;
  if (received > amountMax) {
    logger.error({ depositId, received }, 'a transfer makes the payment larger than a credit may be; it goes back');
    await keepOrphanReceipt(tx, deposit, receipt, 'over_limit', now);
    return null;
  }
  tx.em.assign(deposit, { received });
  await tx.em.flush();
  if (deposit.state === 'PENDING' && received < deposit.amount) {
    underpaid.add(1, { provider });
    logger.warn({ depositId, received, asked: deposit.amount }, 'less arrived than was asked; waiting for the rest');
    const event = { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), deposit: toDeposit(deposit) };
    await emit(tx, DepositPartiallyPaid, event);
    return null;
  }
  return await closeGathering(tx, deposit, now);
}

/**
 * Makes what has arrived the deposit's payment: it is covered, or its time is up. What does not even cover the fee goes
 * back instead.
 *
 * @param deposit locked in `tx`, not paid yet
 */
export async function closeGathering(tx: Tx, deposit: DepositRow, now: Date): Promise<PaymentRow | null> {
  const transfers = await transfersOf(tx, deposit);
  const last = transfers.at(-1);
  if (!last) return null;
  const amount = transfers.reduce((sum, transfer) => sum + transfer.amount, 0);
  const fee = feeOfReceived(deposit, amount);
  if (amount <= fee) {
    await sendBackTransfers(tx, deposit, 'within_fee', now);
    return null;
  }
  const { e2eId, trackingKey, currency, payerDetails, paidAt } = last;
  nextState(deposit.state, 'paid');
  const payment = { e2eId, trackingKey, currency, amount, fee, payerDetails, paidAt };
  return tx.em.create(PaymentEntity, paymentRow(deposit, payment, now));
}

/** What arrived goes back to its payer: the deposit will never be paid. */
export async function sendBackTransfers(tx: Tx, deposit: DepositRow, cause: OrphanCause, now: Date): Promise<void> {
  for (const transfer of await transfersOf(tx, deposit)) {
    const { currency, amount, paidAt } = transfer;
    const money = { currency: requireRailCurrency(currency), amount };
    await keepOrphanReceipt(tx, deposit, { ...receiptName(transfer), money, paidAt }, cause, now);
  }
  tx.em.assign(deposit, { received: 0 });
}

/** What has arrived and not been sent back, oldest first. */
async function transfersOf(tx: Tx, deposit: DepositRow): Promise<TransferRow[]> {
  const { environment, provider, accountId, id: depositId } = deposit;
  const where = { environment, accountId, depositId };
  const arrived = await tx.em.find(TransferEntity, where, { orderBy: { paidAt: 'asc', e2eId: 'asc' } });
  const e2eIds = arrived.map(({ e2eId }) => e2eId);
  const orphans = await tx.em.find(OrphanReceiptEntity, { environment, provider, e2eId: { $in: e2eIds } });
  const sentBack = new Set(orphans.map(({ e2eId }) => e2eId));
  return arrived.filter(({ e2eId }) => !sentBack.has(e2eId));
}
