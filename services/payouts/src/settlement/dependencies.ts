import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import type { PayoutDependencies } from '#src/payout/dependencies.ts';
import type { PayoutRoutes } from '#src/providers/payout-routes.ts';

/** Asks until answered; throws SERVICE_UNAVAILABLE when nothing is known after `timeoutMs`. */
export type AskLedger = (command: LedgerCommand, timeoutMs: number) => Promise<LedgerResult>;

/** What it takes to record how a payout ended and to have the ledger follow. */
export interface SettlementDependencies extends PayoutDependencies {
  readonly askLedger: AskLedger;
  readonly payoutRoutes: PayoutRoutes;
}
