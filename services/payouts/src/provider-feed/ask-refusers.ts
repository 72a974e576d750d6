import { needAttention } from '#src/payout/attention.ts';
import { paidTwice } from '#src/payout/observe-payouts.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { confirmPayout } from '#src/settlement/record-outcome.ts';
import { heldBy } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/** What asking about a payout has come to. */
export interface AskedRefusers {
  /** As it is then; null when it cannot follow now: another process is changing it. */
  readonly payout: PayoutRow | null;
  /** False while one of them could not be asked, or has it and reports no end. */
  readonly areAnswered: boolean;
}

/** Asks every provider that refused the payout, before it was given to the next one, whether it has paid it all the same. */
export async function askRefusers(dependencies: StepsDependencies, payout: PayoutRow): Promise<AskedRefusers> {
  let asked: AskedRefusers = { payout, areAnswered: true };
  for (const provider of payout.refusedBy) {
    if (asked.payout?.state !== payout.state) return asked;
    const next = await askRefuser(dependencies, asked.payout, provider);
    asked = { ...next, areAnswered: asked.areAnswered && next.areAnswered };
  }
  return asked;
}

/**
 * Asks one of them. Should it have paid, it is the one that has the payout as long as no other can; else the money may have
 * left twice: operators are alerted, once, and nothing is booked.
 */
export async function askRefuser(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  provider: string,
): Promise<AskedRefusers> {
  const { payouts, payoutRoutes, logger, now } = dependencies;
  const unchanged = { payout, areAnswered: true };
  // That it has paid is known and alerted; where no other provider has the payout any more, it is followed too.
  const isKnownToHavePaid = payout.alsoPaidBy.includes(provider) && !isWithNoOther(payout);
  if (provider === payout.provider || isKnownToHavePaid) return unchanged;
  const route = payoutRoutes[payout.environment].find((each) => each.provider.id === provider);
  const facts = { provider, payoutId: payout.id, has: payout.provider };
  if (!route) {
    logger.warn(facts, 'a provider that had refused a payout is not configured any more');
    return unchanged;
  }
  const state = await askProvider(route, { ...payout, providerRef: null, e2eId: null });
  switch (state.status) {
    case 'NOT_FOUND':
    case 'FAILED':
      return unchanged;
    case 'UNAVAILABLE':
      logger.warn({ ...facts, status: state.status }, notKnown);
      return { payout, areAnswered: false };
    case 'PROCESSING':
      logger.warn({ ...facts, status: state.status }, notKnown);
      return { payout: await stopCalls(dependencies, payout, provider, {}), areAnswered: false };
    case 'DIFFERS': {
      logger.error({ ...facts, field: state.field, told: state.reported }, 'the provider answers otherwise');
      const attention = needAttention(payout, 'answer_differs', now());
      return { payout: await stopCalls(dependencies, payout, provider, attention), areAnswered: true };
    }
    case 'PAID': {
      logger.error(facts, 'a provider has paid what it had refused');
      if (isWithNoOther(payout)) {
        const refusedBy = [...payout.refusedBy.filter((each) => each !== provider), payout.provider];
        const followed = await confirmPayout(dependencies, { ...payout, provider }, state, { provider, refusedBy });
        return { payout: followed, areAnswered: true };
      }
      // What is on its way back to the balance is debited again when it has arrived.
      if (payout.state === 'REVERSING') return { payout: null, areAnswered: true };
      const alsoPaidBy = [...payout.alsoPaidBy, provider];
      const attention = needAttention(payout, 'paid_twice', now());
      const amended = await payouts.amend(payout, { ...attention, alsoPaidBy });
      if (amended) paidTwice.add(1, { environment: payout.environment });
      return { payout: amended, areAnswered: true };
    }
  }
}

const notKnown = 'whether a provider has paid what it had refused is not known';

/**
 * A provider that had refused the payout has something under its reference, so no other is called from now on: as long as none
 * has been, that one has it. A call that is under way goes on, and counts as one without an answer (its record is changed here):
 * what it comes to is looked up, and before anything else is called all providers are asked.
 */
async function stopCalls(
  { payouts }: StepsDependencies,
  payout: PayoutRow,
  provider: string,
  changes: PayoutChanges,
): Promise<PayoutRow | null> {
  if (payout.state !== 'SENDING')
    return Object.keys(changes).length > 0 ? await payouts.amend(payout, changes) : payout;
  const its = isWithNoOther(payout) ? heldBy(provider, payout) : {};
  return await payouts.amend(payout, { ...changes, ...its });
}

/** It was given up, or waits for an approval, or the provider that has it now has not been called yet. */
function isWithNoOther({ state, callStartedAt, processingAt }: PayoutRow): boolean {
  if (state === 'SENDING') return !callStartedAt && !processingAt;
  return state === 'FAILED' || state === 'REJECTED' || state === 'PENDING';
}
