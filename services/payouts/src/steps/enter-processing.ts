import { hasProvider } from '#src/payout/attention.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { processingEvent } from '#src/payout/present-payout.ts';
import { routeOf } from '#src/providers/payout-routes.ts';
import { after, leaseGraceMs, leaseMs, leaseUntil } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

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
export async function enterProcessing(
  { payouts, leased, now }: StepsDependencies,
  payout: PayoutRow,
  move: 'accepted' | 'outcomeUnknown' | 'refusedAgain' | 'notSentAgain',
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
