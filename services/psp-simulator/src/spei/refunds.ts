import { z } from 'zod';
import { findPayment, paymentsOf } from '#src/account/received-payment.ts';
import type { Refund } from '#src/account/refund.ts';
import { refundsOf, requestRefund, type RefundRefusal } from '#src/movements/request-refund.ts';
import { SpeiError, trackingKey, type SpeiBank } from '#src/spei/bank.ts';
import { chargeOf, invalid } from '#src/spei/charges.ts';
import { presentRefund } from '#src/spei/present.ts';

export const refundRequestSchema = z.object({
  amount: z.int().positive(),
  tracking_key: z.string().min(1).max(64),
  reason: z.string().max(200).optional(),
});

const refusals: Record<RefundRefusal, SpeiError> = {
  reference_used: new SpeiError('DUPLICATE_REFERENCE', 'another refund has this reference', 409),
  more_than_paid: new SpeiError('AMOUNT_LIMIT', 'more than was paid on the charge'),
  too_late: new SpeiError('INVALID_REQUEST', 'the payment is too old'),
};

/** `PUT /charges/{reference}/refunds/{refund}`: up to what arrived on the charge, whichever of its payments is named. */
export async function putRefund(
  bank: SpeiBank,
  { charge: chargeReference, refund: reference }: { readonly charge: string; readonly refund: string },
  body: unknown,
): Promise<object> {
  const request = refundRequestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  const charge = await chargeOf(bank, chargeReference);
  const known = await refundOf(bank, charge.id, reference);
  if (known) return presentRefund(known);
  const { amount, tracking_key: key, reason: description } = request.data;
  const payment = await findPayment(bank.database, key);
  if (payment?.chargeId !== charge.id) throw new SpeiError('NOT_FOUND', 'no such payment on this charge', 404);
  const outcome = await bank.database.transaction(async (tx) => {
    // The charge's row serialises the refunds of all its payments.
    await tx.sql('select 1 from charge where id = $1 for update', [charge.id]);
    const [sums] = await tx.sql<{ refundable: number }>(
      `select ((select sum(amount) from received_payment where charge_id = $1)
         - (select coalesce(sum(r.amount), 0) from refund r join received_payment p on p.id = r.payment_id
             where p.charge_id = $1 and p.id <> $2 and r.status <> 'FAILED'))::bigint as refundable`,
      [charge.id, payment.id],
    );
    const refundable = sums?.refundable ?? 0;
    const order = { payment, reference, amount, description, now: bank.now() };
    return await requestRefund(tx, { ...order, refundable, returnId: trackingKey('DEV') });
  });
  if (typeof outcome === 'string') throw refusals[outcome];
  return presentRefund(outcome);
}

/** `GET /charges/{reference}/refunds/{refund}` */
export async function getRefund(
  bank: SpeiBank,
  { charge: chargeReference, refund: reference }: { readonly charge: string; readonly refund: string },
): Promise<object> {
  const charge = await chargeOf(bank, chargeReference);
  const refund = await refundOf(bank, charge.id, reference);
  if (!refund) throw new SpeiError('NOT_FOUND', 'no such refund', 404);
  return presentRefund(refund);
}

async function refundOf({ database }: SpeiBank, chargeId: number, reference: string): Promise<Refund | undefined> {
  const payments = await paymentsOf(database, chargeId);
  const sql = { sql: database.query.bind(database) };
  const refunds = await Promise.all(payments.map(({ id }) => refundsOf(sql, id)));
  return refunds.flat().find((refund) => refund.reference === reference);
}
