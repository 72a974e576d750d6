import { measureProviderCall } from '@gateway/provider-feeds';
import { type FailureCode, failureCodes, type PayoutOutcome, type Refused } from '@gateway/providers';
import { isKnownToProvider, needAttention } from '#src/payout/attention.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { processingEvent } from '#src/payout/present-payout.ts';
import { findPayout } from '#src/payout/read-payouts.ts';
import { type PayoutRoute, routeAfter, routeOf } from '#src/routing/payout-routes.ts';
import { payoutInputOf } from '#src/settlement/ask-provider.ts';
import { reverseIfAnswered } from '#src/settlement/reverse-payout.ts';
import { after, leaseMs, lookupDistanceMs, resendDistanceMs, shortcutGraceMs } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

export interface Sent {
  /** What the provider answered, whatever has become of the payout since. */
  readonly outcome: PayoutOutcome['kind'];
  readonly payout: PayoutRow;
}

/**
 * Makes the call that was announced in the record (`callStartedAt`), then records its outcome. Should the process die in
 * between, the announcement is what tells that nobody knows.
 */
export async function sendPayout(dependencies: StepsDependencies, payout: PayoutRow): Promise<Sent> {
  const route = routeOf(dependencies.payoutRoutes, payout);
  const signal = AbortSignal.timeout(route.callTimeoutMs);
  const outcome = await measureProviderCall(
    route.provider.id,
    'create-payout',
    ({ kind }) => kind,
    () => route.provider.createPayout(payoutInputOf(payout), { signal }),
  );
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return { outcome: outcome.kind, payout: recorded ?? (await recordLate(dependencies, payout, outcome)) };
}

/** Other processes had given the answer up: that the provider has it is on record all the same, so that it is not sent again. */
async function recordLate(
  { database, payouts }: StepsDependencies,
  payout: PayoutRow,
  outcome: PayoutOutcome,
): Promise<PayoutRow> {
  for (;;) {
    const current = await findPayout(database, payout);
    if (current.state !== 'PROCESSING' && current.state !== 'SENDING') return current;
    const providerRef = 'providerRef' in outcome ? outcome.providerRef : undefined;
    if (providerRef === undefined || current.provider !== payout.provider || isKnownToProvider(current)) return current;
    const e2eId = outcome.kind === 'accepted' ? (outcome.e2eId ?? null) : null;
    const amended = await payouts.amend(current, { providerRef, e2eId, ...noRefusal });
    if (amended) return amended;
  }
}

/**
 * For a provider that answers from the record alone: where it accepts, debit and acceptance are recorded in one
 * transaction. A crash before it leaves a reservation, of which nothing has left. Any other answer takes the ordinary way.
 *
 * @returns null when the reservation was given up in the meantime
 */
export async function sendFromRecord(dependencies: StepsDependencies, reserving: PayoutRow): Promise<Sent | null> {
  const route = routeOf(dependencies.payoutRoutes, reserving);
  const payout = { ...reserving, sentAt: dependencies.now() };
  const outcome = await route.provider.createPayout(payoutInputOf(payout));
  if (outcome.kind !== 'accepted') {
    const announced = await announceFirstCall(dependencies, reserving);
    return announced && (await sendPayout(dependencies, announced));
  }
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return recorded && { outcome: outcome.kind, payout: recorded };
}

/** Announces the first call with the debit, in one transaction. @returns null when the reservation was given up */
export async function announceFirstCall(
  { payouts, payoutRoutes, now }: StepsDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  const at = now();
  const dueAt = after(at, leaseMs(routeOf(payoutRoutes, payout)));
  return await payouts.move(payout, 'debited', { sentAt: at, callStartedAt: at, calledAt: at, dueAt });
}

/** Announces a call in the record: no other process makes one until it has an outcome. */
export async function announceCall(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const route = routeOf(dependencies.payoutRoutes, payout);
  const at = dependencies.now();
  return await dependencies.payouts.move(payout, 'callStarted', {
    callStartedAt: at,
    calledAt: at,
    dueAt: after(at, leaseMs(route)),
  });
}

/** It is not known whether the provider has it: never a refund, never another call, only lookups tell. */
export async function recordUnknown(
  { payouts, now }: StepsDependencies,
  payout: PayoutRow,
  lookUpAfterMs: number,
  {
    providerRef = payout.providerRef ?? undefined,
    ...known
  }: Omit<PayoutChanges, 'providerRef'> & { readonly providerRef?: string | undefined } = {},
): Promise<PayoutRow | null> {
  const at = now();
  const changes = { ...known, ...enteringProcessing(payout, at, lookUpAfterMs), providerRef: providerRef ?? null };
  return await payouts.move(payout, 'outcomeUnknown', changes, processingEvent(payout, at));
}

