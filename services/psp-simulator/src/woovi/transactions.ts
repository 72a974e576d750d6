import { z } from 'zod';
import { Charge } from '#src/charges/charge.ts';
import { listPayments } from '#src/payments/find-payment.ts';
import { wooviDialect, type WooviBank } from '#src/woovi/bank.ts';
import { presentPageInfo, windowSchema } from '#src/woovi/page-query.ts';
import { presentCharge, presentPayer } from '#src/woovi/present-charge.ts';

const querySchema = windowSchema.extend({ charge: z.string().optional(), type: z.string().optional() });

/** `GET /api/v1/transaction`: payments received, of one charge or of a period. */
export async function listTransactions({ database, now }: WooviBank, query: unknown): Promise<object> {
  const { start: from, end: to, skip, limit, charge, type = 'PAYMENT' } = querySchema.parse(query);
  if (type !== 'PAYMENT') return { status: 'OK', pageInfo: presentPageInfo({ skip, limit }, false), transactions: [] };
  const page = await listPayments(database, { dialect: wooviDialect, from, to, charge, skip, limit });
  const transactions = page.payments.map(async (payment) => ({
    type: 'PAYMENT',
    value: payment.amount,
    time: payment.paidAt.toISOString(),
    endToEndId: payment.e2eId,
    transactionID: (payment.details as { transactionID: string }).transactionID,
    infoPagador: '',
    charge: presentCharge(await database.reader().findOneOrFail(Charge, { id: payment.chargeId }), now()),
    payer: presentPayer(payment.payer),
  }));
  const more = skip + page.payments.length < page.total;
  return {
    status: 'OK',
    pageInfo: presentPageInfo({ skip, limit }, more),
    transactions: await Promise.all(transactions),
  };
}
