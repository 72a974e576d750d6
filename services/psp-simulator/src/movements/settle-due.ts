import { LockMode } from '@mikro-orm/core';
import type { Tx } from '@gateway/persistence';
import { Charge } from '#src/account/charge.ts';
import { paymentColumns, type ReceivedPayment } from '#src/account/received-payment.ts';
import { refundColumns, type Refund } from '#src/account/refund.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';
import { announce } from '#src/bank/announce.ts';
import type { Bank, Dialects } from '#src/bank/bank.ts';
import { magicRefundFailure } from '#src/faults/magic.ts';
import { payCharge } from '#src/movements/pay-charge.ts';
import { settleTransfer } from '#src/movements/settle-transfer.ts';

const batchMax = 50;

/** Everything whose time has come: planned payments, results of transfers and refunds, charges that end unpaid. */
export async function settleDue(bank: Bank): Promise<void> {
  const now = bank.now();
  const steps = [payScheduled, settleTransfers, settleRefunds, announceExpired];
  for (const step of steps) {
    while ((await bank.database.transaction((tx) => step(tx, bank.dialects, now))) === batchMax);
  }
  bank.wake();
}

/** When the first of it has its time. */
export const firstSettlementDue = `(select min(first) from (values
    ((select min(due_at) from scheduled_payment)),
    ((select min(settle_at) from transfer where status = 'PROCESSING')),
    ((select min(settle_at) from refund where status = 'PROCESSING')),
    ((select min(created_at + make_interval(secs => expires_in_sec)) from charge
      where dialect = 'woovi' and status = 'ACTIVE' and not expiry_announced))) as due (first))`;

async function payScheduled(tx: Tx, dialects: Dialects, now: Date): Promise<number> {
  const due = await tx.sql<{ charge_id: number; amount: number; due_at: Date }>(
    `delete from scheduled_payment where id in (
       select id from scheduled_payment where due_at <= $1 order by id limit $2 for update skip locked
     ) returning charge_id, amount, due_at`,
    [now, batchMax],
  );
  for (const { charge_id: id, amount, due_at: paidAt } of due) {
    const charge = await tx.em.findOneOrFail(Charge, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    await payCharge(tx, dialects, { charge, amount, paidAt });
  }
  return due.length;
}

async function settleTransfers(tx: Tx, dialects: Dialects, now: Date): Promise<number> {
  const due = await tx.sql<Transfer>(
    `select ${transferColumns} from transfer t where t.status = 'PROCESSING' and t.settle_at <= $1
      order by t.settle_at, t.id limit $2 for update skip locked`,
    [now, batchMax],
  );
  for (const transfer of due) await settleTransfer(tx, dialects, { transfer, now });
  return due.length;
}

async function settleRefunds(tx: Tx, dialects: Dialects, now: Date): Promise<number> {
  const due = await tx.sql<Refund>(
    `select ${refundColumns} from refund r where r.status = 'PROCESSING' and r.settle_at <= $1
      order by r.settle_at, r.id limit $2 for update skip locked`,
    [now, batchMax],
  );
  for (const refund of due) await settleRefund(tx, dialects, refund, now);
  return due.length;
}

async function settleRefund(tx: Tx, dialects: Dialects, refund: Refund, now: Date): Promise<void> {
  const failed = refund.amount === magicRefundFailure;
  const status = failed ? 'FAILED' : 'DONE';
  const failure = failed ? 'Saldo insuficiente para realizar a devolução.' : null;
  await tx.sql('update refund set status = $2, failure = $3, settled_at = $4 where id = $1', [
    ...[refund.id, status, failure, now],
  ]);
  const [payment] = await tx.sql<ReceivedPayment>(`select ${paymentColumns} from received_payment p where p.id = $1`, [
    refund.paymentId,
  ]);
  if (!payment) throw new Error('a refund without its payment');
  const charge = await tx.em.findOneOrFail(Charge, { id: payment.chargeId });
  const settled = { ...refund, status, failure, settledAt: now } as const;
  await announce(tx, dialects, { kind: 'refund', refund: settled, payment, charge, at: now });
}

/** Only Woovi notifies that a charge has ended; in the other dialects it ends without a notification. */
async function announceExpired(tx: Tx, dialects: Dialects, now: Date): Promise<number> {
  const ended = await tx.sql<{ id: number }>(
    `update charge set expiry_announced = true where id in (
       select id from charge where dialect = 'woovi' and status = 'ACTIVE' and not expiry_announced
         and created_at + make_interval(secs => expires_in_sec) <= $1 order by id limit $2 for update skip locked
     ) returning id`,
    [now, batchMax],
  );
  for (const { id } of ended) {
    const charge = await tx.em.findOneOrFail(Charge, { id });
    await announce(tx, dialects, { kind: 'charge-expired', charge, at: now });
  }
  return ended.length;
}
