import { currencySchema, type Currency } from '@gateway/money';
import type { BitsoConfig } from '#src/bitso/config.ts';
import { BitsoConnection, causeOf, type BitsoOutcome, type VenueEnvironment } from '#src/bitso/connection.ts';
import { getOrder, placeOrder } from '#src/bitso/orders.ts';
import { balancesSchema, bookOf, booksSchema, feesSchema, tickerSchema } from '#src/bitso/wire.ts';
import { exact, exactText } from '#src/exact-decimal.ts';
import type { ExchangeVenue, MarketResult, VenueBalancesResult } from '#src/exchange-venue.ts';

/** Where a market has no tick size, prices have two decimals. */
const tickSizeDefault = exact('0.01');

/** Bitso (https://bitso.com), public API v3: the markets usdt_brl and usdt_mxn. */
export function bitsoVenue(config: BitsoConfig, environment: VenueEnvironment): ExchangeVenue {
  const connection = new BitsoConnection(config, environment);
  return {
    id: config.id,
    placeOrder: async (order) => await placeOrder(connection, order),
    getOrder: async (order) => await getOrder(connection, order),
    market: async (currency) => await readMarket(connection, currency),
    balances: async () => await readBalances(connection),
    [Symbol.asyncDispose]: async () => await connection[Symbol.asyncDispose](),
  };
}

async function readMarket(connection: BitsoConnection, currency: Currency): Promise<MarketResult> {
  const name = bookOf(currency);
  const books = await connection.call({ method: 'GET', path: '/v3/available_books/', schema: booksSchema });
  if (books.kind !== 'answered') return failed(books);
  const ticker = await connection.call({ method: 'GET', path: `/v3/ticker/?book=${name}`, schema: tickerSchema });
  if (ticker.kind !== 'answered') return failed(ticker);
  const fees = await connection.call({ method: 'GET', path: '/v3/fees/', schema: feesSchema });
  if (fees.kind !== 'answered') return failed(fees);
  const book = books.value.find((each) => each.book === name);
  const fee = fees.value.fees.find((each) => each.book === name);
  if (!book || !fee || ticker.value.book !== name || ticker.value.ask <= 0n) {
    return { ok: false, cause: `Bitso has no complete market ${name}` };
  }
  return {
    ok: true,
    market: {
      amountMin: exactText(book.minimum_amount),
      valueMin: exactText(book.minimum_value),
      ask: exactText(ticker.value.ask),
      tickSize: exactText(book.tick_size ?? tickSizeDefault),
      takerFee: exactText(fee.taker_fee_decimal),
    },
  };
}

async function readBalances(connection: BitsoConnection): Promise<VenueBalancesResult> {
  const outcome = await connection.call({ method: 'GET', path: '/v3/balance/', schema: balancesSchema });
  if (outcome.kind !== 'answered') return failed(outcome);
  const balances = outcome.value.balances.flatMap(({ currency: name, total }) => {
    const currency = currencySchema.safeParse(name.toUpperCase());
    return currency.success ? [{ currency: currency.data, total: exactText(total) }] : [];
  });
  return { ok: true, balances };
}

function failed(outcome: Exclude<BitsoOutcome<unknown>, { kind: 'answered' }>): { ok: false; cause: string } {
  return { ok: false, cause: causeOf(outcome) };
}
