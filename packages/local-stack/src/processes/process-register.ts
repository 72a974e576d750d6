import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { waitUntil } from '#src/processes/probes.ts';
import { messageOf, type Progress } from '#src/progress.ts';

/** A pid alone may have been reused; a pid with the time its process started names one process. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** When the process started, in the system's own notation; undefined when there is no such process. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name (field 2) may contain spaces and parentheses, so counting starts after the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[22 - 3];
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started === '' ? undefined : started;
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = processStartTime(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return processStartTime(identity.pid) === identity.startTime;
}

/** Sends the signal; a process that has ended before is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const leftoverStopTimeoutMs = 10_000;
const leftoverKillTimeoutMs = 5_000;

const entrySchema = z.object({
  name: z.string(),
  pid: z.int().positive(),
  startTime: z.string(),
  stopSignal: z.string(),
  /** Everything of the highest tier ends before the next lower one is asked to. */
  tier: z.int(),
});
type Entry = z.infer<typeof entrySchema>;

/**
 * The list of child processes on disk, true at every moment, so that a start after `kill -9` can end what the killed
 * supervisor could not.
 */
export class ProcessRegister {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    process.once('exit', this.#signalAll);
  }

  record(name: string, pid: number, stopSignal: NodeJS.Signals, tier: number): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    this.#entries.set(name, { name, ...identity, stopSignal, tier });
    this.#write();
  }

  forget(name: string): void {
    if (this.#entries.delete(name)) this.#write();
  }

  close(): void {
    process.off('exit', this.#signalAll);
    rmSync(this.#file, { force: true });
  }

  // The last chance when this process ends without an orderly stop: children must not outlive it silently.
  readonly #signalAll = (): void => {
    for (const entry of this.#entries.values()) {
      if (isRunning(entry)) signalProcess(entry.pid, entry.stopSignal as NodeJS.Signals);
    }
  };

  /** Of a state directory that was removed there is nothing to keep; its processes are ended by who removed it. */
  #write(): void {
    const next = `${this.#file}.next`;
    try {
      writeFileSync(next, JSON.stringify([...this.#entries.values()], undefined, 2), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Kills at once what still runs on a state directory that is about to be removed: a start that was given up may go on. */
export function killLeftovers(file: string): void {
  for (const entry of readEntries(file).filter(isRunning)) signalProcess(entry.pid, 'SIGKILL');
}

/** Ends what an earlier, killed supervisor left running; a pid that names another process by now is left alone. */
export async function endLeftovers(file: string, progress: Progress): Promise<void> {
  const running = readEntries(file).filter(isRunning);
  const tiers = [...new Set(running.map((entry) => entry.tier))].sort((a, b) => b - a);
  for (const tier of tiers) {
    await Promise.all(running.filter((entry) => entry.tier === tier).map((entry) => endLeftover(entry, progress)));
  }
  rmSync(file, { force: true });
}

async function endLeftover(entry: Entry, progress: Progress): Promise<void> {
  progress(`ending ${entry.name} (pid ${entry.pid}), left over from an earlier run`);
  signalProcess(entry.pid, entry.stopSignal as NodeJS.Signals);
  if (await waitUntil(() => !isRunning(entry), leftoverStopTimeoutMs)) return;
  signalProcess(entry.pid, 'SIGKILL');
  await waitUntil(() => !isRunning(entry), leftoverKillTimeoutMs);
}

function readEntries(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    return z.array(entrySchema).parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged (${messageOf(error)}); end the processes of the earlier run and remove it`);
  }
}
