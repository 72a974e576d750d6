import { LockMode } from '@mikro-orm/core';
import type { Tx } from '@gateway/persistence';
import type { Asked, ChargeReceipt, ReceiptName } from '@gateway/providers';
import { counter } from '@gateway/runtime';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import type { ChargeKey } from '#src/deposit/deposit-record.ts';
import { recordedName } from '#src/deposit/receipt-name.ts';
import { CreationUnderWayError } from '#src/errors.ts';
import { keepOrphanReceipt, type OrphanCause, OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { adoptEarlierRecord } from '#src/payment/adopt-earlier-record.ts';
import { creditPayment } from '#src/payment/credit-payment.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { findTransfer, gatherTransfer, isTyped } from '#src/payment/gather-transfers.ts';
import { PaymentEntity, type PaymentRow, TransferEntity } from '#src/payment/payment-entity.ts';
import { feeOfReceived, paymentOf, receivePayment } from '#src/payment/receive-payment.ts';
import { alarm } from '#src/returns/return-record.ts';

const otherAmounts = counter(
  'gateway_payments_of_other_amount_total',
  'Payments of another amount than the charge has',
  ['provider'],
);

/**
 * Records money that arrived on a charge, as its provider answers when asked. The first payment of a deposit is credited
 * as it came, also late or of another amount; where the payer types the amount, it is credited once it covers the charge.
 * Every other payment is an orphan receipt and goes back. Order and repetition make no difference.
 *
 * @returns false for a charge that is not ours
 * @throws DomainError SERVICE_UNAVAILABLE when the deposit is not recorded yet, or the ledger did not answer
 */
export async function applyReceipt(
  dependencies: PaymentDependencies,
  charge: ChargeKey,
  receipt: Asked<ChargeReceipt>,
  ledgerTimeoutMs: number,
): Promise<boolean> {
  const { database, depositReader, payments, logger, now } = dependencies;
  const charged = await depositReader.findByCharge(charge);
  const usual = charged && usualPayment(charged, receipt, now());
  if (usual && (await payments.receive(usual))) {
    await creditPayment(dependencies, usual, charged, ledgerTimeoutMs);
    return true;
  }
  const received = await database.transaction(async (tx) => {
    const deposit = await lockCharge(tx, charge);
    if (deposit) {
      const payment = await allocateReceipt(tx, deposit, receipt, { now: now(), logger });
      return { payment, deposit };
    }
    // A provider's account may have charges that others made: sending those back would take another receiver's money.
    logger.warn({ ...charge, e2eId: receipt.e2eId }, 'money arrived on a charge that is not ours');
    return null;
  });
  if (received?.payment?.state === 'RECEIVED') {
    await creditPayment(dependencies, received.payment, received.deposit, ledgerTimeoutMs);
  }
  return received !== null;
}

/**
 * What nearly every receipt is: the payment of an open charge, as it was asked for. It needs no transaction of its own; should
 * another have come before, or the charge have ended, it is not written. Null for every other receipt.
 */
function usualPayment(deposit: DepositRow, receipt: ChargeReceipt, now: Date): PaymentRow | null {
  const isOpen = deposit.state === 'PENDING' || deposit.state === 'EXPIRED';
  const isAsAsked = receipt.money.currency === deposit.currency && receipt.money.amount === deposit.amount;
  if (!isOpen || !isAsAsked || isTyped(deposit) || receipt.transferId !== undefined) return null;
  return orphanCauseOf(deposit, receipt, false) ? null : paymentOf(deposit, receipt, now);
}

/** The payment to be credited, or null when the money is an orphan. */
async function allocateReceipt(
  tx: Tx,
  deposit: DepositRow,
  receipt: ChargeReceipt,
  { now, logger }: Pick<PaymentDependencies, 'logger'> & { readonly now: Date },
): Promise<PaymentRow | null> {
  if (deposit.state === 'CREATING') throw new CreationUnderWayError();
  const { e2eId } = recordedName(receipt);
  await lockTransfer(tx, deposit, receipt);
  await adoptEarlierRecord(tx, deposit, receipt);
  const { environment, accountId, id: depositId } = deposit;
  const paid = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
  if (paid?.e2eId === e2eId) return paid;
  if (isTyped(deposit) && (await findTransfer(tx, deposit, e2eId))) return null;
  const elsewhere = await whereCounted(tx, deposit, e2eId);
  if (elsewhere) {
    if (elsewhere.depositId !== depositId) alarm({ logger }, 'payment', deposit, 'it came for another deposit as well');
    return null;
  }
  const cause = orphanCauseOf(deposit, receipt, paid !== null);
  if (cause) {
    await keepOrphanReceipt(tx, deposit, receipt, cause, now);
    return null;
  }
  if (isTyped(deposit)) return await gatherTransfer(tx, deposit, receipt, { now, logger });
  if (receipt.money.amount !== deposit.amount) {
    otherAmounts.add(1, { provider: deposit.provider });
    const amounts = { depositId, asked: deposit.amount, came: receipt.money.amount };
    logger.error(amounts, 'another amount came than was asked');
  }
  return await receivePayment(tx, deposit, receipt, now);
}

/** Why the deposit cannot take the receipt, which then goes back; null when it can. */
function orphanCauseOf(deposit: DepositRow, { money }: ChargeReceipt, isPaid: boolean): OrphanCause | null {
  if (money.currency !== deposit.currency) return 'other_currency';
  if (isPaid) return 'second_payment';
  if (deposit.state === 'FAILED') return 'canceled';
  // What the payer types may come in several transfers: the fee is held against their sum.
  if (!isTyped(deposit) && money.amount <= feeOfReceived(deposit, money.amount)) return 'within_fee';
  return null;
}

/**
 * A transfer that comes for two charges at the same time is sorted out for one after the other, so that the second finds
 * where it counts: as a payment, a transfer or an orphan receipt, which no one constraint spans. Always taken after the
 * deposit's own lock, and the last.
 */
async function lockTransfer(
  tx: Tx,
  { environment, provider }: DepositRow,
  { e2eId, transferId }: ReceiptName,
): Promise<void> {
  // The rail's id is locked in any case: what was recorded under it alone may be the same money.
  for (const name of transferId === undefined ? [e2eId] : [e2eId, transferId]) {
    const key = `transfer ${environment} ${provider} ${name}`;
    await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  }
}

/**
 * Money moves once: a payment that counts for another deposit is neither credited nor sent back for this one, and one that
 * is sent back is credited to none.
 */
async function whereCounted(tx: Tx, { environment, provider, id }: DepositRow, e2eId: string) {
  const key = { environment, provider, e2eId };
  const ofAnother = { ...key, depositId: { $ne: id } };
  return (
    (await tx.em.findOne(OrphanReceiptEntity, key)) ??
    (await tx.em.findOne(PaymentEntity, ofAnother)) ??
    (await tx.em.findOne(TransferEntity, ofAnother))
  );
}

async function lockCharge(tx: Tx, { environment, provider, reference }: ChargeKey) {
  return await tx.em.findOne(
    DepositEntity,
    { environment, provider, reference },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}
