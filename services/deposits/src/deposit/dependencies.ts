import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { DepositReader } from '#src/deposit/deposit-record.ts';

/** Asks until answered; throws SERVICE_UNAVAILABLE when nothing is known after `timeoutMs`. */
export type AskLedger = (command: LedgerCommand, timeoutMs: number) => Promise<LedgerResult>;

/** What every use case of this service works with. Each floor extends it with what it adds. */
export interface DepositDependencies {
  readonly database: Database;
  readonly depositReader: DepositReader;
  readonly askLedger: AskLedger;
  readonly logger: Logger;
  readonly now: () => Date;
}
