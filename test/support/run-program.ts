import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Finished {
  readonly code: number;
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const programTimeoutMs = 300_000;
const outputBytesMax = 64 * 1_024 * 1_024;

/** Runs a program to its end. @returns its exit code, and what it printed; both streams where it failed */
export async function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, env = {}, timeoutMs = programTimeoutMs } = options;
  const settings = { cwd, timeout: timeoutMs, maxBuffer: outputBytesMax, env: { ...process.env, ...env } };
  return promisify(execFile)(program, args, settings).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
      return { code: typeof code === 'number' ? code : 1, output: `${stdout}${stderr}` };
    },
  );
}

/** @throws Error with what the program printed, unless it ends with 0 */
export async function succeed(
  program: string,
  args: readonly string[],
  cwd: string,
  timeoutMs?: number,
): Promise<void> {
  const { code, output } = await runProgram(program, args, { cwd, ...(timeoutMs !== undefined && { timeoutMs }) });
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} failed: ${output}`);
}
