import type { Database } from '@gateway/persistence';
import type { Charge } from '#src/account/charge.ts';
import { magicCharges } from '#src/faults/magic.ts';

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
