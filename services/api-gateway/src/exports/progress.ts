import type { LedgerEntryType } from '@gateway/contracts/ledger';
import type { StatementTotals } from '@gateway/statement-files/write';

/** Sums of the entries of a day and a type, signed, in minor units; `isExact` when no gross or fee is missing. */
export interface TypeSums {
  readonly count: number;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly isExact: boolean;
}

export type SumsByDay = Readonly<Record<string, Readonly<Partial<Record<LedgerEntryType, TypeSums>>>>>;

/** Everything that the next process needs to go on where one has stopped. */
export interface Progress {
  /** Parts that are stored. */
  readonly parts: number;
  /** The last record of the last page; null before the first. */
  readonly cursor: string | null;
  /** All pages have been read. */
  readonly isRead: boolean;
  /** The end of the file is stored too. */
  readonly isEnded: boolean;
  readonly totals: StatementTotals;
  /** The end of the period, or, where that is still to come, the moment until which the file goes. */
  readonly toMs: number;
  /** Balances at both ends, and the one that the last movement has led to. Of statements and settlements alone. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly balance: number | null;
  /** Of settlements alone. */
  readonly sums: SumsByDay;
}
