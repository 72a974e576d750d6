import { z } from 'zod';
import type { Database } from '@gateway/service-kit';
import { Charge } from '#src/charges/charge.ts';
import { listPayments } from '#src/payments/find-payment.ts';
import { wooviDialect, type WooviBank } from '#src/woovi/bank.ts';
import { presentPageInfo, windowSchema } from '#src/woovi/page-query.ts';
import { presentCharge, presentPayer } from '#src/woovi/present-charge.ts';

const querySchema = windowSchema.extend({ charge: z.string().optional(), type: z.string().optional() });

/** `GET /api/v1/transaction`: payments received, of one charge or of a period, and what came back of payments sent. */
export async function listTransactions({ database, now }: WooviBank, query: unknown): Promise<object> {
  const { start: from, end: to, skip, limit, charge, type = 'PAYMENT' } = querySchema.parse(query);
  if (type === 'REVERSAL') return await listReversals(database, { from, to, skip, limit });
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

interface Reversal {
  readonly correlationID: string;
  readonly returnId: string;
  readonly value: number;
  readonly returnedAt: Date;
}

async function listReversals(
  database: Database,
  { from, to, skip, limit }: { readonly from: Date; readonly to: Date; readonly skip: number; readonly limit: number },
): Promise<object> {
  const found = await database.query<Reversal>(
    `select t.reference as "correlationID", r.return_id as "returnId", r.amount as value, r.returned_at as "returnedAt"
     from transfer_return r join transfer t on t.id = r.transfer_id
     where t.dialect = $1 and r.returned_at between $2 and $3 order by r.id limit $4 offset $5`,
    [wooviDialect, from, to, limit + 1, skip],
  );
  const transactions = found.slice(0, limit).map(({ correlationID, returnId, value, returnedAt }) => ({
    type: 'REVERSAL',
    value,
    time: returnedAt.toISOString(),
    endToEndId: returnId,
    payment: { correlationID },
  }));
  return { status: 'OK', pageInfo: presentPageInfo({ skip, limit }, found.length > limit), transactions };
}
