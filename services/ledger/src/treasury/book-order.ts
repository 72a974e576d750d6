import { treasuryAccountId, type LedgerCommand } from '@gateway/contracts/ledger';
import type { Currency } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { exact, minorUnitsOf } from '@gateway/providers/venues';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import type { OrderRow } from '#src/treasury/order-row.ts';

interface Booked {
  readonly spent: number;
  readonly bought: number;
  readonly fee: number;
}

/** All of an order's executions as the ledger has them: never less spent, and never more held, than the venue says. */
function bookedOf(order: OrderRow): Booked {
  const [spent, bought, fee] = [exact(order.spent), exact(order.bought), exact(order.fee)];
  return {
    spent: minorUnitsOf(spent, 'up'),
    bought: minorUnitsOf(bought - fee, 'down'),
    // The fee in what was paid with, at the price of the order; what is booked of it is not taken back.
    fee: Math.max(bought === 0n ? 0 : minorUnitsOf((spent * fee) / bought, 'down'), order.bookedFee),
  };
}

/**
 * Books what an order has bought, then marks the conversions that it covers. The command follows from the row alone, which
 * does not change before it is booked: every process that sends it sends the same one.
 */
export async function bookOrder(
  { database, askLedger }: Pick<TreasuryDependencies, 'database' | 'askLedger'>,
  order: OrderRow,
): Promise<void> {
  const booked = bookedOf(order);
  const more = { spent: booked.spent - order.bookedSpent, bought: booked.bought - order.bookedBought };
  const isBookable = more.spent > 0 && more.bought > 0;
  if (isBookable) {
    const command: LedgerCommand = {
      kind: 'book-trade',
      id: `book-trade:${order.id}:${order.bookings + 1}`,
      environment: 'live',
      accountId: treasuryAccountId,
      currency: order.currency,
      orderId: order.id,
      venue: order.venue,
      amount: more.spent,
      fee: booked.fee - order.bookedFee,
      targetCurrency: 'USDT',
      targetAmount: more.bought,
    };
    const { outcome, refusal } = await askLedger(command);
    if (outcome !== 'applied') throw new Error(`the ledger has not booked order ${order.id}: ${refusal ?? outcome}`);
  }
  await database.transaction(async (tx) => {
    const { spent, bought, fee } = isBookable
      ? booked
      : { spent: order.bookedSpent, bought: order.bookedBought, fee: order.bookedFee };
    const moved = await tx.sql(
      `update treasury_order set state = 'DONE', bookings = bookings + 1, booked_spent = $2, booked_bought = $3,
         booked_fee = $4 where id = $1 and state in ('BOOKING', 'LATE') and bookings = $5 returning id`,
      [order.id, spent, bought, fee, order.bookings],
    );
    if (moved.length === 1 && isBookable) await coverConversions(tx, order, more.bought);
  });
}

/** Conversions that owe no more than earlier orders have left over are covered by the last one that bought something. */
export async function coverFromSurplus(database: Database, currency: Currency): Promise<void> {
  await database.transaction(async (tx) => {
    const [last] = await tx.sql<{ id: string }>(
      'select id from treasury_order where currency = $1 and booked_bought > 0 order by id desc limit 1',
      [currency],
    );
    if (last) await coverConversions(tx, { id: last.id, currency }, 0);
  });
}

/** In the order in which they were made, as far as what has been bought goes; the rest is kept for the next ones. */
async function coverConversions(
  tx: Tx,
  { id, currency }: Pick<OrderRow, 'id' | 'currency'>,
  bought: number,
): Promise<void> {
  await tx.sql(
    `insert into treasury_surplus (currency, amount) values ($1, $2)
     on conflict (currency) do update set amount = treasury_surplus.amount + excluded.amount`,
    [currency, bought],
  );
  await tx.sql(
    `with waiting as (
       select environment, account_id, id, to_amount, sum(to_amount) over (order by id) as through from conversion
       where environment = 'live' and state = 'COMPLETED' and covered_by is null and from_currency = $1
     ), covered as (
       update conversion c set covered_by = $2 from waiting w
       where c.environment = w.environment and c.account_id = w.account_id and c.id = w.id
         and w.through <= (select amount from treasury_surplus where currency = $1)
       returning c.to_amount
     )
     update treasury_surplus set amount = amount - (select coalesce(sum(to_amount), 0) from covered) where currency = $1`,
    [currency, id],
  );
}
