import { providerText } from '@gateway/provider-feeds';
import { type FailureCode, failureCodes, type PayoutOutcome, type Refused } from '@gateway/providers';
import { hasProvider, isKnownToProvider, needAttention } from '#src/payout/attention.ts';
import { withFailedCall } from '#src/payout/failed-calls.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { processingEvent } from '#src/payout/present-payout.ts';
import { findPayout } from '#src/payout/read-payouts.ts';
import { type PayoutRoute, routeAfter, routeOf, routeToSend } from '#src/providers/payout-routes.ts';
import { callProvider, payoutInputOf } from '#src/providers/ask-provider.ts';
import { reverseIfAnswered } from '#src/settlement/book-outcome.ts';
import {
  after,
  leaseGraceMs,
  leaseMs,
  leaseUntil,
  lookupDistanceMs,
  noProviderForMs,
  noProviderRetryMs,
  resendDistanceMs,
  unsentAttentionMs,
} from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

export interface Sent {
  /** What the provider answered, whatever has become of the payout since. */
  readonly outcome: PayoutOutcome['kind'];
  readonly payout: PayoutRow;
}

/**
 * Makes the call that was announced in the record (`callStartedAt`), then records its outcome. Should the process die in
 * between, the record shows that the outcome is unknown.
 */
export async function sendPayout(dependencies: StepsDependencies, payout: PayoutRow): Promise<Sent> {
  const route = routeOf(dependencies.payoutRoutes, payout);
  const kindOf = ({ kind }: PayoutOutcome) => kind;
  const outcome = await callProvider(route, 'create-payout', kindOf, (options) =>
    route.provider.createPayout(payoutInputOf(payout), options),
  );
  const recorded = await recordOutcome(dependencies, route, payout, outcome);
  return { outcome: outcome.kind, payout: recorded ?? (await recordLate(dependencies, payout, outcome)) };
}

/** Other processes had stopped waiting: that the provider has it is recorded all the same, so that it is not sent again. */
async function recordLate(
  { payouts }: StepsDependencies,
  payout: PayoutRow,
  outcome: PayoutOutcome,
): Promise<PayoutRow> {
  for (;;) {
    const current = await findPayout(payouts, payout);
    if (current.state !== 'PROCESSING' && current.state !== 'SENDING') return current;
    const providerRef = 'providerRef' in outcome ? outcome.providerRef : undefined;
    if (providerRef === undefined || current.provider !== payout.provider || isKnownToProvider(current)) return current;
    const e2eId = outcome.kind === 'accepted' ? (outcome.e2eId ?? null) : null;
    const amended = await payouts.amend(current, { providerRef, e2eId, ...noRefusal });
    if (amended) return amended;
  }
}

/** Announces the first call with the debit, in one transaction. @returns null when the reservation was given up */
export async function announceFirstCall(
  { payouts, payoutRoutes, now }: StepsDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  const at = now();
  const dueAt = leaseUntil(payout, at, leaseMs(routeOf(payoutRoutes, payout)));
  return await payouts.move(payout, 'debited', { sentAt: at, callStartedAt: at, calledAt: at, dueAt });
}

/**
 * Announces a call in the record: no other process makes one until it has an outcome. As long as none can have arrived, it goes
 * to a provider that operators have not switched off since; while there is none it waits.
 *
 * @returns null when no call is to be made
 */
export async function announceCall(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const { payoutRoutes, payouts, now } = dependencies;
  const route = payout.processingAt ? routeOf(payoutRoutes, payout) : routeToSend(payoutRoutes, payout);
  if (!route) return await waitForRoute(dependencies, payout);
  const at = now();
  return await payouts.move(payout, 'callStarted', {
    provider: route.provider.id,
    callStartedAt: at,
    calledAt: at,
    dueAt: leaseUntil(payout, at, leaseMs(route)),
  });
}