/** Null when the payout has moved on without this outcome. */
async function recordOutcome(
  dependencies: StepsDependencies,
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
      const changes = { ...enteringProcessing(payout, at, dueAfterMs), lookups: 0, providerRef, e2eId };
      const move = payout.state === 'RESERVING' ? 'acceptedFromRecord' : 'accepted';
      const accepted = await payouts.move(payout, move, changes, processingEvent(payout, at));
      if (accepted && route.answersFromRecord) dependencies.resumeSoon(accepted, lookUpAfterMs);
      return accepted;
    }
    case 'refused':
      return await followRefusal(dependencies, route, payout, outcome);
    case 'not_sent': {
      const { reason, cause, retryAfterMs = resendDistanceMs } = outcome;
      logger.warn({ payoutId: payout.id, reason, cause }, 'payout was not sent, it will be');
      const provider = nextProvider(dependencies, payout);
      return await payouts.move(payout, 'notSent', { provider, callStartedAt: null, dueAt: after(at, retryAfterMs) });
    }
    case 'unknown': {
      const { lookUpAfterMs = lookupDistanceMs(0), providerRef, cause, differs } = outcome;
      if (differs) logger.error({ payoutId: payout.id, ...differs }, 'the provider answers otherwise');
      else logger.warn({ payoutId: payout.id, cause }, 'nobody knows whether the payout was sent');
      const attention = differs ? needAttention(payout, 'answer_differs', at) : {};
      return await recordUnknown(dependencies, payout, lookUpAfterMs, { ...attention, providerRef });
    }
  }
}

/**
 * The provider has said no, and that is certain. Where it says so for a reason of its own, nothing is wrong with the payout:
 * the next provider that has not refused it is asked, under the same reference, which the first one provably did not take.
 */
async function followRefusal(
  dependencies: StepsDependencies,
  route: PayoutRoute,
  payout: PayoutRow,
  outcome: Refused,
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const { code, message } = outcome;
  const at = now();
  if (failureCodes[code].operatorAlarm) logger.error({ payoutId: payout.id, ...outcome }, 'payout refused');
  const isOurs = isOursToSolve(code);
  const refusedBy = [...payout.refusedBy, payout.provider];
  // What was unknown once stays where it was.
  const next = isOurs && !payout.processingAt ? routeAfter(payoutRoutes, payout, refusedBy) : undefined;
  if (next) {
    const changes = { provider: next.provider.id, refusedBy, callStartedAt: null, dueAt: at };
    return await payouts.move(payout, 'passedOn', changes);
  }
  const failureMessage = isOurs ? failureCodes[code].meaning : message;
  const refusal = { reversal: 'REJECTED', failureReason: code, failureMessage } as const;
  if (payout.processingAt) return await recordRefusedAgain(dependencies, payout, refusal);
  const refused = await payouts.move(payout, 'refused', {
    ...refusal,
    callStartedAt: null,
    dueAt: after(at, leaseMs(route)),
  });
  return refused && (await reverseIfAnswered(dependencies, refused));
}

/**
 * A call before this one may have arrived all the same, and what this one was refused for may be that one's money on its way.
 * So the refusal is one answer that finds nothing, and lookups tell whether it stays that way.
 */
async function recordRefusedAgain(
  { payouts, now, logger }: StepsDependencies,
  payout: PayoutRow,
  refusal: Pick<PayoutChanges, 'reversal' | 'failureReason' | 'failureMessage'>,
): Promise<PayoutRow | null> {
  const at = now();
  logger.warn({ payoutId: payout.id, ...refusal }, 'payout was refused when it was sent again');
  const notFound = { notFoundCount: 1, notFoundSince: at };
  const changes = { ...refusal, ...enteringProcessing(payout, at, lookupDistanceMs(0)), ...notFound };
  return await payouts.move(payout, 'refusedAgain', changes);
}

/** Nothing about the payout or its recipient: our account at the provider cannot do it. */
function isOursToSolve(code: FailureCode): boolean {
  return code === 'provider_balance' || code === 'provider_restricted';
}

/** Another one only as long as no call can have been taken by this one: what was unknown once stays where it was. */
function nextProvider({ payoutRoutes }: StepsDependencies, payout: PayoutRow): string {
  if (payout.processingAt) return payout.provider;
  return routeAfter(payoutRoutes, payout, payout.refusedBy)?.provider.id ?? payout.provider;
}

function enteringProcessing(payout: PayoutRow, at: Date, lookUpAfterMs: number): PayoutChanges {
  return {
    callStartedAt: null,
    processingAt: payout.processingAt ?? at,
    lookups: payout.processingAt ? payout.lookups : 0,
    notFoundCount: 0,
    notFoundSince: null,
    dueAt: after(at, lookUpAfterMs),
  };
}
