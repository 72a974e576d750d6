import type { Currency } from '@gateway/money';
import type { ExchangeVenue } from '@gateway/providers/venues';
import { unlessLocked } from '#src/postgres/advisory-lock.ts';
import { bookOrder } from '#src/treasury/book-order.ts';
import { compareVenue } from '#src/treasury/compare-venue.ts';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { lookUpEndedOrders, lookUpOrder, sendOrder } from '#src/treasury/follow-order.ts';
import { orderColumns, type OrderRow } from '#src/treasury/order-row.ts';
import { recordOrder } from '#src/treasury/record-order.ts';

/** Any value, the same for all instances: one of them at a time speaks with the exchanges, whose numbers of calls grow. */
export const treasuryLock = 7_470_004;
/** Of an order, from recorded to booked. */
const stepsMax = 8;

/** Buys what live conversions owe: one round over all markets. */
export async function runTreasury(dependencies: TreasuryDependencies): Promise<void> {
  const { database, venues } = dependencies;
  await unlessLocked(database.pool, treasuryLock, async () => {
    for (const each of venues) {
      const { venue, currencies } = each;
      for (const currency of currencies)
        await attempt(dependencies, () => advanceMarket(dependencies, venue, currency));
      await attempt(dependencies, () => bookLateOrders(dependencies, venue));
      await attempt(dependencies, () => compareVenue(dependencies, each));
    }
  });
}

/** What cannot be done in one market keeps no other from being covered. */
async function attempt({ logger }: TreasuryDependencies, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.error({ err: error }, 'a market for USDT could not be worked on');
  }
}

/** Takes the order of a market as far as it goes now, or records one. */
export async function advanceMarket(
  dependencies: TreasuryDependencies,
  venue: ExchangeVenue,
  currency: Currency,
): Promise<void> {
  const { database, now } = dependencies;
  for (let step = 0; step < stepsMax; step += 1) {
    const [open] = await database.query<OrderRow>(
      `select ${orderColumns} from treasury_order where venue = $1 and currency = $2 and state not in ('LATE', 'DONE')`,
      [venue.id, currency],
    );
    const order = open ?? (await recordOrder(dependencies, venue, currency));
    if (!order) return;
    switch (order.state) {
      case 'RECORDED':
        await sendOrder(dependencies, venue, order);
        break;
      // A process that died, or is about to: whether it arrived is not known.
      case 'SENDING':
      case 'SENT':
      case 'UNKNOWN':
      case 'REFUSED':
        if (order.nextAt !== null && order.nextAt.getTime() > now()) return;
        await lookUpOrder(dependencies, venue, order);
        break;
      case 'BOOKING':
        await bookOrder(dependencies, order);
        break;
      case 'LATE':
      case 'DONE':
        return;
    }
  }
}

async function bookLateOrders(dependencies: TreasuryDependencies, venue: ExchangeVenue): Promise<void> {
  await lookUpEndedOrders(dependencies, venue);
  const late = await dependencies.database.query<OrderRow>(
    `select ${orderColumns} from treasury_order where state = 'LATE' and venue = $1 order by id`,
    [venue.id],
  );
  for (const order of late) await bookOrder(dependencies, order);
}
