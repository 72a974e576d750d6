import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeAbandonedHomes, natsBinary } from '@gateway/local-stack';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { isAsPromised, type Result, readReport, type Report, type Circumstances } from './report.ts';

interface Suite {
  readonly benchmarks: readonly Benchmark[];
  readonly options: BenchOptions;
  /** The arguments every benchmark is called with. */
  readonly args: readonly string[];
  /** Called with each result as it comes. */
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
    const outcome = await outcomeOf(name, args, interruption.signal);
    if (isInterrupted()) return false;
    const tookSeconds = Math.round((performance.now() - startedAtMs) / 1_000);
    const result = { name, measures, circumstances, tookSeconds, ...outcome };
    if (!outcome.report || !isAsPromised(outcome.report, options.quick)) asPromised = false;
    options.progress(`${name}: ${outcome.failure ?? 'done'} after ${tookSeconds} s`);
    await keep(result);
  }
  return asPromised;
}

async function outcomeOf(
  name: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Result, 'report' | 'failure'>> {
  try {
    return { report: await runInProcess([name, ...args], signal) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

const script = fileURLToPath(new URL('../run.ts', import.meta.url));
/** Of one benchmark at full length, histories of millions of rows included, beside other load: what takes longer hangs. */
const timeoutMs = 60 * 60_000;

/**
 * One benchmark in a process of its own, so that neither its end nor its hanging ends the others. What it had started and
 * could not stop is stopped afterwards.
 *
 * @throws Error with how it ended, when it left no report
 */
async function runInProcess(args: readonly string[], signal: AbortSignal): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const file = join(folder, 'report.json');
  try {
    const options = { stdio: 'inherit', timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    const child = spawn(process.execPath, [script, ...args, '--report', file], options);
    const stop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', stop);
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.removeEventListener('abort', stop);
    if (!existsSync(file)) throw new Error(`ended with ${killedBy ?? `code ${code}`}`);
    return readReport(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await removeAbandonedHomes(() => undefined);
  }
}

const bytesPerGib = 1_024 ** 3;

/** What a reader has to know of the machine and the run to compare figures with their own. */
async function circumstancesOf(options: BenchOptions, now: Date): Promise<Circumstances> {
  const nats = execFileSync(await natsBinary(() => undefined), ['--version'], { encoding: 'utf8' }).trim();
  const { seconds, rounds, connections, quick } = options;
  const all = cpus();
  const memoryGib = Math.round(totalmem() / bytesPerGib);
  return {
    measuredAt: now.toISOString(),
    machine: `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${memoryGib} GiB, Linux ${release()}`,
    software: `Node ${process.versions.node}, ${nats}`,
    seconds,
    rounds,
    connections,
    quick,
  };
}
