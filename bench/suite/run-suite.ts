import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { isMet } from '../report/report.ts';
import type { Result } from '../report/result.ts';
import { circumstancesOf } from './circumstances.ts';
import { runApart } from './run-apart.ts';

interface Suite {
  readonly benchmarks: readonly Benchmark[];
  readonly options: BenchOptions;
  /** The arguments every benchmark is called with. */
  readonly args: readonly string[];
  /** Told each result as it comes. */
  readonly keep: (result: Result) => Promise<void>;
}

/** All benchmarks, one after the other; one that fails costs its own figures only. @returns whether all is as promised */
export async function runSuite({ benchmarks, options, args, keep }: Suite): Promise<boolean> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  const isInterrupted = (): boolean => interruption.signal.aborted;
  let asPromised = true;
  for (const { name, measures } of benchmarks) {
    if (isInterrupted()) return false;
    const circumstances = await circumstancesOf(options, new Date());
    const startedAtMs = performance.now();
    const outcome = await outcomeOf(name, args, options.quick, interruption.signal);
    if (isInterrupted()) return false;
    const tookSeconds = Math.round((performance.now() - startedAtMs) / 1_000);
    const result = { name, measures, circumstances, tookSeconds, ...outcome };
    if (!isAsPromised(result)) asPromised = false;
    options.progress(`${name}: ${outcome.failure ?? 'done'} after ${tookSeconds} s`);
    await keep(result);
  }
  return asPromised;
}

async function outcomeOf(name: string, args: readonly string[], quick: boolean, signal: AbortSignal) {
  try {
    return { report: await runApart({ name, args, quick, signal }) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

/** Gates are judged at full length only. */
function isAsPromised({ report, circumstances }: Result): boolean {
  if (!report?.invariants.every(({ holds }) => holds)) return false;
  return circumstances.quick || report.gates.every(isMet);
}
