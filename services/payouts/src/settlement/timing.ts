import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { NeverArrived, PayoutRoute } from '#src/providers/payout-routes.ts';

/** How long the ledger is waited for where no caller waits. */
export const ledgerTimeoutMs = 4_000;

export const leaseGraceMs = 1_000;

/**
 * For how long the process that works on a payout has it for itself: longer than any single step takes. Two who work on it all
 * the same do no harm, they ask the same questions and one of them records the answer.
 */
export function leaseMs(route?: Pick<PayoutRoute, 'callTimeoutMs'>): number {
  return Math.max(route?.callTimeoutMs ?? 0, ledgerTimeoutMs) + leaseGraceMs;
}

/** For how long it has one whose outcome is on record and which the ledger is to follow. */
export const settlementLeaseMs = 2 * ledgerTimeoutMs;

/** A lease that lasts longer is shortened, since it is how long a payout waits whose process has died. */
const leaseMaxMs = 30_000;

/**
 * The due time that leaves a payout to this process for the time given at least. The one on record stays if it serves:
 * it is indexed, and another value would cost an entry in every index.
 */
export function leaseUntil({ dueAt }: Pick<PayoutRow, 'dueAt'>, at: Date, ms: number): Date {
  const serves = dueAt && dueAt >= after(at, ms) && dueAt <= after(at, leaseMaxMs);
  return serves ? dueAt : after(at, ms);
}

/** Distance of lookups from each other when the provider has no better idea: 5 s, 15 s, 1 min, 5 min, 15 min … */
const lookupDistancesMs = [5_000, 15_000, 60_000, 300_000];
const lookupDistanceMaxMs = 900_000;

/** Lookups with a growing distance; after them the payout is in the operators' queue. */
export const growingLookups = lookupDistancesMs.length;

export function lookupDistanceMs(lookups: number): number {
  return lookupDistancesMs[lookups] ?? lookupDistanceMaxMs;
}

/** What it takes to believe a provider on the wire that a payout never arrived, unless its route says otherwise. */
export const neverArrivedOnTheWire: NeverArrived = { lookups: 2, afterMs: 120_000 };

/** Distance of calls that were provably not made. */
export const resendDistanceMs = 5_000;

/** Distance of the questions whether a frozen account is still frozen. */
export const frozenRetryMs = 15_000;

/** A payout that has provably not been sent for so long is in the operators' queue. */
export const unsentAttentionMs = 600_000;

/** For so long after it set out it waits for a provider that takes it; then it is REJECTED. */
export const noProviderForMs = 24 * 3_600_000;
const noProviderRetryMinMs = 30_000;
const noProviderRetryMaxMs = 900_000;

/** Distance of calls while every provider refuses for want of our money: a quarter of the time it has taken so far. */
export function noProviderRetryMs(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 4, noProviderRetryMinMs), noProviderRetryMaxMs);
}

/**
 * How often, and how far apart, every provider has to know nothing of a reservation before it is given back that may have
 * been sent in what a restored database has forgotten.
 */
export const neverSent = { lookups: 2, apartMs: 15_000 } as const;

export function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
