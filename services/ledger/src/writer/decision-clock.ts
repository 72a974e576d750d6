/**
 * The time of decisions: the wall clock, but never backwards, and after everything an earlier writer has decided,
 * whatever its clock said. Entry ids carry it, so their order is the order of decisions.
 */
export function decisionClock(now: () => number, lastDecidedAtMs: number): () => number {
  let latestMs = lastDecidedAtMs + 1;
  return () => (latestMs = Math.max(latestMs, now()));
}
