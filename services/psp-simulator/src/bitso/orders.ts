import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Bank } from '#src/bank/bank.ts';
import { BitsoError } from '#src/bitso/failure.ts';
import { decimalSchema, payingCurrencyOf } from '#src/bitso/market.ts';

/** What is understood of `POST /v3/orders`: a limit order to buy that leaves nothing in the book. */
const orderSchema = z.strictObject({
  book: z.string(),
  side: z.literal('buy'),
  type: z.literal('limit'),
  major: decimalSchema,
  price: decimalSchema,
  time_in_force: z.literal('immediateorcancel'),
  origin_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .optional(),
});

/** The trades of an order are two: the second at a price that is a tick higher, as far as the order goes. */
const fillSql = `
  with filled as (
    select m.*, $2::numeric as price_max,
      case when m.ask > $2::numeric then 0 else least($1::numeric, coalesce(m.offered, $1::numeric)) end as amount
    from exchange_market m where m.book = $3
  ), parts as (
    select round(amount / 2, 8) as major, ask as price, taker_fee from filled
    union all
    select amount - round(amount / 2, 8), least(ask + tick_size, price_max), taker_fee from filled
  )
  insert into exchange_trade (oid, major, minor, price, fee, created_at)
  select $4, major, major * price, price, ceil(major * taker_fee * 100000000) / 100000000, $5 from parts where major > 0
  returning major::text, minor::text, fee::text`;

/** @throws BitsoError */
export async function placeOrder({ database, now }: Bank, body: unknown): Promise<object> {
  const parsed = orderSchema.safeParse(body);
  if (!parsed.success) throw new BitsoError('0304', 'Required field not valid');
  const { book, side, major, price, origin_id: originId } = parsed.data;
  return await database.transaction(async (tx) => {
    const [market] = await tx.sql<{ is_open: boolean; is_small: boolean; is_cheap: boolean; is_uneven: boolean }>(
      `select is_open, $2::numeric < minimum_amount as is_small, $2::numeric * $3::numeric < minimum_value as is_cheap,
         mod($3::numeric, tick_size) <> 0 as is_uneven from exchange_market where book = $1 for update`,
      [book, major, price],
    );
    if (!market) throw new BitsoError('0301', 'Unknown order book');
    if (!market.is_open) throw new BitsoError('0410', 'Trading not enabled');
    if (market.is_small) throw new BitsoError('0403', 'Incorrect major, below the minimum');
    if (market.is_cheap) throw new BitsoError('0405', 'Incorrect minor, below the minimum');
    if (market.is_uneven) throw new BitsoError('0407', 'Invalid precision');
    const currency = payingCurrencyOf(book);
    const [funds] = await tx.sql<{ covers: boolean }>(
      'select total >= $2::numeric * $3::numeric as covers from exchange_balance where currency = $1 for update',
      [currency, major, price],
    );
    if (!funds?.covers) throw new BitsoError('0379', 'Insufficient balance');
    const oid = randomBytes(8).toString('hex');
    const inserted = await tx.sql(
      `insert into exchange_order (oid, origin_id, book, side, major, price, status, created_at)
       values ($1, $2, $3, $4, $5, $6, 'cancelled', $7) on conflict (origin_id) do nothing returning oid`,
      [oid, originId ?? null, book, side, major, price, now()],
    );
    if (inserted.length === 0) throw new BitsoError('0356', 'Duplicate origin id provided');
    await tx.sql(fillSql, [major, price, book, oid, now()]);
    await tx.sql(
      `with bought as (select coalesce(sum(major), 0) as major, coalesce(sum(minor), 0) as minor,
           coalesce(sum(fee), 0) as fee from exchange_trade where oid = $1),
         market as (update exchange_market set offered = offered - bought.major from bought where book = $2),
         ordered as (update exchange_order o set status = 'completed' from bought
           where o.oid = $1 and o.major = bought.major)
       update exchange_balance set total = total + case currency when 'usdt' then bought.major - bought.fee
         else -bought.minor end from bought where currency in ('usdt', $3)`,
      [oid, book, currency],
    );
    return { oid };
  });
}

export async function listTrades({ database }: Bank, originId: string): Promise<object[]> {
  return await database.query<object>(
    `select o.book, t.major::text, t.minor::text, t.price::text, (-t.fee)::text as fees_amount, 'usdt' as fees_currency,
       o.side, 'sell' as maker_side, t.tid, o.oid, o.origin_id, t.created_at
     from exchange_trade t join exchange_order o using (oid) where o.origin_id = $1 order by t.tid desc`,
    [originId],
  );
}
