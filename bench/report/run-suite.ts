import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeAbandonedHomes, natsBinary } from '@gateway/local-stack';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { isMet, type Result, readReport, type Report, type Circumstances } from './report.ts';

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

const script = fileURLToPath(new URL('../run.ts', import.meta.url));
/** Of one benchmark at full length, histories of millions of rows included: what takes longer hangs. */
const deadlineMs = 25 * 60_000;
const quickDeadlineMs = 3 * 60_000;
const errorTailCharacters = 400;

interface Apart {
  readonly name: string;
  /** What it is called with besides its name. */
  readonly args: readonly string[];
  readonly quick: boolean;
  /** Ends it, with everything it has started. */
  readonly signal: AbortSignal;
}

/**
 * Runs one benchmark in a process group of its own, so that neither its end nor its hanging is the end of the others.
 *
 * @throws Error that says how it ended, when it left no report
 */
async function runApart({ name, args, quick, signal }: Apart): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const file = join(folder, 'report.json');
  const limitMs = quick ? quickDeadlineMs : deadlineMs;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const how = await ending([name, ...args, '--report', file], ended);
    const json = readIfWritten(file);
    if (json !== undefined) return readReport(json);
    throw new Error(ended.aborted && !signal.aborted ? `did not end within ${limitMs / 1_000} s` : how);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // What it would have stopped had it come to its own end.
    await removeAbandonedHomes(() => undefined);
  }
}

/** @returns how it ended, with the last it complained of */
async function ending(args: readonly string[], signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { detached: true, stdio: ['ignore', 'inherit', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text);
    complaints = `${complaints}${text}`.slice(-errorTailCharacters);
  });
  const killGroup = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', killGroup);
  const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
  signal.removeEventListener('abort', killGroup);
  return `ended with ${killedBy ?? `code ${code}`}: ${complaints.trim().replaceAll(/\s+/g, ' ')}`;
}

function readIfWritten(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
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
