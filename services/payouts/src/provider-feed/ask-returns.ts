import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { routeOf } from '#src/providers/payout-routes.ts';
import { askForReturns } from '#src/providers/ask-provider.ts';
import { addReturns } from '#src/settlement/credit-returns.ts';
import { afterAnswer, afterNoAnswer, keepOpen } from '#src/settlement/plan-recheck.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * Asks the provider what has come back of a PAID payout, whatever its age, and puts on record what is new. What is
 * reported and not among it stays open.
 *
 * @param reportedIds returns that a notification reports
 * @returns the payout as it is then, its new parts still to be credited; null when another process is changing it
 */
export async function askReturns(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  reportedIds: readonly string[] = [],
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const route = routeOf(payoutRoutes, payout);
  const answer = await askForReturns(route, payout);
  const at = now();
  if (answer.status !== 'FOUND') logger.warn({ payoutId: payout.id, ...answer }, 'returns could not be asked for');
  const noted = answer.status === 'FOUND' ? addReturns(dependencies, payout, answer.returns) : {};
  const known = new Set((noted.returns ?? payout.returns).map(({ returnId }) => returnId));
  const reported = [...new Set([...(payout.unconfirmed?.returnIds ?? []), ...reportedIds])];
  const missing = reported.filter((returnId) => !known.has(returnId));
  const outcome = payout.unconfirmed?.outcome ?? false;
  const current = { ...payout, ...noted };
  if (missing.length > 0) {
    logger.warn({ payoutId: payout.id, missing }, 'a reported return is not confirmed by the provider');
    return await payouts.amend(payout, { ...noted, ...keepOpen(current, { outcome, returnIds: missing }, at) });
  }
  const hasAnswered = answer.status !== 'UNAVAILABLE' || (route && !route.provider.getPayoutReturns);
  const next = hasAnswered ? afterAnswer(current, at) : afterNoAnswer(at);
  // A notification that says nothing new leaves the plan as it is.
  const isPlanned = reportedIds.length === 0 || payout.unconfirmed !== null;
  const changes = { ...noted, ...(isPlanned ? next : {}) };
  return Object.keys(changes).length === 0 ? payout : await payouts.amend(payout, changes);
}
