import type { Database, Tx } from '@gateway/persistence';
import type { Charge, DialectName } from '#src/account/charge.ts';
import type { Payer, ReceivedPayment } from '#src/account/received-payment.ts';
import { announce } from '#src/bank/announce.ts';
import type { Dialects } from '#src/bank/bank.ts';
import { magicCharges } from '#src/faults/magic.ts';

export interface PaymentOrder {
  readonly charge: Charge;
  readonly amount: number;
  readonly paidAt: Date;
  readonly payer?: Payer;
  readonly e2eId?: string;
}

/**
 * A payer pays: also late, again, or another amount than was asked. The first payment completes a charge, on SPEI what
 * covers it.
 */
export async function payCharge(tx: Tx, dialects: Dialects, order: PaymentOrder): Promise<ReceivedPayment> {
  const { charge, amount, paidAt } = order;
  const dialect = dialects[charge.dialect as DialectName];
  const { payer = dialect.usualPayer, e2eId = dialect.paymentId(paidAt) } = order;
  const [row] = await tx.sql<{ id: number }>(
    `with received as (
       insert into received_payment (dialect, charge_id, e2e_id, amount, payer, paid_at)
       values ($1, $2, $3, $4, $5, $6) returning id, amount
     ), completed as (
       update charge set status = 'COMPLETED' from received where charge.id = $2 and (not $7 or charge.amount <=
         received.amount + (select coalesce(sum(amount), 0) from received_payment where charge_id = $2))
     )
     select id from received`,
    [charge.dialect, charge.id, e2eId, amount, JSON.stringify(payer), paidAt, dialect.completesWhenCovered],
  );
  const payment = { id: row?.id ?? 0, dialect: charge.dialect, chargeId: charge.id, e2eId, amount, payer, paidAt };
  await announce(tx, dialects, { kind: 'payment', payment, charge, at: paidAt });
  return payment;
}

/** A late payer comes this long after the charge has ended. */
const lateMs = 1_000;
/** A second payer comes this long after the first. */
const secondPayerMs = 500;

/** Plans the payments a magic amount stands for; a charge that is created again gets no second plan. */
export async function schedulePayments(database: Database, charge: Charge): Promise<void> {
  const plan = magicCharges[charge.amount];
  if (!plan) return;
  const { amount } = charge;
  const createdMs = charge.createdAt.getTime();
  const payments = {
    paid_at_once: [{ amount, atMs: createdMs }],
    paid_late: [{ amount, atMs: createdMs + charge.expiresInSec * 1_000 + lateMs }],
    paid_twice: [
      { amount, atMs: createdMs },
      { amount, atMs: createdMs + secondPayerMs },
    ],
    paid_less: [{ amount: amount - 1, atMs: createdMs }],
  }[plan];
  for (const payment of payments) {
    await database.query('insert into scheduled_payment (charge_id, amount, due_at) values ($1, $2, $3)', [
      ...[charge.id, payment.amount, new Date(payment.atMs)],
    ]);
  }
}
