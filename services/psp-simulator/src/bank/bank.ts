import type { Database } from '@gateway/persistence';
import type { FaultSwitch } from '#src/faults/fault-switch.ts';

/** What every operation of the simulated bank works with, whatever dialect it is asked in. */
export interface Bank {
  readonly database: Database;
  readonly now: () => Date;
  readonly faults: FaultSwitch;
  /** Tells the notifier that something is due. */
  readonly wake: () => void;
}

/** The languages the bank speaks; each has charges, transfers and notifications of its own. */
export type Dialect = 'bacen' | 'spei' | 'woovi';

/** ISPB of the simulated bank; no participant has it. */
export const bankIspb = '99999010';
/** ISPB of the bank all payers have. */
export const payerIspb = '99999011';
