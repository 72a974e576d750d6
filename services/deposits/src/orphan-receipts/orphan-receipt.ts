import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts/values';
import { type Currency, idOfTime } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import type { ChargeReceipt } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { recordedName } from '#src/deposit/receipt-name.ts';
import { notBegun, returnColumns } from '#src/returns/return-record.ts';

/** Why no deposit can take the money: its deposit was canceled or paid already, or it does not even cover the fee, or is in another currency. */
export type OrphanCause = 'canceled' | 'second_payment' | 'within_fee' | 'over_limit' | 'other_currency';

/**
 * - RETURNING: its provider is asked until it has sent it back.
 * - BOOKING: it has gone back, and the ledger has not booked it yet.
 * - FAILED: for an operator to look at.
 */
export type OrphanState = 'RETURNING' | 'BOOKING' | 'RETURNED' | 'FAILED';

/** A row of `orphan_receipt`; the migrations say what its columns mean. */
export const OrphanReceiptEntity = defineEntity({
  name: 'OrphanReceipt',
  tableName: 'orphan_receipt',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    /** As that of a payment. */
    e2eId: p.string().primary(),
    trackingKey: p.string().nullable(),
    id: p.string(),
    accountId: p.string(),
    depositId: p.string(),
    cause: p.string().$type<OrphanCause>(),
    state: p.string().$type<OrphanState>(),
    currency: p.string().$type<Currency>(),
    amount: p.bigint('number'),
    paidAt: p.datetime(3),
    sentAt: p.datetime(3),
    providerRef: p.string().nullable(),
    returnId: p.string().nullable(),
    failure: p.string().nullable(),
    returningSince: p.datetime(3),
    ...returnColumns(),
  },
});

export type OrphanReceiptRow = Readonly<Omit<InferEntity<typeof OrphanReceiptEntity>, symbol>>;

/**
 * Remembers money that must not be credited, together with the task of sending it back. Harmless to repeat, also by a restored
 * database that has forgotten it: id and time follow from the payment, so that its provider knows the return, and finds the
 * one that was sent then.
 *
 * @param deposit locked in `tx`
 */
export async function keepOrphanReceipt(
  tx: Tx,
  deposit: DepositRow,
  receipt: ChargeReceipt,
  cause: OrphanCause,
  now: Date,
): Promise<void> {
  const { environment, provider, accountId } = deposit;
  const { money, paidAt } = receipt;
  const name = recordedName(receipt);
  if (await tx.em.findOne(OrphanReceiptEntity, { environment, provider, e2eId: name.e2eId })) return;
  tx.em.create(OrphanReceiptEntity, {
    environment,
    provider,
    ...name,
    id: idOfTime('refund', `${environment} ${provider} ${name.e2eId}`, paidAt.getTime()),
    accountId,
    depositId: deposit.id,
    cause,
    state: 'RETURNING',
    currency: money.currency,
    amount: money.amount,
    paidAt,
    sentAt: paidAt,
    providerRef: null,
    returnId: null,
    failure: null,
    attempts: 0,
    nextAttemptAt: now,
    returningSince: now,
    ...notBegun,
    calledAt: null,
  });
}
