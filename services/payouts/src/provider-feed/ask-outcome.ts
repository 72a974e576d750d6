import type { PayoutState as StateAtProvider } from '@gateway/providers';
import { isKnownToProvider, whatDiffers } from '#src/payout/attention.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { type PayoutRoute, routeOf } from '#src/providers/payout-routes.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { confirmPayout, type Failure, failPayout } from '#src/settlement/record-outcome.ts';
import { afterAnswer, afterNoAnswer, keepOpen, withoutOutcome } from '#src/settlement/plan-recheck.ts';
import { neverArrivedOnTheWire } from '#src/settlement/timing.ts';
import { askIfForgotten } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { followFailure } from '#src/steps/look-up-payout.ts';

/**
 * Asks what has become of a payout because of a report about it, or because it is time to ask again about one that has
 * ended, and follows a definite answer. Without one nothing moves: what is under way has its own schedule of lookups, and
 * a report about a payout that has ended stays open.
 *
 * @param isReported whether a notification says something else than the record
 * @returns the payout as it is then; null when it cannot follow now: another process is changing it
 */
export async function askOutcome(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  isReported: boolean,
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const route = routeOf(payoutRoutes, payout);
  const state = await askProvider(route, payout);
  switch (state.status) {
    case 'PAID':
      return payout.state === 'PAID'
        ? await afterConfirmation(dependencies, payout, isReported)
        : await confirmPayout(dependencies, payout, state);
    case 'FAILED':
      return hasFailed(payout)
        ? await afterConfirmation(dependencies, payout, isReported)
        : await followReportedFailure(dependencies, payout, state);
    case 'DIFFERS': {
      logger.error({ payoutId: payout.id, field: state.field, told: state.reported }, 'the provider answers otherwise');
      const askAgain = hasEnded(payout) ? afterNoAnswer(now()) : {};
      return await payouts.amend(payout, { ...whatDiffers(payout, now()), ...askAgain });
    }
    case 'PROCESSING':
      // Of one that is not being called this stops the next call: from then on there are only lookups.
      if (isUnderWay(payout) && !isKnownToProvider(payout)) {
        const { providerRef, e2eId = null } = state;
        return await payouts.amend(payout, { providerRef, e2eId, ...noRefusal });
      }
      return hasEnded(payout) ? await withoutAnswer(dependencies, route, payout, state, isReported) : payout;
    case 'NOT_FOUND':
    case 'UNAVAILABLE':
      return hasEnded(payout) ? await withoutAnswer(dependencies, route, payout, state, isReported) : payout;
  }
}

/**
 * What the provider says of a call before that is answered, or of one that it has refused, is no news: the answer itself decides
 * whether the payout ends, goes to the next provider or waits, whichever of the two comes first.
 */
async function followReportedFailure(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  failure: Failure,
): Promise<PayoutRow | null> {
  const { state, callStartedAt, processingAt, refusedBy, provider } = payout;
  if (state === 'PROCESSING') return await followFailure(dependencies, payout, failure);
  if (state === 'SENDING' && callStartedAt) return null;
  const isItsRefusal = state === 'SENDING' && !processingAt && refusedBy.includes(provider);
  if (isItsRefusal || (state === 'SENDING' && (await mayBeElsewhere(dependencies, payout)))) return payout;
  return await failPayout(dependencies, payout, failure);
}

/** Whether it may have gone to another provider in what a restored database has forgotten: the next step asks them again. */
async function mayBeElsewhere(dependencies: StepsDependencies, payout: PayoutRow): Promise<boolean> {
  return (await askIfForgotten(dependencies, payout)).kind !== 'nowhere';
}

/** The provider answers what is on record, so that reports to the contrary are refuted. Returns are another question. */
async function afterConfirmation(
  { payouts, now }: StepsDependencies,
  payout: PayoutRow,
  isReported: boolean,
): Promise<PayoutRow | null> {
  const { unconfirmed } = payout;
  if (hasFailed(payout)) {
    return isReported && !unconfirmed ? payout : await payouts.amend(payout, afterAnswer(payout, now()));
  }
  if (!unconfirmed?.outcome) return payout;
  return await payouts.amend(payout, { unconfirmed: withoutOutcome(unconfirmed) });
}

async function withoutAnswer(
  { payouts, now }: StepsDependencies,
  route: PayoutRoute | undefined,
  payout: PayoutRow,
  { status }: StateAtProvider,
  isReported: boolean,
): Promise<PayoutRow | null> {
  const at = now();
  const { unconfirmed } = payout;
  const openMs = unconfirmed ? at.getTime() - Date.parse(unconfirmed.since) : 0;
  const isConsistent = route?.provider.capabilities.consistentLookup === true;
  const isNotThere = status === 'NOT_FOUND' && isConsistent && hasFailed(payout) && !isKnownToProvider(payout);
  const { afterMs } = route?.neverArrived ?? neverArrivedOnTheWire;
  if (isNotThere && openMs >= afterMs) return await payouts.amend(payout, afterAnswer(payout, at));
  if (isReported || unconfirmed?.outcome) {
    const returnIds = unconfirmed?.returnIds ?? [];
    return await payouts.amend(payout, keepOpen(payout, { outcome: true, returnIds }, at));
  }
  return await payouts.amend(payout, status === 'UNAVAILABLE' ? afterNoAnswer(at) : afterAnswer(payout, at));
}

function hasFailed({ state }: PayoutRow): boolean {
  return state === 'FAILED' || state === 'REJECTED';
}

/** With its provider, or about to be given to it; a call that is being made records its own outcome. */
function isUnderWay({ state, callStartedAt }: PayoutRow): boolean {
  return state === 'PROCESSING' || (state === 'SENDING' && !callStartedAt);
}

function hasEnded(payout: PayoutRow): boolean {
  return payout.state === 'PAID' || hasFailed(payout);
}
