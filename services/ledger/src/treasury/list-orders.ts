import type { listTreasuryOrders, TreasuryOrder } from '@gateway/contracts/conversions';
import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { idRange, pageOf, type Database } from '@gateway/persistence';

/** Newest first, for operators. */
export async function readOrders(
  database: Database,
  { limit, cursor, venue, currency, state, result, from, to }: RequestOf<typeof listTreasuryOrders>,
): Promise<ReplyOf<typeof listTreasuryOrders>> {
  if (cursor !== undefined) {
    const found = await database.query('select from treasury_order where id = $1', [cursor]);
    if (found.length === 0) {
      throw new ValidationError([{ path: 'cursor', message: 'must be the id of an order of this list' }]);
    }
  }
  const { $gte, $lt } = idRange('treasuryOrder', { from, to, cursor });
  const found = await database.query<TreasuryOrder>(
    `select id, venue, currency, state, result, amount::text, price_max::text as "priceMax", spent::text, bought::text,
       fee::text, venue_order_id as "venueOrderId", problem, floor(extract(epoch from created_at))::bigint as "createdAt",
       floor(extract(epoch from ended_at))::bigint as "endedAt"
     from treasury_order
     where ($1::text is null or venue = $1) and ($2::text is null or currency = $2) and ($3::text is null or state = $3)
       and ($4::text is null or result = $4) and ($5::text is null or id >= $5) and ($6::text is null or id < $6)
     order by id desc limit $7`,
    [...[venue ?? null, currency ?? null, state ?? null, result ?? null], ...[$gte ?? null, $lt ?? null, limit + 1]],
  );
  const { rows, nextCursor } = pageOf(found, limit);
  return { orders: rows, nextCursor };
}
