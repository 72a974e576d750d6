import { z } from 'zod';
import type { Database } from '@gateway/persistence';
import { BitsoError } from '#src/bitso/failure.ts';

/** Amounts and prices in requests. */
export const decimalSchema = z.string().regex(/^\d{1,12}(\.\d{1,12})?$/);

/** What is paid with in a market: `brl` in `usdt_brl`. */
export function payingCurrencyOf(book: string): string {
  return book.split('_')[1] ?? '';
}

export async function readBooks(database: Database): Promise<object[]> {
  return await database.query<object>(
    `select book, minimum_amount::text, minimum_value::text, tick_size::text, '1000000' as maximum_amount,
       '10000000' as maximum_value, '1' as minimum_price, '100' as maximum_price
     from exchange_market order by book`,
  );
}

export async function readTicker(database: Database, book: string, now: Date): Promise<object> {
  const [market] = await database.query<{ ask: string; bid: string }>(
    'select ask::text, (ask - tick_size)::text as bid from exchange_market where book = $1',
    [book],
  );
  if (!market) throw new BitsoError('0301', 'Unknown order book');
  return { book, ...market, last: market.ask, created_at: now.toISOString() };
}

export async function readFees(database: Database): Promise<object> {
  const fees = await database.query(
    `select book, taker_fee::text as taker_fee_decimal, (taker_fee * 100)::text as taker_fee_percent
     from exchange_market order by book`,
  );
  return { fees, withdrawal_fees: {} };
}

export async function readBalances(database: Database): Promise<object> {
  const balances = await database.query(
    `select currency, total::text, total::text as available, '0' as locked, '0' as pending_deposit,
       '0' as pending_withdrawal from exchange_balance order by currency`,
  );
  return { balances };
}

export interface MarketChange {
  readonly book: string;
  readonly ask?: string | undefined;
  readonly offered?: string | null | undefined;
  readonly is_open?: boolean | undefined;
  readonly balance?: string | undefined;
}

/** What a test makes of the market. */
export async function changeMarket(database: Database, { book, ...change }: MarketChange): Promise<object> {
  await database.query(
    `update exchange_market set ask = coalesce($2::numeric, ask), is_open = coalesce($3, is_open),
       offered = case when $4 then $5::numeric else offered end where book = $1`,
    [book, change.ask ?? null, change.is_open ?? null, change.offered !== undefined, change.offered ?? null],
  );
  if (change.balance !== undefined) {
    await database.query('update exchange_balance set total = $2::numeric where currency = $1', [
      payingCurrencyOf(book),
      change.balance,
    ]);
  }
  return await exchangeBooks(database);
}

/** Everything the exchange has, for tests and for people. */
export async function exchangeBooks(database: Database): Promise<object> {
  const [orders, trades, balances] = await Promise.all([
    database.query('select *, major::text, price::text from exchange_order order by created_at, oid'),
    database.query(
      'select tid, oid, major::text, minor::text, price::text, fee::text from exchange_trade order by tid',
    ),
    database.query('select currency, total::text from exchange_balance order by currency'),
  ]);
  return { orders, trades, balances };
}
