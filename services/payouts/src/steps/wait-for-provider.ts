import { type Freeze, isFrozenFor } from '@gateway/contracts/accounts';
import type { NotSent } from '@gateway/providers';
import { needAttention } from '#src/payout/attention.ts';
import { withFailedCall } from '#src/payout/failed-calls.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { routeAfter, routesInTurn } from '#src/providers/payout-routes.ts';
import {
  after,
  frozenRetryMs,
  leaseUntil,
  lookupDistanceMs,
  noProviderForMs,
  noProviderRetryMs,
  resendDistanceMs,
  settlementLeaseMs,
  unsentAttentionMs,
} from '#src/settlement/timing.ts';
import { askElsewhere, askIfForgotten, heldBy } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { enterProcessing } from '#src/steps/enter-processing.ts';

/**
 * Whether a payout that no call is known to have reached may be called for now. Of a frozen account nothing is handed to a provider
 * that was not before: it waits until that is lifted, or an operator refuses it. In what a restored database has forgotten, it
 * may have been given to another provider, so the others are asked; while one of them does not answer, it waits too.
 */
export async function isFreeToSend(dependencies: StepsDependencies, payout: PayoutRow): Promise<boolean> {
  const freeze = await freezeIfAnswered(dependencies, payout);
  if (freeze === 'unanswered') return await waitToSend(dependencies, payout);
  if (isFrozenFor(freeze, 'money_out')) return await waitForUnfreezing(dependencies, payout);
  const elsewhere = await askIfForgotten(dependencies, payout);
  if (elsewhere.kind === 'found') await followFinder(dependencies, payout, elsewhere.changes);
  if (elsewhere.kind === 'unanswered') return await waitToSend(dependencies, payout);
  return elsewhere.kind === 'nowhere';
}

async function freezeIfAnswered(
  { freezeOf, logger }: StepsDependencies,
  payout: PayoutRow,
): Promise<Freeze | null | 'unanswered'> {
  try {
    return await freezeOf(payout);
  } catch (error) {
    logger.warn({ err: error, payoutId: payout.id }, 'whether the account of a payout is frozen is not known');
    return 'unanswered';
  }
}

async function waitForUnfreezing({ payouts, now }: StepsDependencies, payout: PayoutRow): Promise<false> {
  const at = now();
  const attention = needAttention(payout, 'account_frozen', at);
  await payouts.move(payout, 'notSent', { ...attention, dueAt: after(at, frozenRetryMs) });
  return false;
}

/** Also a process that has just started and does not know yet which providers are on comes here. */
export async function waitForRoute(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const { id: payoutId, provider } = payout;
  dependencies.logger.warn({ payoutId, provider }, 'no provider that takes the payout is on');
  await waitToSend(dependencies, payout);
}

async function waitToSend({ payouts, now }: StepsDependencies, payout: PayoutRow): Promise<false> {
  const at = now();
  await payouts.move(payout, 'notSent', { ...whenUnsentLong(payout, at), dueAt: after(at, resendDistanceMs) });
  return false;
}

/** What could not be sent for a while is in the operators' queue. */
function whenUnsentLong(payout: PayoutRow, at: Date): PayoutChanges {
  return unsentMs(payout, at) > unsentAttentionMs ? needAttention(payout, 'no_provider', at) : {};
}

/**
 * The call was certainly not made. Of a payout that no call can have reached, the next one is planned; where an earlier call may
 * have arrived, its provider is asked on, and the payout is sent again when that has known nothing of it once more.
 */
export async function followNotSent(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  { cause, retryAfterMs }: NotSent,
): Promise<PayoutRow | null> {
  const { payouts, now } = dependencies;
  const at = now();
  const failed = withFailedCall(payout, { outcome: 'not_sent', message: cause }, at);
  if (payout.processingAt) {
    const lookUpAfterMs = lookupDistanceMs(0);
    return await enterProcessing(dependencies, payout, 'notSentAgain', { ...failed, lookUpAfterMs });
  }
  const next = nextCall(dependencies, payout, at, retryAfterMs);
  const changes = { ...whenUnsentLong(payout, at), ...failed, ...next };
  return await payouts.move(payout, 'notSent', { ...changes, callStartedAt: null });
}

/**
 * Who is called next, and when: another provider that has not refused the payout first, this one when it says so, and one that
 * has refused it when its turn comes by the distances of every wait. So an outage of one keeps the payout from no other that
 * has our money again.
 */
