import type { ProviderEvent, Graded } from '@gateway/providers';
import { ChangingError } from '#src/errors.ts';
import { hasLastingAttention } from '#src/payout/attention.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { askRefuser } from '#src/provider-feed/ask-refusers.ts';
import { askReturns } from '#src/provider-feed/ask-returns.ts';
import { keepOpen } from '#src/settlement/plan-recheck.ts';
import { mayBeForgotten } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeIfAnswered, resumeNow } from '#src/steps/resume-payout.ts';

/** A report about a payout, of whatever grade: each includes a hint. */
export type PayoutEvent = Extract<Graded<'hint', ProviderEvent>, { type: `payout.${string}` }>;
type ReturnEvent = Extract<PayoutEvent, { type: 'payout.returned' }>;
type OutcomeEvent = Exclude<PayoutEvent, ReturnEvent>;

/**
 * `foreign`: the payout is not on record here. `unanswered`: a provider that had refused it reports something of it, and could
 * not be asked or names no end yet, and no schedule asks that one soon. `undecided`: operators have to decide about the payout
 * first. Of both the event is to be kept and applied again.
 */
type Applied = 'applied' | 'foreign' | 'unanswered' | 'undecided';

export function isPayoutEvent(event: Graded<'hint', ProviderEvent>): event is PayoutEvent {
  return event.type.startsWith('payout.');
}

/**
 * Makes us ask the provider about one of our payouts. What the event itself says moves nothing, whatever its signature: the
 * answer to our own question does.
 *
 * @throws ChangingError when the payout cannot follow now
 */
export async function applyEvent(
  dependencies: StepsDependencies,
  { provider, event }: { provider: string; event: PayoutEvent },
): Promise<Applied> {
  const payout = await findPayoutOf(dependencies, provider, event);
  if (payout?.environment !== 'live') {
    dependencies.logger.warn({ provider, dedupeKey: event.dedupeKey }, 'a provider reports an unknown payout');
    return 'foreign';
  }
  // What operators have to decide may take days, in which no notification keeps others from being forgotten.
  if (payout.state === 'RELEASING' && hasLastingAttention(payout)) return 'undecided';
  if (payout.state === 'RESERVING' || payout.state === 'RELEASING') throw new ChangingError();
  if (payout.provider !== provider) return await followRefuser(dependencies, payout, provider, event);
  if (event.type === 'payout.returned') await followReturn(dependencies, payout, event.returnId);
  else await followOutcome(dependencies, payout, event);
  return 'applied';
}

async function findPayoutOf(
  { payouts }: StepsDependencies,
  provider: string,
  event: PayoutEvent,
): Promise<PayoutRow | undefined> {
  if (event.type !== 'payout.returned' || event.ref !== undefined) return await payouts.findById(`pyt_${event.ref}`);
  const { e2eId } = event;
  return e2eId === undefined ? undefined : await payouts.findByE2eId(provider, e2eId);
}

async function followOutcome(dependencies: StepsDependencies, payout: PayoutRow, event: OutcomeEvent): Promise<void> {
  const news = newsOf(payout, event);
  if (news === 'known') return;
  const followed = news === 'wait' ? null : await askOutcome(dependencies, payout, true);
  if (!followed) throw new ChangingError();
  if (followed !== payout) await resumeIfAnswered(dependencies, followed);
}

/** Whether it is worth a question now, later, or not at all. */
function newsOf({ state }: PayoutRow, { type }: OutcomeEvent): 'ask' | 'wait' | 'known' {
  const isPaid = type === 'payout.paid';
  switch (state) {
    case 'SENDING':
    case 'PROCESSING':
      return 'ask';
    case 'SETTLING':
    case 'REDEBITING':
      return isPaid ? 'known' : 'wait';
    case 'REVERSING':
    case 'RESERVING':
    case 'RELEASING':
      return isPaid ? 'wait' : 'known';
    case 'PAID':
      return isPaid ? 'known' : 'ask';
    case 'PENDING':
    case 'FAILED':
    case 'REJECTED':
      return isPaid ? 'ask' : 'known';
  }
}

/** A return proves that it was paid; its own end has to be on record first. */
async function followReturn(dependencies: StepsDependencies, payout: PayoutRow, returnId: string): Promise<void> {
  const { payouts, now } = dependencies;
  const current = payout.state === 'PAID' ? payout : await askAndFollow(dependencies, payout);
  switch (current.state) {
    case 'PAID': {
      const asked = await askReturns(dependencies, current, [returnId]);
      if (!asked) throw new ChangingError();
      await resumeIfAnswered(dependencies, asked);
      return;
    }
    case 'PROCESSING':
    case 'FAILED':
    case 'REJECTED': {
      const { outcome = false, returnIds = [] } = current.unconfirmed ?? {};
      const reported = { outcome, returnIds: [...new Set([...returnIds, returnId])] };
      const { unconfirmed, recheckAt } = keepOpen(current, reported, now());
      const isOpen = await payouts.amend(
        current,
        current.state === 'PROCESSING' ? { unconfirmed } : { unconfirmed, recheckAt },
      );
      if (!isOpen) throw new ChangingError();
      return;
    }
    case 'PENDING':
      return dependencies.logger.warn({ payoutId: payout.id, returnId }, 'return of a payout that has not set out');
    case 'SENDING':
    case 'SETTLING':
    case 'REVERSING':
    case 'REDEBITING':
    case 'RESERVING':
    case 'RELEASING':
      throw new ChangingError();
  }
}

async function askAndFollow(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow> {
  const followed = await askOutcome(dependencies, payout, false);
  if (!followed) throw new ChangingError();
  return await resumeNow(dependencies, followed);
}

/**
 * A provider that refused the payout, which was then given to another one, reports something of it, and is asked. So is one that
 * it may have been given to in what a restored database has forgotten. Of others no other provider can know anything.
 */
async function followRefuser(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  provider: string,
  event: PayoutEvent,
): Promise<Applied> {
  const { id: payoutId } = payout;
  if (!payout.refusedBy.includes(provider) && !(await mayBeForgotten(dependencies, payout))) {
    dependencies.logger.warn({ provider, payoutId }, 'notification of a payout that another provider has');
    return 'applied';
  }
  if (event.type === 'payout.failed') return 'applied';
  const asked = await askRefuser(dependencies, payout, provider);
  if (!asked.payout) throw new ChangingError();
  if (asked.payout.state !== payout.state) await resumeIfAnswered(dependencies, asked.payout);
  // One that is not configured at the moment was not asked either.
  const isConfigured = dependencies.payoutRoutes.live.some((route) => route.provider.id === provider);
  return asked.areAnswered && isConfigured ? 'applied' : 'unanswered';
}
