import { z } from 'zod';
import { findPayment, paymentsOf } from '#src/account/received-payment.ts';
import type { Refund, RefundStatus } from '#src/account/refund.ts';
import { findRefund, refundsOf, requestRefund, type RefundRefusal } from '#src/movements/request-refund.ts';
import { wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';
import { chargeOf } from '#src/woovi/charges.ts';

export const refundRequestSchema = z.object({
  correlationID: z.string().min(1).max(255),
  value: z.int().positive().optional(),
  comment: z.string().max(140).optional(),
});

const refusals: Record<RefundRefusal, string> = {
  reference_used: 'Já existe um reembolso com esse correlationID',
  more_than_paid: 'O valor do reembolso excede o valor da cobrança',
  too_late: 'O prazo para o reembolso terminou',
};

const statusNames = { PROCESSING: 'IN_PROCESSING', DONE: 'CONFIRMED', FAILED: 'REJECTED' } as const satisfies Record<
  RefundStatus,
  string
>;

/** `POST /api/v1/charge/{id}/refund`: of the payment that completed the charge. */
export async function postRefund(bank: WooviBank, id: string, body: unknown): Promise<object> {
  const request = refundRequestSchema.safeParse(body);
  if (!request.success) throw new WooviError(`invalid field: ${request.error.issues[0]?.path.join('.') ?? 'body'}`);
  const charge = await chargeOf(bank, id);
  const [payment] = await paymentsOf(bank.database, charge.id);
  if (!payment) throw new WooviError('A cobrança não foi paga');
  const { correlationID: reference, value: amount = payment.amount, comment: description } = request.data;
  const outcome = await bank.database.transaction((tx) =>
    requestRefund(tx, { payment, reference, amount, description, now: bank.now() }),
  );
  if (typeof outcome === 'string') throw new WooviError(refusals[outcome]);
  return { refund: presentRefund(outcome) };
}

export const transactionRefundRequestSchema = refundRequestSchema.extend({
  transactionEndToEndId: z.string().min(1),
});

/** `POST /api/v1/refund`: of a payment by its end-to-end id, whichever of its charge it is. */
export async function postTransactionRefund(bank: WooviBank, body: unknown): Promise<object> {
  const request = transactionRefundRequestSchema.safeParse(body);
  if (!request.success) throw new WooviError(`invalid field: ${request.error.issues[0]?.path.join('.') ?? 'body'}`);
  const { transactionEndToEndId: e2eId, correlationID: reference, value, comment: description } = request.data;
  const payment = await findPayment(bank.database, e2eId);
  if (payment?.dialect !== wooviDialect) throw new WooviError('Transação não encontrada');
  const outcome = await bank.database.transaction((tx) =>
    requestRefund(tx, { payment, reference, amount: value ?? payment.amount, description, now: bank.now() }),
  );
  if (typeof outcome === 'string') throw new WooviError(refusals[outcome]);
  return { refund: presentTransactionRefund(outcome) };
}

/** `GET /api/v1/refund/{id}` */
export async function getTransactionRefund(bank: WooviBank, id: string): Promise<object> {
  const refund = await findRefund(bank.database, wooviDialect, id);
  if (!refund) throw new WooviError('Reembolso não encontrado');
  return { pixTransactionRefund: { ...presentTransactionRefund(refund), returnIdentification: refund.returnId } };
}

const transactionStatusNames = {
  PROCESSING: 'IN_PROCESSING',
  DONE: 'REFUNDED',
  FAILED: 'NOT_ACCOMPLISHED',
} as const satisfies Record<RefundStatus, string>;

/** Schema `Refund`; the lookup's example has `returnIdentification` besides. */
function presentTransactionRefund(refund: Refund): object {
  return {
    status: transactionStatusNames[refund.status],
    value: refund.amount,
    correlationID: refund.reference,
    refundId: String(refund.id).padStart(32, '0'),
    time: (refund.settledAt ?? refund.requestedAt).toISOString(),
    ...(refund.description === null ? {} : { comment: refund.description }),
  };
}

/** `GET /api/v1/charge/{id}/refund` */
export async function listRefunds(bank: WooviBank, id: string): Promise<object> {
  const charge = await chargeOf(bank, id);
  const payments = await paymentsOf(bank.database, charge.id);
  const sql = { sql: bank.database.query.bind(bank.database) };
  const refunds = await Promise.all(payments.map((payment) => refundsOf(sql, payment.id)));
  return { refunds: refunds.flat().map(presentRefund) };
}

/** Schema `ChargeRefund`. */
function presentRefund(refund: Refund): object {
  return {
    status: statusNames[refund.status],
    value: refund.amount,
    correlationID: refund.reference,
    endToEndId: refund.returnId,
    time: (refund.settledAt ?? refund.requestedAt).toISOString(),
    ...(refund.description === null ? {} : { comment: refund.description }),
  };
}
