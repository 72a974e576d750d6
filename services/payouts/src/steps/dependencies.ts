import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';

/** What it takes to take a payout from one state to the next; everything above works with it. */
export interface StepsDependencies extends SettlementDependencies {
  /** Resumes a payout from memory after a while. It is only a shortcut: the sweeper resumes what is due in the table. */
  readonly resumeSoon: (payout: PayoutRow, afterMs: number) => void;
}
