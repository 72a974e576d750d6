import { providerText } from '@gateway/provider-feeds';
import { type FailureCode, failureCodes, type PayoutOutcome, type Refused } from '@gateway/providers';
import { isKnownToProvider, isNotFrozen, needAttention } from '#src/payout/attention.ts';
import { withFailedCall } from '#src/payout/failed-calls.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { findPayout } from '#src/payout/read-payouts.ts';
import { type PayoutRoute, routeOf, routeToSend } from '#src/providers/payout-routes.ts';
import { callProvider, payoutInputOf } from '#src/providers/ask-provider.ts';
import { reverseIfAnswered } from '#src/settlement/book-outcome.ts';
import { leaseMs, leaseUntil, lookupDistanceMs } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { enterProcessing } from '#src/steps/enter-processing.ts';
import { followNotSent, isFreeToSend, passOn, waitForRoute } from '#src/steps/wait-for-provider.ts';

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
  if (!route) throw new Error(`provider ${payout.provider} was called and is not configured`);
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
  if (!payout.processingAt && !(await isFreeToSend(dependencies, payout))) return null;
  const route = payout.processingAt ? routeOf(payoutRoutes, payout) : routeToSend(payoutRoutes, payout);
  if (!route) {
    await waitForRoute(dependencies, payout);
    return null;
  }
  const at = now();
  return await payouts.move(payout, 'callStarted', {
    ...isNotFrozen(payout),
    provider: route.provider.id,
    callStartedAt: at,
    calledAt: at,
    dueAt: leaseUntil(payout, at, leaseMs(route)),
  });
}

/** Null when the payout has moved on without this outcome. */
async function recordOutcome(
  dependencies: StepsDependencies,
  route: PayoutRoute,
  payout: PayoutRow,
  outcome: PayoutOutcome,
): Promise<PayoutRow | null> {
  const { now, logger } = dependencies;
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
      const { reason, cause } = outcome;
      logger.warn({ payoutId: payout.id, reason, cause }, 'payout was not sent, it will be');
      return await followNotSent(dependencies, payout, outcome);
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
  const refused = isOursToSolve(code)
    ? await passOn(dependencies, payout, failed, refusal)
    : await payouts.move(payout, 'refused', {
        ...refusal,
        callStartedAt: null,
        dueAt: leaseUntil(payout, at, leaseMs(route)),
      });
  return refused?.state === 'REVERSING' ? await reverseIfAnswered(dependencies, refused) : refused;
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
