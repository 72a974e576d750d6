import { counter } from '@gateway/runtime';
import { exact, type ExchangeVenue, type Execution, type PlacedOrder } from '@gateway/providers/venues';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { doubtOf } from '#src/treasury/doubt.ts';
import { orderColumns, type OrderRow } from '#src/treasury/order-row.ts';

const orders = counter('gateway_treasury_orders_total', 'Orders at exchanges by their end', ['venue', 'result']);

/** An order whose executions may still be on their way is asked for again after this time. */
const settleMs = 2_000;
/** After this time a venue shows an order that has arrived, and takes none of an earlier call: later calls have been answered. */
const arrivalMs = 60_000;
const retryMs = 5_000;
/** An order that the venue has answered may be shown later; after this time it bought nothing, whatever the answer was. */
const unseenMs = 30_000;
/** When an order that ended with less than it asked for is looked at once more; a venue may show an execution late. */
const afterEndMs = [60_000, 600_000, 3_600_000, 21_600_000, 86_400_000] as const;

type Wire = Pick<TreasuryDependencies, 'database' | 'now' | 'logger'>;

/** Sends a recorded order, once: it is SENDING on record before the call, and never goes back from there. */
export async function sendOrder(wire: Wire, venue: ExchangeVenue, order: OrderRow): Promise<void> {
  const { database, now } = wire;
  const claimed = await database.query(
    `update treasury_order set state = 'SENDING', sent_at = $2 where id = $1 and state = 'RECORDED' returning id`,
    [order.id, new Date(now())],
  );
  if (claimed.length === 0) return;
  const { id: clientId, currency, amount, priceMax } = order;
  await recordAnswer(wire, order, await venue.placeOrder({ clientId, currency, amount, priceMax }));
}

async function recordAnswer(wire: Wire, order: OrderRow, answer: PlacedOrder): Promise<void> {
  const { database, now, logger } = wire;
  switch (answer.kind) {
    case 'placed':
    case 'unknown': {
      const isPlaced = answer.kind === 'placed';
      await database.query(
        `update treasury_order set state = $2, venue_order_id = $3, problem = $4, next_at = $5
         where id = $1 and state = 'SENDING'`,
        [
          order.id,
          ...(isPlaced ? ['SENT', answer.venueOrderId, null] : ['UNKNOWN', null, answer.cause]),
          new Date(now()),
        ],
      );
      return;
    }
    case 'refused':
    case 'not_sent': {
      const problem = answer.kind === 'refused' ? answer.code : answer.reason;
      logger.warn({ order: order.id, venue: order.venue, problem }, 'an exchange has not taken an order');
      await database.query(
        `update treasury_order set state = 'REFUSED', problem = $2, next_at = $3 where id = $1 and state = 'SENDING'`,
        [order.id, problem, new Date(now())],
      );
    }
  }
}

/**
 * Asks what became of an order, by its own id. It has ended when all of it was bought; or when it is not open, and two
 * lookups some time apart have found the same. An order without an answer is given longer than one that was
 * taken or refused. One of which the venue shows what cannot be goes on being asked about, and operators are alerted.
 */
export async function lookUpOrder(wire: Wire, venue: ExchangeVenue, order: OrderRow): Promise<void> {
  const { database, now, logger } = wire;
  const { id: clientId, currency } = order;
  const state = await venue.getOrder({ clientId, currency });
  const doubt = state.status === 'FOUND' ? doubtOf(order, state.value) : null;
  if (doubt !== null && doubt !== order.problem)
    logger.error({ order: order.id, venue: venue.id, doubt }, 'an exchange shows of an order what cannot be');
  if (state.status === 'UNAVAILABLE' || doubt !== null || (state.status === 'FOUND' && state.value.isOpen)) {
    const problem = state.status === 'UNAVAILABLE' ? state.cause : doubt;
    await database.query(
      `update treasury_order set next_at = $2, same_since = null,
         problem = case when state = 'REFUSED' and not $4 then problem else $3 end
       where id = $1 and ${isOpenSql}`,
      [order.id, new Date(now() + retryMs), problem, doubt !== null],
    );
    return;
  }
  const found = state.status === 'FOUND' ? state.value : nothing;
  if (hasEnded(order, found, now())) return await endOrder(wire, order, found);
  const isSame = order.sameSince !== null && isEqual(order, found);
  await database.query(
    `update treasury_order set next_at = $2, same_since = $3, spent = $4::numeric, bought = $5::numeric,
       fee = $6::numeric, venue_order_id = coalesce(venue_order_id, $7) where id = $1 and ${isOpenSql}`,
    [
      order.id,
      new Date(now() + settleMs),
      isSame ? order.sameSince : new Date(now()),
      found.spent,
      found.bought,
      found.fee,
      found.venueOrderId,
    ],
  );
}

