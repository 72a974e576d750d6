import type { Freeze } from '@gateway/contracts/accounts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import type { LeasedPayouts } from '#src/steps/leased-payouts.ts';

/** What it takes to take a payout from one state to the next; everything above works with it. */
export interface StepsDependencies extends SettlementDependencies {
  readonly leased: Pick<LeasedPayouts, 'keep' | 'hasRoom'>;
  /** What is stopped of the payout's account now, as the gateway answers; throws when it does not. */
  readonly freezeOf: (payout: Pick<PayoutRow, 'environment' | 'accountId'>) => Promise<Freeze | null>;
  /** Since when the database has kept every change: what was written before may lack what followed it. */
  readonly rememberedSince: () => Promise<Date>;
}
