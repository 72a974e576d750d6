import type { LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';

/**
 * Has a command decided, through its stream like those of other services: what the ledger starts by itself has its
 * place in the order of everything else.
 */
export type AskLedger = (command: LedgerCommand) => Promise<LedgerResult>;
