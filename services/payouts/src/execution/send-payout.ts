import { PayoutProcessing } from '@gateway/contracts';
import { failureCodes, type PayoutOutcome } from '@gateway/providers';
import { outboxRow, type OutboxRow } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { payoutInputOf } from '#src/execution/payout-input.ts';
import { after, leaseMs, lookupDistanceMs, resendDistanceMs } from '#src/execution/timing.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { payoutEvent } from '#src/payout/to-payout.ts';
import { routeAfter, routeOf, type PayoutRoute } from '#src/providers/payout-routes.ts';
import { reverseIfAnswered } from '#src/settlement/reverse-payout.ts';

export interface Sent {
  /** What the provider answered, whatever has become of the payout since. */
  readonly outcome: PayoutOutcome['kind'];
  readonly payout: PayoutRow;
}

/**
 * Makes the call that was announced in the record (`callStartedAt`), then records its outcome. Should the process die in
 * between, the announcement is what tells that nobody knows.
 */
export async function sendPayout(dependencies: Dependencies, payout: PayoutRow): Promise<Sent> {
  const route = routeOf(dependencies.payoutRoutes, payout);
  const signal = AbortSignal.timeout(route.callTimeoutMs);
  const outcome = await route.provider.createPayout(payoutInputOf(payout), { signal });
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return { outcome: outcome.kind, payout: recorded ?? (await findPayout(dependencies.database, payout)) };
}

/** Announces a call in the record: nobody else makes one until it has an outcome. */
export async function announceCall(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const route = routeOf(dependencies.payoutRoutes, payout);
  const at = dependencies.now();
  return await dependencies.payouts.move(payout, 'callStarted', {
    callStartedAt: at,
    dueAt: after(at, leaseMs(route)),
  });
}

/** Nobody knows whether the provider has it: never a refund, never another call, only lookups tell. */
export async function recordUnknown(
  { payouts, now }: Dependencies,
  payout: PayoutRow,
  lookUpAfterMs: number,
  providerRef = payout.providerRef,
): Promise<PayoutRow | null> {
  const at = now();
  const changes = { ...enteringProcessing(payout, at, lookUpAfterMs), providerRef };
  return await payouts.move(payout, 'outcomeUnknown', changes, processingEvent(payout, at));
}

/** Null when the payout has moved on without this outcome. */
async function recordOutcome(
  dependencies: Dependencies,
  route: PayoutRoute,
  payout: PayoutRow,
  outcome: PayoutOutcome,
): Promise<PayoutRow | null> {
  const { payouts, now, logger } = dependencies;
  const at = now();
  switch (outcome.kind) {
    case 'accepted': {
      const { providerRef, e2eId = null, status } = outcome;
      const lookUpAfterMs = status === 'PAID' ? 0 : (outcome.lookUpAfterMs ?? lookupDistanceMs(0));
      const changes = { ...enteringProcessing(payout, at, lookUpAfterMs), providerRef, e2eId };
      return await payouts.move(payout, 'accepted', changes, processingEvent(payout, at));
    }
    case 'refused': {
      if (failureCodes[outcome.code].operatorAlarm) logger.error({ payoutId: payout.id, ...outcome }, 'payout refused');
      const refused = await payouts.move(payout, 'refused', {
        callStartedAt: null,
        reversal: 'REJECTED',
        failureReason: outcome.code,
        failureMessage: outcome.message,
        dueAt: after(at, leaseMs(route)),
      });
      return refused && (await reverseIfAnswered(dependencies, refused));
    }
    case 'not_sent': {
      const { reason, cause, retryAfterMs = resendDistanceMs } = outcome;
      logger.warn({ payoutId: payout.id, reason, cause }, 'payout was not sent, it will be');
      const provider = nextProvider(dependencies, payout);
      return await payouts.move(payout, 'notSent', { provider, callStartedAt: null, dueAt: after(at, retryAfterMs) });
    }
    case 'unknown': {
      logger.warn({ payoutId: payout.id, cause: outcome.cause }, 'nobody knows whether the payout was sent');
      const { lookUpAfterMs = lookupDistanceMs(0), providerRef } = outcome;
      return await recordUnknown(dependencies, payout, lookUpAfterMs, providerRef);
    }
  }
}

/** Another one only as long as no call can have been taken by this one: what was unknown once stays where it was. */
function nextProvider({ payoutRoutes }: Dependencies, payout: PayoutRow): string {
  if (payout.processingAt) return payout.provider;
  return routeAfter(payoutRoutes, payout)?.provider.id ?? payout.provider;
}

function enteringProcessing(payout: PayoutRow, at: Date, lookUpAfterMs: number): PayoutChanges {
  return {
    callStartedAt: null,
    processingAt: payout.processingAt ?? at,
    lookups: 0,
    notFoundCount: 0,
    notFoundSince: null,
    dueAt: after(at, lookUpAfterMs),
  };
}

/** Said the first time only: a payout that had to be sent again has been PROCESSING all along. */
function processingEvent(payout: PayoutRow, at: Date): ((moved: PayoutRow) => OutboxRow) | undefined {
  if (payout.processingAt) return undefined;
  return (moved) => outboxRow(PayoutProcessing, payoutEvent(moved, at));
}
