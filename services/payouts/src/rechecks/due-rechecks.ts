import { startLoop } from '@gateway/runtime';
import type { Dependencies } from '#src/dependencies.ts';
import { after } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';
import { recheckPayout } from '#src/rechecks/recheck-payout.ts';

const roundMs = 5_000;
const roundsPerMinute = 60_000 / roundMs;

/**
 * Asks live providers about payouts that have ended, until disposed. The number of questions is bounded; what has to wait
 * for it is asked later, and none is left out.
 *
 * @param perMinute questions to one provider
 */
export function startRechecks(dependencies: Dependencies, perMinute: number): AsyncDisposable {
  const perRound = Math.max(1, Math.floor(perMinute / roundsPerMinute));
  const { logger } = dependencies;
  const work = async () => recheckDue(dependencies, perRound);
  return startLoop({ name: 'recheck payouts', intervalMs: roundMs, logger, work });
}

/** One round at every provider; one that is slow to answer holds up no other. */
export async function recheckDue(dependencies: Dependencies, perRound: number): Promise<void> {
  await Promise.all(dependencies.payoutRoutes.live.map((route) => recheckAt(dependencies, route, perRound)));
}

/** What something is told of comes first: it must not wait behind what is asked to be sure. */
async function recheckAt(dependencies: Dependencies, route: PayoutRoute, perRound: number): Promise<void> {
  const { payouts, now } = dependencies;
  const claim = async (limit: number, onlyTold: boolean) => {
    const leaseUntil = after(now(), 2 * perRound * route.callTimeoutMs);
    return limit > 0 ? await payouts.claimRechecks(route.provider.id, now(), leaseUntil, { limit, onlyTold }) : [];
  };
  const told = await claim(perRound, true);
  const planned = await claim(perRound - told.length, false);
  for (const payout of [...told, ...planned]) await recheckOrLog(dependencies, payout);
}

/** What fails is asked again when its lease ends. */
async function recheckOrLog(dependencies: Dependencies, payout: PayoutRow): Promise<void> {
  try {
    await recheckPayout(dependencies, payout);
  } catch (error) {
    dependencies.logger.error({ err: error, payoutId: payout.id }, 'payout could not be asked about again');
  }
}
