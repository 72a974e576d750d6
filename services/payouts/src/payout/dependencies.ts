import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { PayoutTable } from '#src/payout/payout-table.ts';

/** What it takes to read and write payouts. */
export interface PayoutDependencies {
  readonly database: Database;
  readonly payouts: PayoutTable;
  readonly logger: Logger;
  readonly now: () => Date;
}
