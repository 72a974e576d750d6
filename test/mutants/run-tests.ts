import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Time for a test without a fault, also on a machine that has other work. */
export const patientTimeoutMs = 180_000;
/** A fault may also keep a process from ending. */
const runTimeoutMs = 900_000;

interface RanTest {
  readonly file: string;
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly durationMs: number;
}

export interface TestRun {
  readonly tests: readonly RanTest[];
  readonly isTimedOut: boolean;
  readonly output: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
    }[];
  }[];
}

const regExpCharacters = /[\\^$.*+?()[\]{}|/]/g;

export interface RunOptions {
  /** A test that takes longer has failed. */
  readonly testTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs the tests that the mutants name, on the code as it is in `directory` now. */
export async function runTests(
  directory: string,
  mutants: readonly Mutant[],
  { testTimeoutMs, signal }: RunOptions,
): Promise<TestRun> {
  const report = join(directory, 'mutant-results.json');
  rmSync(report, { force: true });
  const named = [...new Set(mutants.map((mutant) => mutant.named.replace(regExpCharacters, '\\$&')))].join('|');
  const child = spawn(
    process.execPath,
    [
      join(directory, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, `--testNamePattern=${named}`],
      ...[`--testTimeout=${testTimeoutMs}`, `--hookTimeout=${2 * testTimeoutMs}`],
      ...new Set(mutants.map(({ test }) => test)),
    ],
    // A group of its own: what a test has started ends with it.
    { cwd: directory, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timeout = AbortSignal.timeout(runTimeoutMs);
  const end = (): void => void process.kill(-child.pid!, 'SIGKILL');
  const ends = AbortSignal.any([timeout, signal]);
  ends.addEventListener('abort', end);
  await once(child, 'close');
  ends.removeEventListener('abort', end);
  return { tests: existsSync(report) ? ranTests(report, directory) : [], isTimedOut: timeout.aborted, output };
}

function ranTests(report: string, directory: string): RanTest[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.flatMap(({ fullName: name, status, duration }) =>
      status === 'passed' || status === 'failed'
        ? [{ file: file.slice(directory.length + 1), name, status, durationMs: duration ?? 0 }]
        : [],
    ),
  );
}
