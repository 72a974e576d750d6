import type { Dependencies } from '#src/dependencies.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { advancePayout } from '#src/recovery/advance-payout.ts';

/** Finishes what is on record now, for somebody who waits for it; should the ledger not answer, it is finished later. */
export async function carryOn(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow> {
  try {
    await advancePayout(dependencies, payout);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: payout.id, state: payout.state }, 'payout is carried on later');
  }
  return await findPayoutById(dependencies.payouts, payout.id);
}
