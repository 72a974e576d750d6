import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeAbandonedHomes } from '@gateway/local-stack';
import { readReport } from '../report/result.ts';
import type { Report } from '../report/report.ts';

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
export async function runApart({ name, args, quick, signal }: Apart): Promise<Report> {
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
