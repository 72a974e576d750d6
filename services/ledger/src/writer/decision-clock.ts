/**
 * The time of decisions: the wall clock, but never backwards, and later than every decision of an earlier writer,
 * whatever that writer's clock showed. Entry ids contain it, so their order is the order of decisions.
 */
export function decisionClock(now: () => number, lastDecidedAtMs: number): () => number {
  let latestMs = lastDecidedAtMs + 1;
  return () => (latestMs = Math.max(latestMs, now()));
}
