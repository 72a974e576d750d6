import { isKnownToProvider, needAttention, noAttention, whatDiffers } from '#src/payout/attention.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { type PayoutRoute, routeOf } from '#src/providers/payout-routes.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { confirmPayout, type Failure, failPayout } from '#src/settlement/record-outcome.ts';
import {
  after,
  growingLookups,
  leaseUntil,
  lookupDistanceMs,
  neverArrivedOnTheWire,
  settlementLeaseMs,
} from '#src/settlement/timing.ts';
import { askElsewhere, askIfForgotten } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * Asks the provider what has become of a payout, and follows. A lookup that fails, or finds nothing, proves nothing: the
 * next one is due later, and there is no refund.
 *
 * @returns null when another process has changed the payout in the meantime
 */
export async function lookUpPayout(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const { now, logger } = dependencies;
  const route = routeOf(dependencies.payoutRoutes, payout);
  const state = await askProvider(route, payout);
  const at = now();
  switch (state.status) {
    case 'PAID':
      return await confirmPayout(dependencies, payout, state);
    case 'FAILED':
      return await followFailure(dependencies, payout, state);
    case 'PROCESSING': {
      const { providerRef, e2eId = payout.e2eId } = state;
      const attention = payout.attentionReason === 'accepted_not_found' ? noAttention(payout) : {};
      const found = { providerRef, e2eId, notFoundCount: 0, notFoundSince: null, ...noRefusal, ...attention };
      return await lookUpLater(dependencies, payout, found, at);
    }
    case 'DIFFERS':
      logger.error({ payoutId: payout.id, field: state.field, told: state.reported }, 'the provider answers otherwise');
      return await lookUpLater(dependencies, payout, whatDiffers(payout, at), at);
    case 'NOT_FOUND':
      return await afterNotFound(dependencies, route, payout, at);
    case 'UNAVAILABLE':
      logger.warn({ payoutId: payout.id, cause: state.cause }, 'payout could not be looked up');
      return await lookUpLater(dependencies, payout, {}, at);
  }
}

/** Where a restored database may have forgotten that it went to another provider, the failure of one is not its end yet. */
export async function followFailure(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  failure: Failure,
): Promise<PayoutRow | null> {
  const elsewhere = await askIfForgotten(dependencies, payout);
  if (elsewhere.kind === 'nowhere') return await failPayout(dependencies, payout, failure);
  const changes = elsewhere.kind === 'found' ? elsewhere.changes : {};
  return await lookUpLater(dependencies, payout, changes, dependencies.now());
}

/**
 * Only a provider that finds whatever it has accepted can answer "never arrived", and only by the same answer later. Then a
 * refusal of the last call is final, and a call without an answer is made again under the same reference, once every other
 * provider has answered that it does not have it either. What it had accepted and does not find any more can have been
 * paid: only operators say what became of that.
 */
async function afterNotFound(
  dependencies: StepsDependencies,
  route: PayoutRoute | undefined,
  payout: PayoutRow,
  at: Date,
): Promise<PayoutRow | null> {
  const { lookups: lookupsMin, afterMs } = route?.neverArrived ?? neverArrivedOnTheWire;
  const notFoundCount = payout.notFoundCount + 1;
  const notFoundSince = payout.notFoundSince ?? at;
  const certainAt = after(notFoundSince, afterMs);
  const consistentLookup = route?.provider.capabilities.consistentLookup === true;
  const certain = consistentLookup && notFoundCount >= lookupsMin && at >= certainAt;
  dependencies.logger.warn({ payoutId: payout.id, notFoundCount, certain }, 'provider does not know the payout');
  if (!certain) {
    const mayBeCertain = consistentLookup && notFoundCount + 1 >= lookupsMin && certainAt > at;
    const changes = { notFoundCount, notFoundSince };
    return await lookUpLater(dependencies, payout, changes, at, mayBeCertain ? certainAt : undefined);
  }
  if (isKnownToProvider(payout)) {
    dependencies.logger.error({ payoutId: payout.id, notFoundCount }, 'a provider does not find what it had accepted');
    const attention = needAttention(payout, 'accepted_not_found', at);
    return await lookUpLater(dependencies, payout, { notFoundCount, notFoundSince, ...attention }, at);
  }
  const elsewhere = await askElsewhere(dependencies, payout);
  if (elsewhere.kind !== 'nowhere') {
    const changes = elsewhere.kind === 'found' ? elsewhere.changes : {};
    return await lookUpLater(dependencies, payout, { notFoundCount, notFoundSince, ...changes }, at);
  }
  if (payout.reversal) {
    const dueAt = leaseUntil(payout, at, settlementLeaseMs);
    return await dependencies.payouts.move(payout, 'absentAfterRefusal', { callStartedAt: null, dueAt });
  }
  // Counted as a lookup, so that one that never arrives gets to the operators too.
  const lookups = payout.lookups + 1;
  return await dependencies.payouts.move(payout, 'neverArrived', { callStartedAt: null, lookups, dueAt: at });
}

/**
 * Past the last growing distance it is for operators to find out; the provider is asked on all the same.
 *
 * @param certainAt when the next lookup can be certain: it is not put off beyond, and what is asked then is asked
 *   besides the growing distances, which go on as they were
 */
async function lookUpLater(
  { payouts, logger }: StepsDependencies,
  payout: PayoutRow,
  changes: PayoutChanges,
  at: Date,
  certainAt?: Date,
): Promise<PayoutRow | null> {
  const grown = after(at, lookupDistanceMs(payout.lookups + 1));
  const isBetween = certainAt !== undefined && certainAt < grown;
  const lookups = payout.lookups + (isBetween ? 0 : 1);
  const dueAt = isBetween ? certainAt : grown;
  const needsOperator = lookups > growingLookups && !payout.attentionAt;
  if (needsOperator) logger.error({ payoutId: payout.id, lookups }, 'the outcome of the payout is still unknown');
  const attention = needsOperator ? needAttention(payout, 'outcome_unknown', at) : {};
  return await payouts.move(payout, 'stillProcessing', { ...attention, ...changes, lookups, dueAt });
}
