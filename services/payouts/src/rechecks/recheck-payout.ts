import type { Dependencies } from '#src/dependencies.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { askOutcome } from '#src/settlement/ask-outcome.ts';
import { askRefusers } from '#src/settlement/ask-refusers.ts';
import { askReturns } from '#src/settlement/ask-returns.ts';
import { carryOn } from '#src/settlement/carry-on.ts';
import { notAllAnswered } from '#src/settlement/plan-recheck.ts';

/**
 * Asks again about a payout that has ended: what has come back of a paid one, and whether one that was not paid was paid
 * after all, also by a provider that had refused it. One that is under way again has its own schedule, and is asked about
 * when that has ended.
 */
export async function recheckPayout(dependencies: Dependencies, payout: PayoutRow): Promise<void> {
  const checked = await ask(dependencies, payout);
  if (checked) await carryOn(dependencies, checked);
}

async function ask(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.state !== 'PAID' && payout.state !== 'FAILED' && payout.state !== 'REJECTED') return null;
  const refusers = await askRefusers(dependencies, payout);
  if (refusers.payout?.state !== payout.state) return refusers.payout;
  const current = await askItsOwn(dependencies, refusers.payout);
  if (refusers.areAnswered || current?.state !== payout.state) return current;
  const changes = notAllAnswered(payout, current, dependencies.now());
  return changes ? await dependencies.payouts.amend(current, changes) : current;
}

/** The provider that has it. */
async function askItsOwn(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.state !== 'PAID') return await askOutcome(dependencies, payout, false);
  const current = payout.unconfirmed?.outcome ? await askOutcome(dependencies, payout, false) : payout;
  return current && (await askReturns(dependencies, current));
}
