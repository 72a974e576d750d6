import { z } from 'zod';
import type { Database } from '@gateway/persistence';
import { Charge } from '#src/account/charge.ts';
import { findPayment, listPayments, type ReceivedPayment } from '#src/account/received-payment.ts';
import {
  itemsPerPage,
  presentPageInfo,
  windowSchema,
  wooviDialect,
  WooviError,
  type WooviBank,
} from '#src/woovi/bank.ts';
import { presentCharge, presentPayer } from '#src/woovi/present-charge.ts';
import { listOtherTransactions } from '#src/woovi/statement.ts';

const querySchema = windowSchema.extend({
  charge: z.string().optional(),
  /** A payment sent, by its end-to-end id. */
  withdrawal: z.string().optional(),
  type: z.string().optional(),
});

/**
 * `GET /api/v1/transaction`: payments received, of one charge or of a period, what came back of payments sent, and without a
 * type everything that moved in a period. Whatever else is asked for in the query is not obeyed, as it is not described.
 */
export async function listTransactions(bank: WooviBank, query: unknown): Promise<object> {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) throw new WooviError(`invalid field: ${parsed.error.issues[0]?.path.join('.') ?? 'query'}`);
  const { withdrawal, charge, type } = parsed.data;
  if (withdrawal !== undefined) return await listRelated(bank, parsed.data, withdrawal);
  if (type === 'REVERSAL') return await listReversals(bank.database, parsed.data);
  if (type !== undefined && type !== 'PAYMENT') return page([], false);
  const { start: from, end: to } = parsed.data;
  const asked = { dialect: wooviDialect, from, to, charge, skip: 0, limit: itemsPerPage };
  const { payments, total } = await listPayments(bank.database, asked);
  const received = await presentReceived(bank, payments);
  const others = type === undefined && charge === undefined ? await listOtherTransactions(bank, parsed.data) : [];
  const shown = [...received, ...others].slice(0, itemsPerPage);
  return page(shown, total + others.length > shown.length);
}

/** `GET /api/v1/transaction/{id}`, by the end-to-end id. */
export async function getTransaction(bank: WooviBank, id: string): Promise<object> {
  const payment = await findPayment(bank.database, id);
  if (payment?.dialect === wooviDialect) return { transaction: (await presentReceived(bank, [payment]))[0] };
  const [reversal] = await reversalsOf(bank.database, 'r.return_id = $2', [id]);
  if (!reversal) throw new WooviError('Transaction not found');
  return { transaction: presentReversal(reversal) };
}

async function presentReceived({ database, now }: WooviBank, payments: readonly ReceivedPayment[]): Promise<object[]> {
  const charges = await database.reader().find(Charge, { id: { $in: payments.map(({ chargeId }) => chargeId) } });
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  return payments.flatMap(({ chargeId, amount, paidAt, e2eId, payer }) => {
    const charge = byId.get(chargeId);
    if (!charge) return [];
    return {
      ...{ type: 'PAYMENT', status: 'CONFIRMED', value: amount, time: paidAt.toISOString(), endToEndId: e2eId },
      transactionID: (charge.details as { transactionID: string }).transactionID,
      infoPagador: '',
      charge: presentCharge(charge, now()),
      payer: presentPayer(payer),
    };
  });
}

interface Window {
  readonly start: Date;
  readonly end: Date;
}

interface Reversal {
  readonly e2eId: string;
  readonly sent: number;
  readonly sentAt: Date;
  readonly returnId: string;
  readonly value: number;
  readonly returnedAt: Date;
}

async function listReversals(database: Database, { start, end }: Window): Promise<object> {
  const found = await reversalsOf(database, 'r.returned_at between $2 and $3', [start, end]);
  return page(found.slice(0, itemsPerPage).map(presentReversal), found.length > itemsPerPage);
}

/** Everything that belongs to a payment sent: itself, and what came back of it. */
async function listRelated({ database }: WooviBank, { start, end }: Window, e2eId: string): Promise<object> {
  const [sent] = await database.query<{ amount: number; at: Date }>(
    `select amount, coalesce(settled_at, requested_at) as at from transfer where dialect = $1 and e2e_id = $2`,
    [wooviDialect, e2eId],
  );
  if (!sent) return page([], false);
  const withdraw = { type: 'WITHDRAW', status: 'CONFIRMED', value: sent.amount, endToEndId: e2eId };
  const reversals = await reversalsOf(database, 't.e2e_id = $2 and r.returned_at between $3 and $4', [
    e2eId,
    start,
    end,
  ]);
  const shown = reversals.slice(0, itemsPerPage).map(presentReversal);
  return page([{ ...withdraw, time: sent.at.toISOString() }, ...shown], reversals.length > itemsPerPage);
}

async function reversalsOf(database: Database, condition: string, params: readonly unknown[]): Promise<Reversal[]> {
  return await database.query<Reversal>(
    `select t.e2e_id as "e2eId", t.amount as sent, coalesce(t.settled_at, t.requested_at) as "sentAt",
       r.return_id as "returnId", r.amount as value, r.returned_at as "returnedAt"
     from transfer_return r join transfer t on t.id = r.transfer_id
     where t.dialect = $1 and ${condition} order by r.id limit ${itemsPerPage + 1}`,
    [wooviDialect, ...params],
  );
}

/** Schema `Transaction`: the payment sent that came back is its `withdraw`. */
function presentReversal({ e2eId, sent, sentAt, returnId, value, returnedAt }: Reversal): object {
  return {
    type: 'REVERSAL',
    status: 'CONFIRMED',
    value,
    time: returnedAt.toISOString(),
    endToEndId: returnId,
    withdraw: { value: sent, time: sentAt.toISOString(), endToEndId: e2eId, infoPagador: '' },
  };
}

function page(transactions: readonly object[], hasNextPage: boolean): object {
  return { status: 'OK', pageInfo: presentPageInfo(hasNextPage), transactions };
}
