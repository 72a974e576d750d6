import type { Tx } from '@gateway/service-kit';
import { endToEndId } from '#src/bank/spi-ids.ts';
import { payerIspb } from '#src/bank/bank.ts';
import type { Charge } from '#src/charges/charge.ts';
import { announce } from '#src/notifications/announce.ts';
import { usualPayer, type Payer, type ReceivedPayment } from '#src/payments/received-payment.ts';

export interface PaymentOrder {
  readonly charge: Charge;
  readonly amount: number;
  readonly paidAt: Date;
  readonly payer?: Payer;
  readonly e2eId?: string;
}

/** A payer pays: also late, again, or another amount than was asked. The charge is completed by the first payment. */
export async function payCharge(tx: Tx, order: PaymentOrder): Promise<ReceivedPayment> {
  const { charge, amount, paidAt, payer = usualPayer, e2eId = endToEndId(payerIspb, paidAt) } = order;
  const [row] = await tx.sql<{ id: number }>(
    `insert into received_payment (dialect, charge_id, e2e_id, amount, payer, paid_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [charge.dialect, charge.id, e2eId, amount, JSON.stringify(payer), paidAt],
  );
  await tx.sql(`update charge set status = 'COMPLETED' where id = $1`, [charge.id]);
  const payment = { id: row?.id ?? 0, dialect: charge.dialect, chargeId: charge.id, e2eId, amount, payer, paidAt };
  await announce(tx, { happening: 'payment', payment, charge, at: paidAt });
  return payment;
}
