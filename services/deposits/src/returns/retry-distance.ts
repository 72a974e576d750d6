const firstMs = 5_000;
const longestMs = 300_000;

/** When an attempt that did not come to a decision is made again: 5 s, 10 s, 20 s, … at most 5 min later. */
export function nextAttempt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(firstMs * 2 ** Math.min(attempts, 10), longestMs));
}
