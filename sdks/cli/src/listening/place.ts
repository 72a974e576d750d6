import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../faults/errors.ts';
import { stateFolder, type Variables } from '../settings/folders.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../settings/private-file.ts';

/** The last event that was dealt with; null is before the first event of the log. */
export type LastEvent = string | null;

/**
 * Where a reader of the event log is, on disk: by key and filter, so that the same command goes on where it was, after a
 * crash of the process or of the machine too. One process at a time has it.
 */
export class Place implements Disposable {
  readonly #file: string;
  readonly #lock: string;

  /** @throws UsageError when another process has it */
  constructor(variables: Variables, publicKey: string, filter: readonly string[]) {
    const name = createHash('sha256')
      .update(JSON.stringify([publicKey, [...filter].sort()]))
      .digest('hex')
      .slice(0, 16);
    this.#file = join(stateFolder(variables), 'listen', `${name}.json`);
    this.#lock = `${this.#file}.lock`;
    makePrivateFolder(stateFolder(variables));
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#take();
  }

  /** @returns undefined when it was never kept */
  read(): LastEvent | undefined {
    const text = readPrivateFile(this.#file);
    if (text === undefined) return undefined;
    try {
      const { after } = JSON.parse(text) as { readonly after?: unknown };
      if (after === null || typeof after === 'string') return after;
    } catch {
      // What is in it is no place, which is an error below.
    }
    throw new UsageError(`${this.#file} is no place in the log: remove it, and --since or --after begins anew`);
  }

  /** It is on the disk when this returns. */
  keep(after: LastEvent): void {
    writePrivateFile(this.#file, `${JSON.stringify({ after })}\n`);
  }

  [Symbol.dispose](): void {
    rmSync(this.#lock, { force: true });
  }

  /** The lock of a process that is no more, after kill -9 for instance, is taken over. */
  #take(): void {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const handle = openSync(this.#lock, 'wx', 0o600);
        writeSync(handle, String(process.pid));
        closeSync(handle);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = existsSync(this.#lock) ? Number(readFileSync(this.#lock, 'utf8')) : 0;
      if (attempt > 2 || isRunning(holder))
        throw new UsageError(
          `process ${holder} listens with this key and filter, and two would share one place in the log: end it, choose ` +
            `other events with -e, or another key with --profile (${this.#lock})`,
        );
      rmSync(this.#lock, { force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
