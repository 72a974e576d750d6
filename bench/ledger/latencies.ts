import type { LoadResult } from '../load/load-job.ts';
import { percentile } from '../load/percentile.ts';

export function summariseLatencies(
  latenciesMs: readonly number[],
  elapsedMs: number,
  failures: Readonly<Record<string, number>> = {},
): LoadResult {
  const ascending = Float64Array.from(latenciesMs).sort();
  return {
    answered: latenciesMs.length,
    failures,
    elapsedMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
    units: [],
  };
}
