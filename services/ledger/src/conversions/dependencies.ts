import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { RateSources } from '#src/rates/rate-source.ts';
import type { AskLedger } from '#src/ask-ledger.ts';

export interface ConversionDependencies {
  readonly database: Database;
  readonly askLedger: AskLedger;
  readonly rates: RateSources;
  /** Minor units of USDT that may be owed for live conversions and not bought; none where it is left out. */
  readonly uncoveredMax?: number;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}
