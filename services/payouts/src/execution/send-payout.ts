import { PayoutProcessing } from '@gateway/contracts';
import { failureCodes, type PayoutOutcome } from '@gateway/providers';
import { outboxRow, type OutboxRow, measureProviderCall } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { payoutInputOf } from '#src/execution/payout-input.ts';
import { after, leaseMs, lookupDistanceMs, resendDistanceMs, shortcutGraceMs } from '#src/execution/timing.ts';
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
  const outcome = await measureProviderCall(
    route.provider.id,
    'create-payout',
    ({ kind }) => kind,
    () => route.provider.createPayout(payoutInputOf(payout), { signal }),
  );
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return { outcome: outcome.kind, payout: recorded ?? (await findPayout(dependencies.database, payout)) };
}

/**
 * For a provider that answers from the record alone: debit and outcome are recorded in one transaction. A crash before it
 * leaves a reservation, of which nothing has left.
 *
 * @returns null when the reservation was given up meanwhile
 */
export async function sendAtOnce(dependencies: Dependencies, reserving: PayoutRow): Promise<Sent | null> {
  const route = routeOf(dependencies.payoutRoutes, reserving);
  const payout = { ...reserving, sentAt: dependencies.now() };
  const outcome = await route.provider.createPayout(payoutInputOf(payout));
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return recorded && { outcome: outcome.kind, payout: recorded };
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
  const move = payout.state === 'RESERVING' ? 'unknownAtOnce' : 'outcomeUnknown';
  return await payouts.move(payout, move, changes, processingEvent(payout, at));
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
      const dueAfterMs = lookUpAfterMs + shortcutGraceMs(route);
      const changes = { ...enteringProcessing(payout, at, dueAfterMs), providerRef, e2eId };
      const move = payout.state === 'RESERVING' ? 'acceptedAtOnce' : 'accepted';
      const accepted = await payouts.move(payout, move, changes, processingEvent(payout, at));
      if (accepted && route.answersFromRecord) dependencies.carryOnSoon(accepted, lookUpAfterMs);
      return accepted;
    }
    case 'refused': {
      if (failureCodes[outcome.code].operatorAlarm) logger.error({ payoutId: payout.id, ...outcome }, 'payout refused');
      const refused = await payouts.move(payout, payout.state === 'RESERVING' ? 'refusedAtOnce' : 'refused', {
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
      const dueAfterMs = lookUpAfterMs + shortcutGraceMs(route);
      const unknown = await recordUnknown(dependencies, payout, dueAfterMs, providerRef);
      if (unknown && route.answersFromRecord) dependencies.carryOnSoon(unknown, lookUpAfterMs);
      return unknown;
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
