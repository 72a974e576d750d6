import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import type { PayoutRoutes } from '#src/providers/payout-routes.ts';

/** Asks until answered; throws SERVICE_UNAVAILABLE when nothing is known after `timeoutMs`. */
export type AskLedger = (command: LedgerCommand, timeoutMs: number) => Promise<LedgerResult>;

/** What the use cases of this service work with. */
export interface Dependencies {
  readonly database: Database;
  readonly payouts: PayoutTable;
  readonly askLedger: AskLedger;
  readonly payoutRoutes: PayoutRoutes;
  /** Carries a payout on after a while, from memory. Only a shortcut: what is due in the table is carried on anyway. */
  readonly carryOnSoon: (payout: PayoutRow, afterMs: number) => void;
  readonly logger: Logger;
  readonly now: () => Date;
}
