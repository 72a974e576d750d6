import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import type { LeasedPayouts } from '#src/steps/leased-payouts.ts';

/** What it takes to take a payout from one state to the next; everything above works with it. */
export interface StepsDependencies extends SettlementDependencies {
  readonly leased: Pick<LeasedPayouts, 'keep' | 'hasRoom'>;
  /** Since when the database has kept every change: what was written before may lack what followed it. */
  readonly rememberedSince: () => Promise<Date>;
}