/** What a process that comes late has found of an order that has ended is no news. */
const isOpenSql = `state in ('SENDING', 'SENT', 'UNKNOWN', 'REFUSED')`;

const nothing: Execution = { isOpen: false, venueOrderId: null, spent: '0', bought: '0', fee: '0' };

function isEqual(order: Pick<OrderRow, 'spent' | 'bought' | 'fee'>, found: Execution): boolean {
  return (['spent', 'bought', 'fee'] as const).every((name) => exact(order[name]) === exact(found[name]));
}

function hasEnded(order: OrderRow, found: Execution, nowMs: number): boolean {
  if (exact(found.bought) >= exact(order.amount)) return true;
  const { sameSince, sentAt } = order;
  if (sameSince === null || !isEqual(order, found) || nowMs - sameSince.getTime() < settleMs) return false;
  if (exact(found.bought) > 0n) return true;
  const isAnswered = order.state !== 'UNKNOWN' && order.state !== 'SENDING';
  return nowMs - (sentAt?.getTime() ?? nowMs) >= (isAnswered || found.venueOrderId !== null ? unseenMs : arrivalMs);
}

function resultOf({ amount }: OrderRow, found: Execution): NonNullable<OrderRow['result']> {
  const bought = exact(found.bought);
  if (bought >= exact(amount)) return 'FILLED';
  return bought > 0n ? 'PARTIALLY_FILLED' : 'UNFILLED';
}

/** The books of an order are in two currencies; what else the exchange took is for people to book. */
function unbookedFee({ otherFee }: Execution): string | null {
  return otherFee === undefined ? null : `a fee of ${otherFee} is in no book`;
}

async function endOrder({ database, now, logger }: Wire, order: OrderRow, found: Execution): Promise<void> {
  const result = resultOf(order, found);
  const facts = { order: order.id, venue: order.venue };
  if (order.state === 'REFUSED' && result !== 'UNFILLED')
    logger.error(facts, 'an exchange has made an order that it had refused');
  const unbooked = unbookedFee(found);
  if (unbooked) logger.error({ ...facts, problem: unbooked }, 'an exchange has taken a fee that is in no book');
  await database.query(
    `update treasury_order set state = $2, result = $3, spent = $4::numeric, bought = $5::numeric, fee = $6::numeric,
       venue_order_id = coalesce(venue_order_id, $7), ended_at = $8, next_at = $9, problem = coalesce($10, problem)
     where id = $1 and ${isOpenSql}`,
    [
      ...[order.id, result === 'UNFILLED' ? 'DONE' : 'BOOKING', result, found.spent, found.bought, found.fee],
      ...[found.venueOrderId, new Date(now()), result === 'FILLED' ? null : new Date(now() + afterEndMs[0])],
      unbooked,
    ],
  );
  orders.add(1, { venue: order.venue, result });
}

/** Looks once more at orders that ended with less than they asked for: what is found late is booked as well. */
export async function lookUpEndedOrders(wire: Wire, venue: ExchangeVenue): Promise<void> {
  const { database, now, logger } = wire;
  const due = await database.query<OrderRow>(
    `select ${orderColumns} from treasury_order where state = 'DONE' and next_at <= $1 and venue = $2
     order by next_at limit 10`,
    [new Date(now()), venue.id],
  );
  for (const order of due) {
    const state = await venue.getOrder({ clientId: order.id, currency: order.currency });
    const sinceEndMs = now() - (order.endedAt?.getTime() ?? 0);
    const nextMs = afterEndMs.find((each) => each > sinceEndMs);
    const nextAt = nextMs === undefined || !order.endedAt ? null : new Date(order.endedAt.getTime() + nextMs);
    if (state.status !== 'FOUND' || exact(state.value.bought) <= exact(order.bought)) {
      const retryAt = state.status === 'UNAVAILABLE' ? new Date(now() + afterEndMs[0]) : nextAt;
      await database.query('update treasury_order set next_at = $2 where id = $1', [order.id, retryAt]);
      continue;
    }
    const doubt = doubtOf(order, state.value);
    logger.error(
      { order: order.id, venue: venue.id, doubt },
      'an exchange has shown an execution after its order had ended',
    );
    if (doubt !== null) {
      await database.query('update treasury_order set next_at = $2 where id = $1', [order.id, nextAt]);
      continue;
    }
    const { spent, bought, fee } = state.value;
    await database.query(
      `update treasury_order set state = 'LATE', result = $2, spent = $3::numeric, bought = $4::numeric,
         fee = $5::numeric, next_at = $6, problem = coalesce($7, problem) where id = $1 and state = 'DONE'`,
      [order.id, resultOf(order, state.value), spent, bought, fee, nextAt, unbookedFee(state.value)],
    );
  }
}
