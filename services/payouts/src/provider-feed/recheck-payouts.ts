import { startLoop } from '@gateway/runtime';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { askRefusers } from '#src/provider-feed/ask-refusers.ts';
import { askReturns } from '#src/provider-feed/ask-returns.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';
import { notAllAnswered } from '#src/settlement/plan-recheck.ts';
import { after } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeIfAnswered } from '#src/steps/resume-payout.ts';

const roundMs = 5_000;
const roundsPerMinute = 60_000 / roundMs;

/**
 * Asks live providers about payouts that have ended, until disposed. The number of questions is bounded; what has to wait
 * for it is asked later, and none is left out.
 *
 * @param perMinute questions to one provider
 */
export function startRechecks(dependencies: StepsDependencies, perMinute: number): AsyncDisposable {
  const perRound = Math.max(1, Math.floor(perMinute / roundsPerMinute));
  const { logger } = dependencies;
  const work = async () => recheckDue(dependencies, perRound);
  return startLoop({ name: 'recheck payouts', intervalMs: roundMs, logger, work });
}

/** One round at every provider; one that is slow to answer holds up no other. */
export async function recheckDue(dependencies: StepsDependencies, perRound: number): Promise<void> {
  const { payouts, payoutRoutes, now } = dependencies;
  const asked = payoutRoutes.live.map(({ provider }) => provider.id);
  const due = new Set(asked.length > 0 ? await payouts.providersWithRechecks(asked, now()) : []);
  const routes = payoutRoutes.live.filter(({ provider }) => due.has(provider.id));
  await Promise.all(routes.map((route) => recheckAt(dependencies, route, perRound)));
}

/** Payouts with a report about them come first: they must not wait behind the planned questions. */
async function recheckAt(dependencies: StepsDependencies, route: PayoutRoute, perRound: number): Promise<void> {
  const { payouts, now } = dependencies;
  const claim = async (limit: number, onlyReported: boolean) => {
    const leaseUntil = after(now(), 2 * perRound * route.callTimeoutMs);
    return limit > 0 ? await payouts.claimRechecks(route.provider.id, now(), leaseUntil, { limit, onlyReported }) : [];
  };
  const reported = await claim(perRound, true);
  const planned = await claim(perRound - reported.length, false);
  for (const payout of [...reported, ...planned]) await recheckOrLog(dependencies, payout);
}

/** What fails is asked again when its lease ends. */
async function recheckOrLog(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  try {
    await recheckPayout(dependencies, payout);
  } catch (error) {
    dependencies.logger.error({ err: error, payoutId: payout.id }, 'payout could not be asked about again');
  }
}

/**
 * Asks again about a payout that has ended: what has come back of a paid one, and whether one that was not paid was paid
 * after all, also by a provider that had refused it. One that is under way again has its own schedule, and is asked about
 * when that has ended.
 */
async function recheckPayout(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const checked = await ask(dependencies, payout);
  if (checked) await resumeIfAnswered(dependencies, checked);
}

async function ask(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.state !== 'PAID' && payout.state !== 'FAILED' && payout.state !== 'REJECTED') return null;
  const refusers = await askRefusers(dependencies, payout);
  if (refusers.payout?.state !== payout.state) return refusers.payout;
  const current = await askItsOwn(dependencies, refusers.payout);
  if (refusers.areAnswered || current?.state !== payout.state) return current;
  const changes = notAllAnswered(payout, current, dependencies.now());
  return changes ? await dependencies.payouts.amend(current, changes) : current;
}

/** The provider that has it. */
async function askItsOwn(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.state !== 'PAID') return await askOutcome(dependencies, payout, false);
  const current = payout.unconfirmed?.outcome ? await askOutcome(dependencies, payout, false) : payout;
  return current && (await askReturns(dependencies, current));
}
