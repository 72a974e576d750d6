import { failureCodes } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { after, growingLookups, leaseMs, lookupDistanceMs, neverArrivedOnTheWire } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { routeOf, type PayoutRoute } from '#src/providers/payout-routes.ts';
import { askProvider } from '#src/settlement/ask-provider.ts';
import { settleAtOnce } from '#src/settlement/settle-payout.ts';

/**
 * Asks the provider what has become of a payout, and follows. A lookup that fails, or finds nothing, proves nothing: the
 * next one is due later, and there is no refund.
 *
 * @returns null when somebody else has changed the payout meanwhile
 */
export async function lookUpPayout(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const { payouts, now, logger } = dependencies;
  const route = routeOf(dependencies.payoutRoutes, payout);
  const state = await askProvider(route, payout);
  const at = now();
  const dueAt = after(at, leaseMs(route));
  switch (state.status) {
    case 'PAID': {
      const { providerRef, e2eId, paidAt } = state;
      const payment = { providerRef, e2eId, paidAt };
      if (route.answersFromRecord) return await settleAtOnce(dependencies, payout, payment);
      return await payouts.move(payout, 'confirmed', { ...payment, dueAt });
    }
    case 'FAILED': {
      const { providerRef, code, message } = state;
      if (failureCodes[code].operatorAlarm) logger.error({ payoutId: payout.id, code, message }, 'payout failed');
      const reason = { reversal: 'FAILED', failureReason: code, failureMessage: message } as const;
      return await payouts.move(payout, 'failed', { providerRef, ...reason, dueAt });
    }
    case 'PROCESSING': {
      const { providerRef, e2eId = payout.e2eId } = state;
      const found = { providerRef, e2eId, notFoundCount: 0, notFoundSince: null };
      return await lookUpLater(dependencies, payout, found, at);
    }
    case 'NOT_FOUND':
      return await afterNotFound(dependencies, route, payout, at);
    case 'UNAVAILABLE':
      logger.warn({ payoutId: payout.id, cause: state.cause }, 'payout could not be looked up');
      return await lookUpLater(dependencies, payout, {}, at);
  }
}

/** Only a provider that finds whatever it has accepted can say "never arrived", and only by saying it again later. */
async function afterNotFound(
  dependencies: Dependencies,
  { provider, neverArrived = neverArrivedOnTheWire }: PayoutRoute,
  payout: PayoutRow,
  at: Date,
): Promise<PayoutRow | null> {
  const notFoundCount = payout.notFoundCount + 1;
  const notFoundSince = payout.notFoundSince ?? at;
  const certain =
    provider.capabilities.consistentLookup &&
    notFoundCount >= neverArrived.lookups &&
    at >= after(notFoundSince, neverArrived.afterMs);
  dependencies.logger.warn({ payoutId: payout.id, notFoundCount, certain }, 'provider does not know the payout');
  if (!certain) return await lookUpLater(dependencies, payout, { notFoundCount, notFoundSince }, at);
  return await dependencies.payouts.move(payout, 'neverArrived', { callStartedAt: null, dueAt: at });
}

/** Past the last growing distance it is for operators to find out; the provider is asked on all the same. */
async function lookUpLater(
  { payouts, logger }: Dependencies,
  payout: PayoutRow,
  changes: PayoutChanges,
  at: Date,
): Promise<PayoutRow | null> {
  const lookups = payout.lookups + 1;
  const dueAt = after(at, lookupDistanceMs(lookups));
  const needsOperator = lookups > growingLookups && !payout.attentionAt;
  if (needsOperator) logger.error({ payoutId: payout.id, lookups }, 'nobody knows what became of the payout');
  const attentionAt = needsOperator ? at : payout.attentionAt;
  return await payouts.move(payout, 'stillProcessing', { ...changes, lookups, attentionAt, dueAt });
}
