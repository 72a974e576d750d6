import type { Currency } from '@gateway/money';
import type { NotFound, NotSent, Refused, Unavailable, Unknown } from '#src/outcomes.ts';

/** An order to buy USDT, as the treasury recorded it before it was sent. */
export interface BuyOrder {
  /** Made by us before the first call, and used for one order alone. */
  readonly clientId: string;
  /** What is paid with. */
  readonly currency: Currency;
  /** Decimal text: how much USDT. */
  readonly amount: string;
  /** Decimal text: what one USDT may cost at most. */
  readonly priceMax: string;
}

export type PlacedOrder = { readonly kind: 'placed'; readonly venueOrderId: string } | Refused | NotSent | Unknown;

/** What an order has come to so far; decimal texts, exact. */
export interface Execution {
  /** True while more may be bought under the order. */
  readonly isOpen: boolean;
  readonly venueOrderId: string | null;
  /** Spent in local currency, local fees included. */
  readonly spent: string;
  /** USDT that was bought, before fees. */
  readonly bought: string;
  /** The part of it that the venue kept as its fee. */
  readonly fee: string;
  /** A fee in neither of the two currencies, with its currency: `0.5 mxn`. */
  readonly otherFee?: string;
}

/**
 * `NOT_FOUND`: neither an open order nor an execution under the id. It proves that nothing was placed only when the venue
 * has had time to show it. `UNAVAILABLE` as well while the venue says that more was executed than it shows.
 */
export type OrderState = { readonly status: 'FOUND'; readonly value: Execution } | NotFound | Unavailable;

/** The market in which a currency buys USDT. Decimal texts. */
export interface Market {
  readonly amountMin: string;
  /** In the currency that is paid with. */
  readonly valueMin: string;
  /** What the market asks for one USDT now. */
  readonly ask: string;
  /** Prices are multiples of it. */
  readonly tickSize: string;
  /** As a share of what is bought: `0.0065`. */
  readonly takerFee: string;
}

export type MarketResult =
  { readonly ok: true; readonly market: Market } | { readonly ok: false; readonly cause: string };

export interface VenueBalance {
  readonly currency: Currency;
  /** Decimal text: all of it, what is locked in orders included. */
  readonly total: string;
}

export type VenueBalancesResult =
  { readonly ok: true; readonly balances: readonly VenueBalance[] } | { readonly ok: false; readonly cause: string };

/**
 * An exchange where the operator has an account, and buys the USDT that conversions owe.
 *
 * Every implementation promises: no method throws for anything that the venue or the network does; `refused` and `not_sent`
 * are certain, and whatever is not certain is `unknown`; an order buys at once what it can up to its price, and the rest of it
 * is not left in the book.
 */
export interface ExchangeVenue extends AsyncDisposable {
  readonly id: string;
  placeOrder(order: BuyOrder): Promise<PlacedOrder>;
  getOrder(order: Pick<BuyOrder, 'clientId' | 'currency'>): Promise<OrderState>;
  market(currency: Currency): Promise<MarketResult>;
  balances(): Promise<VenueBalancesResult>;
}
