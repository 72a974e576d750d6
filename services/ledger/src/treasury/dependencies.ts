import type { Currency } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { ExchangeVenue } from '@gateway/providers/venues';
import type { Logger } from '@gateway/runtime';
import type { AskLedger } from '#src/ask-ledger.ts';

/** An exchange, and the currencies whose conversions are covered there. */
export interface TreasuryVenue {
  readonly venue: ExchangeVenue;
  readonly currencies: readonly Currency[];
}

export interface TreasuryDependencies {
  readonly database: Database;
  readonly askLedger: AskLedger;
  readonly venues: readonly TreasuryVenue[];
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long conversions are gathered into one order. */
  readonly gatherMs: number;
  readonly bounds: OrderBounds;
}

/** What an order may be, whatever the exchange says of its market. */
export interface OrderBounds {
  /** How much more than the market asks it may pay, in basis points. */
  readonly slippageBps: number;
  /** How much more than is owed it may buy because the market takes no less; minor units of USDT. */
  readonly surplusMax: number;
  /** How much more than merchants gave it may pay, its fee included, in basis points. */
  readonly lossMaxBps: number;
}
