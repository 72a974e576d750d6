import { newId, type Currency } from '@gateway/money';
import type { ExchangeVenue } from '@gateway/providers/venues';
import { coverFromSurplus } from '#src/treasury/book-order.ts';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { holdOrder, isHeldNow } from '#src/treasury/holds.ts';
import { orderFor } from '#src/treasury/order-for.ts';
import { orderColumns, type OrderRow } from '#src/treasury/order-row.ts';
import { readPositions } from '#src/treasury/position.ts';

const firstPauseMs = 5_000;
const pauseMaxMs = 900_000;

/**
 * Records the order that is to cover the conversions from a currency, when there are some that are old enough. One order
 * per market is open at a time, which the database holds; null when there is nothing to order, or not yet.
 */
export async function recordOrder(
  dependencies: TreasuryDependencies,
  venue: ExchangeVenue,
  currency: Currency,
): Promise<OrderRow | null> {
  const { database, now, gatherMs, bounds, logger } = dependencies;
  const position = (await readPositions(database)).find((each) => each.currency === currency);
  if (position?.since && position.uncovered <= 0) await coverFromSurplus(database, currency);
  if (!position?.since || position.uncovered <= 0 || now() - position.since.getTime() < gatherMs) return null;
  if (await isOrderedElsewhere(dependencies, venue, currency)) return null;
  const [last] = await database.query<OrderRow>(
    `select ${orderColumns} from treasury_order where venue = $1 and currency = $2 order by id desc limit 1`,
    [venue.id, currency],
  );
  const failures = last?.result === 'UNFILLED' ? last.failures + 1 : 0;
  if (last?.endedAt && failures > 0 && now() < last.endedAt.getTime() + pauseMs(failures)) return null;
  if (await isHeldNow(dependencies, venue, currency)) return null;
  const found = await venue.market(currency);
  if (!found.ok) {
    logger.warn({ venue: venue.id, currency, cause: found.cause }, 'the market of an exchange cannot be read');
    return null;
  }
  const wanted = orderFor(position, found.market, bounds);
  if (wanted.kind === 'held') {
    await holdOrder(dependencies, venue, currency, wanted);
    return null;
  }
  const { amount, priceMax } = wanted;
  const createdAtMs = now();
  const [order] = await database.query<OrderRow>(
    `with released as (delete from treasury_hold where venue = $2 and currency = $3)
     insert into treasury_order (id, venue, currency, state, amount, price_max, failures, created_at)
     values ($1, $2, $3, 'RECORDED', $4::numeric, $5::numeric, $6, $7) on conflict do nothing returning ${orderColumns}`,
    [newId('treasuryOrder', createdAtMs), venue.id, currency, amount, priceMax, failures, new Date(createdAtMs)],
  );
  return order ?? null;
}

async function isOrderedElsewhere(
  { database, logger }: TreasuryDependencies,
  venue: ExchangeVenue,
  currency: Currency,
): Promise<boolean> {
  const [elsewhere] = await database.query<{ venue: string }>(
    `select venue from treasury_order where currency = $1 and venue <> $2 and state not in ('LATE', 'DONE') limit 1`,
    [currency, venue.id],
  );
  if (!elsewhere) return false;
  logger.error({ currency, ...elsewhere }, 'an order is open at an exchange that does not cover its currency any more');
  return true;
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), pauseMaxMs);
}
