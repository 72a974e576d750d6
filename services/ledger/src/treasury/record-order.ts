import { newId, type Currency } from '@gateway/money';
import {
  exact,
  exactOfMinorUnits,
  exactProduct,
  exactText,
  grossOf,
  minorUnitsOf,
  type ExchangeVenue,
  type Market,
} from '@gateway/providers/venues';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
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
  const { database, now, gatherMs, slippageBps, logger } = dependencies;
  const position = (await readPositions(database)).find((each) => each.currency === currency);
  if (!position?.since || position.uncovered <= 0 || now() - position.since.getTime() < gatherMs) return null;
  const [elsewhere] = await database.query<{ venue: string }>(
    `select venue from treasury_order where currency = $1 and venue <> $2 and state not in ('LATE', 'DONE') limit 1`,
    [currency, venue.id],
  );
  if (elsewhere) {
    logger.error(
      { currency, ...elsewhere },
      'an order is open at an exchange that does not cover its currency any more',
    );
    return null;
  }
  const [last] = await database.query<OrderRow>(
    `select ${orderColumns} from treasury_order where venue = $1 and currency = $2 order by id desc limit 1`,
    [venue.id, currency],
  );
  const failures = last?.result === 'UNFILLED' ? last.failures + 1 : 0;
  if (last?.endedAt && failures > 0 && now() < last.endedAt.getTime() + pauseMs(failures)) return null;
  const found = await venue.market(currency);
  if (!found.ok) {
    logger.warn({ venue: venue.id, currency, cause: found.cause }, 'the market of an exchange cannot be read');
    return null;
  }
  const wanted = orderFor(position.uncovered, found.market, slippageBps);
  if (!wanted) {
    logger.error(
      { venue: venue.id, currency, market: found.market },
      'the market of an exchange cannot be what it says',
    );
    return null;
  }
  const { amount, priceMax } = wanted;
  const createdAtMs = now();
  const [order] = await database.query<OrderRow>(
    `insert into treasury_order (id, venue, currency, state, amount, price_max, failures, created_at)
     values ($1, $2, $3, 'RECORDED', $4::numeric, $5::numeric, $6, $7) on conflict do nothing returning ${orderColumns}`,
    [newId('treasuryOrder', createdAtMs), venue.id, currency, amount, priceMax, failures, new Date(createdAtMs)],
  );
  return order ?? null;
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), pauseMaxMs);
}

/** No exchange asks for more than a small part of this; a fee in another unit would multiply the order. */
const takerFeeMax = exact('0.05');

/**
 * Enough that the position is covered after the fee, and at least what the market takes; decimal texts. Null where the
 * market's figures cannot be those of one.
 */
export function orderFor(
  uncovered: number,
  market: Market,
  slippageBps: number,
): { readonly amount: string; readonly priceMax: string } | null {
  const [ask, tick, fee] = [exact(market.ask), exact(market.tickSize), exact(market.takerFee)];
  if (tick <= 0n || fee < 0n || fee > takerFeeMax) return null;
  const highest = (ask * BigInt(10_000 + slippageBps)) / 10_000n;
  const priceMax = (highest / tick) * tick;
  if (priceMax <= 0n) return null;
  const wanted = grossOf(exactOfMinorUnits(uncovered), fee);
  const cent = exactOfMinorUnits(1);
  let cents = BigInt(Math.max(minorUnitsOf(wanted, 'up'), minorUnitsOf(exact(market.amountMin), 'up')));
  while (exactProduct(cents * cent, priceMax) < exact(market.valueMin)) cents += 1n + cents / 10n;
  return { amount: exactText(cents * cent), priceMax: exactText(priceMax) };
}