/** Also a process that has just started and does not know yet which providers are on comes here. */
async function waitForRoute({ payouts, now, logger }: StepsDependencies, payout: PayoutRow): Promise<null> {
  const at = now();
  logger.warn({ payoutId: payout.id, provider: payout.provider }, 'no provider that takes the payout is on');
  await payouts.move(payout, 'notSent', { ...whenUnsentLong(payout, at), dueAt: after(at, resendDistanceMs) });
  return null;
}

/** What could not be sent for a while is in the operators' queue. */
function whenUnsentLong(payout: PayoutRow, at: Date): PayoutChanges {
  const isLate = !payout.processingAt && unsentMs(payout, at) > unsentAttentionMs;
  return isLate ? needAttention(payout, 'no_provider', at) : {};
}

/** A call was cut short: only lookups find out whether it arrived. The first is up to the caller of this function. */
export async function recordInterruption(
  { payouts, payoutRoutes, now }: StepsDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  const at = now();
  const dueAt = leaseUntil(payout, at, leaseMs(routeOf(payoutRoutes, payout)));
  return await payouts.move(
    payout,
    'outcomeUnknown',
    { ...processing(payout, at), dueAt },
    processingEvent(payout, at),
  );
}

/**
 * The provider has it, or may have it: never a refund, never another call, only lookups. This process makes the
 * first one; in the table the payout is due when that should be over.
 */
async function enterProcessing(
  { payouts, leased, now }: StepsDependencies,
  payout: PayoutRow,
  move: 'accepted' | 'outcomeUnknown' | 'refusedAgain',
  { lookUpAfterMs, ...changes }: PayoutChanges & { readonly lookUpAfterMs: number },
): Promise<PayoutRow | null> {
  const at = now();
  const isLeased = leased.hasRoom;
  const dueAt = isLeased ? leaseUntil(payout, at, lookUpAfterMs + leaseGraceMs) : after(at, lookUpAfterMs);
  const entering = { ...processing(payout, at), ...changes, dueAt };
  const entered = await payouts.move(payout, move, entering, processingEvent(payout, at));
  if (entered && isLeased) leased.keep(entered, lookUpAfterMs);
  return entered;
}

function processing(payout: PayoutRow, at: Date): PayoutChanges {
  return {
    ...hasProvider(payout),
    callStartedAt: null,
    processingAt: payout.processingAt ?? at,
    lookups: payout.processingAt ? payout.lookups : 0,
    notFoundCount: 0,
    notFoundSince: null,
  };
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
      const accepted = { lookUpAfterMs, lookups: 0, providerRef, e2eId };
      return await enterProcessing(dependencies, payout, 'accepted', accepted);
    }
    case 'refused':
      return await followRefusal(dependencies, route, payout, outcome);
    case 'not_sent': {
      const { reason, cause, retryAfterMs = resendDistanceMs } = outcome;
      logger.warn({ payoutId: payout.id, reason, cause }, 'payout was not sent, it will be');
      const provider = nextProvider(dependencies, payout);
      const failed = withFailedCall(payout, { outcome: 'not_sent', message: cause }, at);
      const changes = { ...whenUnsentLong(payout, at), ...failed, provider };
      return await payouts.move(payout, 'notSent', { ...changes, callStartedAt: null, dueAt: after(at, retryAfterMs) });
    }
    case 'unknown': {
      const { lookUpAfterMs = lookupDistanceMs(0), providerRef = payout.providerRef, cause, differs } = outcome;
      if (differs) logger.error({ payoutId: payout.id, ...differs }, 'the provider answers otherwise');
      else logger.warn({ payoutId: payout.id, cause }, 'it is not known whether the payout was sent');
      const attention = differs ? needAttention(payout, 'answer_differs', at) : {};
      const failed = withFailedCall(payout, { outcome: 'unknown', message: cause }, at);
      const unknown = { ...attention, ...failed, lookUpAfterMs, providerRef: providerRef ?? null };
      return await enterProcessing(dependencies, payout, 'outcomeUnknown', unknown);
    }
  }
}

