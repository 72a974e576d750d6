import { hasLastingAttention, needAttention, noAttention } from '#src/payout/attention.ts';
import type { PayoutRow, Unconfirmed } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { after } from '#src/settlement/timing.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Days between the questions about a payout that has ended: for what comes back of a paid one until PIX allows no returns
 * any more (90 days), for a payment that was not expected fewer. They need no notification.
 */
const daysBetween = { paid: [1, 1, 5, 7, 16, 30, 31], notPaid: [1, 6, 23] } as const;

/** What could not be asked is asked again after it. */
const retryMs = hourMs;
/** A report that is not confirmed is asked about with a growing delay, for as long as money can return. */
const reportedRetryMinMs = 15_000;
const reportedRetryMaxMs = dayMs;
const reportedForDays = 91;
/** After it operators look too. */
const reportedAttentionMs = 25 * minuteMs;
/** More are not kept: anyone can send notifications in a provider's name. */
const reportedReturnsMax = 50;

/** The question after `rechecks` have been answered, or null after the last. */
function plannedAt({ state, rechecks }: Pick<PayoutRow, 'state' | 'rechecks'>, at: Date): Date | null {
  const days = daysBetween[state === 'PAID' ? 'paid' : 'notPaid'][rechecks];
  return days === undefined ? null : after(at, days * dayMs);
}

/**
 * What every end of a payout changes besides its state. Of a live one that may have set out the provider is asked on: at
 * once if there is a report about it, or another provider has paid what its own did not, else when it is planned.
 */
export function atItsEnd(payout: PayoutRow, state: 'PAID' | 'FAILED' | 'REJECTED', at: Date): PayoutChanges {
  const end = { dueAt: null, ...(hasLastingAttention(payout) ? {} : noAttention(payout)) };
  // A reservation that was given back may have been sent in what a restored database has forgotten; so may one that was to be
  // approved, which is planned where that was decided.
  const isForgotten = payout.state === 'RELEASING' ? !payout.knownUnsent : payout.recheckAt !== null;
  const maySetOut = payout.sentAt !== null || isForgotten;
  if (payout.environment !== 'live' || !maySetOut) return end;
  const isPaidByAnother = state !== 'PAID' && payout.alsoPaidBy.length > 0;
  const isDue = payout.unconfirmed !== null || isPaidByAnother;
  return { ...end, recheckAt: isDue ? at : plannedAt({ state, rechecks: 0 }, at) };
}

/** The provider has answered a planned question, and confirms or refutes everything that was reported. */
export function afterAnswer(payout: PayoutRow, at: Date): PayoutChanges {
  const rechecks = payout.rechecks + (payout.unconfirmed ? 0 : 1);
  const attention = payout.attentionReason === 'told_unconfirmed' ? noAttention(payout) : {};
  return { ...attention, unconfirmed: null, rechecks, recheckAt: plannedAt({ state: payout.state, rechecks }, at) };
}

export function afterNoAnswer(at: Date): PayoutChanges {
  return { recheckAt: after(at, retryMs) };
}

/**
 * One of the providers that had refused it could not be asked: all are asked again within the hour, and it counts as no
 * answer, until nothing can come of it any more; null then.
 */
export function notAllAnswered(before: PayoutRow, current: PayoutRow, at: Date): PayoutChanges | null {
  const ageMs = at.getTime() - (before.sentAt ?? before.createdAt).getTime();
  if (ageMs > reportedForDays * dayMs) return null;
  const { recheckAt } = current;
  const retryAt = after(at, retryMs);
  return { rechecks: before.rechecks, recheckAt: recheckAt && recheckAt < retryAt ? recheckAt : retryAt };
}

/** A report that is not confirmed stays open: it is asked about again, and after a while it is in the operators' queue. */
export function keepOpen(payout: PayoutRow, reported: Omit<Unconfirmed, 'since'>, at: Date): PayoutChanges {
  const before = payout.unconfirmed;
  const unconfirmed: Unconfirmed = {
    since: before?.since ?? at.toISOString(),
    outcome: (before?.outcome ?? false) || reported.outcome,
    returnIds: reported.returnIds.slice(0, reportedReturnsMax),
  };
  const openMs = at.getTime() - Date.parse(unconfirmed.since);
  const distanceMs = Math.min(Math.max(openMs / 2, reportedRetryMinMs), reportedRetryMaxMs);
  const recheckAt = openMs > reportedForDays * dayMs ? null : after(at, distanceMs);
  const attention = openMs >= reportedAttentionMs ? needAttention(payout, 'told_unconfirmed', at) : {};
  return { ...attention, unconfirmed, recheckAt };
}

/** What is left open when the outcome that was reported is on record: the returns. */
export function withoutOutcome(unconfirmed: Unconfirmed | null | undefined): Unconfirmed | null {
  return unconfirmed && unconfirmed.returnIds.length > 0 ? { ...unconfirmed, outcome: false } : null;
}
