import { monotonicMs, type LoadResult } from './load.ts';
import { percentile } from './percentile.ts';

export interface ClosedLoopPace {
  /** How many calls are under way at the same time, each followed by the next. */
  readonly connections: number;
  readonly durationMs: number;
}

/**
 * Calls until the time is over, in this process.
 *
 * @param call answers undefined, or in a word how it has failed
 */
export async function callInLoop(
  call: () => Promise<string | undefined>,
  { connections, durationMs }: ClosedLoopPace,
): Promise<LoadResult> {
  const startedAtMs = monotonicMs();
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  const loop = async (): Promise<void> => {
    for (let now = monotonicMs(); now < startedAtMs + durationMs; now = monotonicMs()) {
      const failure = await call();
      if (failure === undefined) latenciesMs.push(monotonicMs() - now);
      else failures[failure] = (failures[failure] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const ascending = Float64Array.from(latenciesMs).sort();
  return {
    answered: ascending.length,
    failures,
    elapsedMs: monotonicMs() - startedAtMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
    units: [],
  };
}