/**
 * The provider has refused, and that is certain. Where the reason is its own, nothing is wrong with the payout, and it is passed
 * on. What was unknown once stays where it was.
 */
async function followRefusal(
  dependencies: StepsDependencies,
  route: PayoutRoute,
  payout: PayoutRow,
  outcome: Refused,
): Promise<PayoutRow | null> {
  const { payouts, now, logger } = dependencies;
  const { code, message } = outcome;
  const at = now();
  if (failureCodes[code].operatorAlarm) logger.error({ payoutId: payout.id, ...outcome }, 'payout refused');
  const failed = withFailedCall(payout, { outcome: 'refused', reason: code, message }, at);
  const refusal = {
    ...failed,
    reversal: 'REJECTED',
    failureReason: code,
    providerMessage: providerText(message),
  } as const;
  if (payout.processingAt) return await recordRefusedAgain(dependencies, payout, refusal);
  const isPassedOn = isOursToSolve(code) && unsentMs(payout, at) < noProviderForMs;
  if (isPassedOn) return await passOn(dependencies, payout, failed);
  const refused = await payouts.move(payout, 'refused', {
    ...refusal,
    callStartedAt: null,
    dueAt: leaseUntil(payout, at, leaseMs(route)),
  });
  return refused && (await reverseIfAnswered(dependencies, refused));
}

/**
 * The next provider that has not refused it is asked at once, under the same reference, which the first one provably did not
 * take. When all have, operators are alerted, and they are asked again in turn until one of them takes it. Where one that had
 * refused it is known to have paid, no other is asked: that one has it, and lookups find its outcome.
 */
async function passOn(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  failed: PayoutChanges,
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const at = now();
  const refusedBy = [...new Set([...payout.refusedBy, payout.provider])];
  const paidBy = payout.alsoPaidBy.find((provider) => provider !== payout.provider);
  if (paidBy !== undefined) {
    return await enterProcessing(dependencies, payout, 'outcomeUnknown', {
      ...failed,
      provider: paidBy,
      providerRef: payout.reference,
      refusedBy: refusedBy.filter((provider) => provider !== paidBy),
      lookUpAfterMs: 0,
    });
  }
  const changes = { ...failed, refusedBy, callStartedAt: null };
  const next = routeAfter(payoutRoutes, payout, refusedBy);
  if (next) return await payouts.move(payout, 'passedOn', { ...changes, provider: next.provider.id, dueAt: at });
  logger.error({ payoutId: payout.id, refusedBy }, 'no provider takes the payout');
  const provider = routeAfter(payoutRoutes, payout)?.provider.id ?? payout.provider;
  const dueAt = after(at, noProviderRetryMs(unsentMs(payout, at)));
  return await payouts.move(payout, 'passedOn', {
    ...changes,
    ...needAttention(payout, 'no_provider', at),
    provider,
    dueAt,
  });
}

/** How long ago it was to be sent for the first time. */
function unsentMs({ sentAt, createdAt }: PayoutRow, at: Date): number {
  return at.getTime() - (sentAt ?? createdAt).getTime();
}

/**
 * A call before this one may have arrived all the same, and what this one was refused for may be that one's money on its way.
 * So the refusal is one answer that finds nothing, and lookups find out whether it stays that way.
 */
async function recordRefusedAgain(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  refusal: PayoutChanges & Pick<PayoutRow, 'reversal' | 'failureReason'>,
): Promise<PayoutRow | null> {
  const { failureReason, providerMessage } = refusal;
  const facts = { payoutId: payout.id, failureReason, providerMessage };
  dependencies.logger.warn(facts, 'payout was refused when it was sent again');
  const notFound = { notFoundCount: 1, notFoundSince: dependencies.now() };
  const changes = { ...refusal, ...notFound, lookUpAfterMs: lookupDistanceMs(0) };
  return await enterProcessing(dependencies, payout, 'refusedAgain', changes);
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
