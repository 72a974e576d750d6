import type { Dependencies } from '#src/dependencies.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { askOutcome } from '#src/settlement/ask-outcome.ts';
import { askReturns } from '#src/settlement/ask-returns.ts';
import { carryOn } from '#src/settlement/carry-on.ts';

/**
 * Asks again about a payout that has ended: what has come back of a paid one, and whether one that was not paid was paid
 * after all. One that is under way again has its own schedule, and is asked about when that has ended.
 */
export async function recheckPayout(dependencies: Dependencies, payout: PayoutRow): Promise<void> {
  const checked = await ask(dependencies, payout);
  if (checked) await carryOn(dependencies, checked);
}

async function ask(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.state === 'FAILED' || payout.state === 'REJECTED') return await askOutcome(dependencies, payout, false);
  if (payout.state !== 'PAID') return null;
  const current = payout.unconfirmed?.outcome ? await askOutcome(dependencies, payout, false) : payout;
  return current && (await askReturns(dependencies, current));
}
