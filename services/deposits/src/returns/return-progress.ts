import type { FailureCode } from '@gateway/providers';

/** How far the sending of a return has come, as its record keeps it. */
export interface ReturnProgress {
  /** Set once the provider has it: from then on it is only looked up. */
  readonly providerRef?: string | null | undefined;
  /** When the call that has no outcome yet was announced. */
  readonly callStartedAt?: Date | null | undefined;
  /** Since when the provider may have carried out a call of which nothing is known. */
  readonly unknownSince?: Date | null | undefined;
  /** How often the provider has denied to have it, each time long enough after the first. */
  readonly notFoundCount: number;
  readonly notFoundSince?: Date | null | undefined;
  /** What was asked without coming to an end; the questions grow apart. */
  readonly attempts: number;
}

/** What a provider says of a return: answers of a call and of a lookup. */
export type ReturnAnswer =
  | { readonly kind: 'done'; readonly providerRef: string; readonly returnId: string }
  | { readonly kind: 'processing'; readonly providerRef: string }
  /** A lookup found the return, and that it has failed. */
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      readonly message: string;
      readonly providerRef?: string | undefined;
      /** It had been sent, and came back to us. */
      readonly cameBack?: boolean;
    }
  /** A call was refused. */
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly message: string }
  | { readonly kind: 'not_found' }
  /** The call was provably not made. */
  | { readonly kind: 'not_sent'; readonly cause: string }
  /** The call may have been carried out. */
  | { readonly kind: 'unknown'; readonly cause: string; readonly providerRef?: string | undefined }
  | { readonly kind: 'unavailable'; readonly cause: string }
  /** It speaks of another amount, currency or reference than was asked for: nothing in it is believed. */
  | { readonly kind: 'differs'; readonly cause: string; readonly providerRef?: string | undefined };

export interface Weighed {
  /** Null while it is to be asked again. */
  readonly end: 'done' | 'failed' | null;
  readonly changes: Partial<ReturnProgress>;
}

/** For how long a provider has to go on denying a return that it may have taken, before it is believed. */
export const neverArrived = { answers: 2, afterMs: 120_000 };

/** Distances of what is asked without an end: 5 s, 15 s, 1 min, 5 min, 15 min … */
const distancesMs = [5_000, 15_000, 60_000, 300_000];
const distanceMaxMs = 900_000;

const nothingFound = { notFoundCount: 0, notFoundSince: null } as const;
const certain = { unknownSince: null, ...nothingFound } as const;

/**
 * What an answer means for a return that is not decided. Only a refusal of a call that nothing unknown went before is
 * final. After an unknown outcome a refusal says no more than that the return is not found (the first call may have taken
 * it, and be why the second is refused): it is final when the provider's lookups are consistent and it has denied the
 * return twice, two minutes apart.
 */
export function weighAnswer(
  progress: ReturnProgress,
  answer: ReturnAnswer,
  { now, consistentLookup }: { readonly now: Date; readonly consistentLookup: boolean },
): Weighed {
  switch (answer.kind) {
    case 'done':
      return { end: 'done', changes: { ...certain, providerRef: answer.providerRef } };
    case 'processing': {
      // From when it has been taken, the questions begin anew.
      const begun = progress.providerRef ? {} : { attempts: 0 };
      return { end: null, changes: { ...certain, ...begun, providerRef: answer.providerRef } };
    }
    case 'failed':
      return { end: 'failed', changes: { ...certain, providerRef: answer.providerRef ?? progress.providerRef } };
    case 'refused': {
      // It was shown to have it while the call was under way: only the lookups find its end.
      if (progress.providerRef) return { end: null, changes: {} };
      if (!progress.unknownSince) return { end: 'failed', changes: {} };
      const changes = notFoundAgain(progress, now);
      return { end: isAbsent({ ...progress, ...changes }, consistentLookup) ? 'failed' : null, changes };
    }
    case 'not_found':
      // What the provider has taken, or is being given at this moment, proves nothing by its absence.
      if (progress.providerRef ?? progress.callStartedAt) return { end: null, changes: {} };
      return { end: null, changes: notFoundAgain(progress, now) };
    case 'not_sent':
    case 'unavailable':
      return { end: null, changes: {} };
    case 'unknown':
    case 'differs': {
      const providerRef = answer.providerRef ?? progress.providerRef;
      return { end: null, changes: { ...nothingFound, unknownSince: progress.unknownSince ?? now, providerRef } };
    }
  }
}

/** A call is made while none can have been taken; otherwise the provider is only asked. */
export function nextStep(progress: ReturnProgress, consistentLookup: boolean): 'call' | 'look up' {
  if (progress.providerRef) return 'look up';
  return !progress.unknownSince || isAbsent(progress, consistentLookup) ? 'call' : 'look up';
}

/** An announced call whose lease is over without an outcome may have been carried out. */
export function afterLostCall({ callStartedAt, unknownSince }: ReturnProgress): Partial<ReturnProgress> {
  if (!callStartedAt) return {};
  return { ...nothingFound, callStartedAt: null, unknownSince: unknownSince ?? callStartedAt };
}

/** When a return without an end is taken up again: at once where a call can be made, else not later than that is certain. */
export function dueAgain(
  progress: ReturnProgress,
  answer: ReturnAnswer,
  { now, consistentLookup }: { readonly now: Date; readonly consistentLookup: boolean },
): Date {
  if (answer.kind === 'not_found' && nextStep(progress, consistentLookup) === 'call') return now;
  const grown = now.getTime() + (distancesMs[progress.attempts] ?? distanceMaxMs);
  const { notFoundSince, providerRef } = progress;
  const certainAt =
    notFoundSince && consistentLookup && !providerRef ? notFoundSince.getTime() + neverArrived.afterMs : 0;
  return new Date(certainAt > now.getTime() ? Math.min(grown, certainAt) : grown);
}

function notFoundAgain({ notFoundCount, notFoundSince }: ReturnProgress, now: Date) {
  if (!notFoundSince) return { notFoundCount: 1, notFoundSince: now };
  const isApart = now.getTime() - notFoundSince.getTime() >= neverArrived.afterMs;
  return { notFoundCount: isApart ? notFoundCount + 1 : notFoundCount, notFoundSince };
}

function isAbsent({ notFoundCount }: ReturnProgress, consistentLookup: boolean): boolean {
  return consistentLookup && notFoundCount >= neverArrived.answers;
}
