import type { LedgerCommand, LedgerResult } from '@gateway/contracts';
import type { Database, Logger } from '@gateway/service-kit';
import type { DepositTable } from '#src/deposit/deposit-table.ts';
import type { ChargeRoutes } from '#src/providers/charge-routes.ts';

/** Asks until answered; throws SERVICE_UNAVAILABLE when nothing is known after `timeoutMs`. */
export type AskLedger = (command: LedgerCommand, timeoutMs: number) => Promise<LedgerResult>;

/** What the use cases of this service work with. */
export interface Dependencies {
  readonly database: Database;
  readonly deposits: DepositTable;
  readonly askLedger: AskLedger;
  readonly chargeRoutes: ChargeRoutes;
  readonly logger: Logger;
  readonly now: () => Date;
}
