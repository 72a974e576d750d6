import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { repository } from '#src/state-directory.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a script with this Node in the foreground and passes signals on. @returns its exit code; 1 after a signal. */
export async function runStep(args: readonly string[]): Promise<number> {
  return await ended(spawn(process.execPath, args, { cwd: repository, stdio: 'inherit' }));
}

/** As `runStep`, beside another step: each line is printed as it comes, and all of them are kept. */
export async function runKept(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ['inherit', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(`${line}\n`);
    process.stdout.write(`${line}\n`);
  });
  const exitCode = await ended(child);
  return { exitCode, output: lines.join('') };
}

async function ended(child: ChildProcess): Promise<number> {
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  const end = (): void => forward('SIGTERM');
  for (const signal of stopSignals) process.on(signal, forward);
  process.on('disconnect', end);
  try {
    // Once all that it wrote was read, too.
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } finally {
    for (const signal of stopSignals) process.off(signal, forward);
    process.off('disconnect', end);
  }
}

export interface Counts {
  passed: number;
  failed: number;
}

const resultsSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/**
 * Sums up vitest's JSON report. A file that failed without a failed test (it could not be loaded, a hook threw) counts
 * as one failure, and so does a run that failed for any other reason.
 *
 * @param exitCode vitest's own.
 */
export function countTests(reportFile: string, exitCode: number): Counts {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const report = resultsSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