function nextCall(
  { payoutRoutes }: StepsDependencies,
  payout: PayoutRow,
  at: Date,
  retryAfterMs = resendDistanceMs,
): Pick<PayoutRow, 'provider'> & { readonly dueAt: Date } {
  const soon = after(at, Math.min(retryAfterMs, resendDistanceMs));
  const dueAtOf = (provider: string): Date => {
    if (provider === payout.provider) return after(at, retryAfterMs);
    return payout.refusedBy.includes(provider) ? laterOf(soon, turnOf(payout, provider)) : soon;
  };
  const ids = routesInTurn(payoutRoutes, payout).map(({ provider }) => provider.id);
  const calls = ids.map((provider) => ({ provider, dueAt: dueAtOf(provider) }));
  const [first] = calls.sort((one, another) => one.dueAt.getTime() - another.dueAt.getTime());
  return first ?? { provider: payout.provider, dueAt: soon };
}

/** When a provider that has refused the payout is asked again. */
function turnOf(payout: PayoutRow, provider: string): Date {
  const refusals = payout.failedCalls.filter((call) => call.provider === provider && call.outcome === 'refused');
  const refusedAt = new Date(Math.max(...refusals.map(({ lastAt }) => Date.parse(lastAt)), 0));
  return after(refusedAt, noProviderRetryMs(unsentMs(payout, refusedAt)));
}

function laterOf(one: Date, another: Date): Date {
  return one > another ? one : another;
}

/**
 * The provider has refused for a reason of its own. The next one that has not is asked at once, under the same reference, which
 * the first one provably did not take. When all have, operators are alerted, and they are asked again in turn until one of them
 * takes it, or the time for that is over. Where one that had refused it is known to have paid, no other is asked: that one has
 * it, and lookups find its outcome.
 *
 * @param failed the refusal among the failed calls
 * @param refusal what is on record of it should it be the last
 */
export async function passOn(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  failed: Pick<PayoutRow, 'failedCalls'>,
  refusal: PayoutChanges,
): Promise<PayoutRow | null> {
  const { payouts, payoutRoutes, now, logger } = dependencies;
  const at = now();
  const refusedBy = [...new Set([...payout.refusedBy, payout.provider])];
  const paidBy = payout.alsoPaidBy.find((provider) => provider !== payout.provider);
  if (paidBy !== undefined) {
    return await enterProcessing(dependencies, payout, 'outcomeUnknown', {
      ...failed,
      ...heldBy(paidBy, payout),
      refusedBy: refusedBy.filter((provider) => provider !== paidBy),
      lookUpAfterMs: 0,
    });
  }
  const changes = { ...failed, refusedBy, callStartedAt: null };
  if (unsentMs(payout, at) >= noProviderForMs) {
    const last = { ...changes, ...refusal, dueAt: leaseUntil(payout, at, settlementLeaseMs) };
    const refused = await payouts.move(payout, 'passedOn', last);
    return refused && (await giveUp(dependencies, refused));
  }
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

/**
 * Ends a payout that was refused for the last time (`reversal` is on record, and nothing is called from then on). Before its money
 * goes back, every other provider must have answered that it does not have it.
 *
 * @returns the payout about to be given back, or as it is otherwise; null when another process has changed it
 */
export async function giveUp(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const elsewhere = await askElsewhere(dependencies, payout);
  const { payouts, now } = dependencies;
  const at = now();
  switch (elsewhere.kind) {
    case 'nowhere':
      return await payouts.move(payout, 'refused', { dueAt: leaseUntil(payout, at, settlementLeaseMs) });
    case 'found':
      return await followFinder(dependencies, payout, elsewhere.changes);
    case 'unanswered': {
      const dueAt = after(at, noProviderRetryMs(unsentMs(payout, at)));
      return await payouts.move(payout, 'notSent', { ...needAttention(payout, 'no_provider', at), dueAt });
    }
  }
}

/** Another provider has it: from here there are only lookups, at that one. */
async function followFinder(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  found: PayoutChanges,
): Promise<PayoutRow | null> {
  return await enterProcessing(dependencies, payout, 'outcomeUnknown', { ...found, lookUpAfterMs: 0 });
}

/** How long ago it was to be sent for the first time. */
function unsentMs({ sentAt, createdAt }: PayoutRow, at: Date): number {
  return at.getTime() - (sentAt ?? createdAt).getTime();
}
