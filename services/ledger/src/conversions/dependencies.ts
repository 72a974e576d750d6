import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { RateSources } from '#src/rates/rate-source.ts';
import type { AskLedger } from '#src/ask-ledger.ts';

export interface ConversionDependencies {
  readonly database: Database;
  readonly askLedger: AskLedger;
  readonly rates: RateSources;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}
