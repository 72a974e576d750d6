const firstMs = 5_000;
const longestMs = 300_000;

/** When an attempt that did not come to a decision is made again: 5 s, 10 s, 20 s, … at most 5 min later. */
export function nextAttempt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(firstMs * 2 ** Math.min(attempts, 10), longestMs));
}

const dayMs = 86_400_000;

/**
 * Days between the questions about a return that has failed: at 1, 7, 30 and 91 days after its end. It may have been
 * carried out all the same, and this needs no notification.
 */
const daysBetween = [1, 6, 23, 61];

/** What could not be asked, or is under way at the provider, is asked about again after it. */
const retryMs = 3_600_000;

interface Rechecked {
  /** When the first call was announced; null of what no provider can know of. */
  readonly calledAt?: Date | null | undefined;
  readonly rechecks: number;
}

/** When a return is asked about again that has failed and `rechecks` planned questions have been answered for. */
export function plannedRecheck({ calledAt, rechecks }: Rechecked, at: Date): Date | null {
  const days = daysBetween[rechecks];
  return calledAt && days !== undefined ? new Date(at.getTime() + days * dayMs) : null;
}

export function recheckRetry(at: Date): Date {
  return new Date(at.getTime() + retryMs);
}
