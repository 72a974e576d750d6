import type { Tx } from '@gateway/persistence';
import { endToEndId } from '#src/bank/spi-ids.ts';
import { payerIspb } from '#src/bank/bank.ts';
import type { Charge } from '#src/charges/charge.ts';
import { speiDialect, trackingKey } from '#src/spei/bank.ts';
import { announce } from '#src/notifications/announce.ts';
import { usualPayers, type Payer, type ReceivedPayment } from '#src/payments/received-payment.ts';

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
export async function payCharge(tx: Tx, order: PaymentOrder): Promise<ReceivedPayment> {
  const { charge, amount, paidAt } = order;
  const usual = charge.dialect === speiDialect ? usualPayers.spei : usualPayers.pix;
  const { payer = usual, e2eId = paymentId(charge, paidAt) } = order;
  const [row] = await tx.sql<{ id: number }>(
    `insert into received_payment (dialect, charge_id, e2e_id, amount, payer, paid_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [charge.dialect, charge.id, e2eId, amount, JSON.stringify(payer), paidAt],
  );
  await tx.sql(
    `update charge set status = 'COMPLETED' where id = $1 and ($2 <> 'spei' or
       amount <= (select sum(amount) from received_payment where charge_id = $1))`,
    [charge.id, charge.dialect],
  );
  const payment = { id: row?.id ?? 0, dialect: charge.dialect, chargeId: charge.id, e2eId, amount, payer, paidAt };
  await announce(tx, { happening: 'payment', payment, charge, at: paidAt });
  return payment;
}

function paymentId({ dialect }: Charge, paidAt: Date): string {
  return dialect === speiDialect ? trackingKey('PAG') : endToEndId(payerIspb, paidAt);
}
