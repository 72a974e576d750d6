import { mkdirSync, statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const flushIntervalMs = 200;
/** Of one file; the one before it is kept beside it, so a service takes twice as much at most. */
const fileBytesMaxDefault = 4 * 1024 * 1024;
/** Lines that wait for the disk; more are dropped, since a trace is worth less than what it is about. */
const waitingBytesMax = 1024 * 1024;

/**
 * The file in which one service keeps its spans, a line each: `<service>.jsonl`, and `<service>.1.jsonl` from before it was
 * full. Lines are written together, five times a second at most, outside the work they are about.
 */
export class TraceDirectory implements AsyncDisposable {
  readonly #file: string;
  readonly #earlier: string;
  readonly #fileBytesMax: number;
  readonly #timer: NodeJS.Timeout;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #fileBytes: number;
  #writing: Promise<void> | undefined;

  constructor(directory: string, service: string, fileBytesMax = fileBytesMaxDefault) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#file = join(directory, `${service}.jsonl`);
    this.#earlier = join(directory, `${service}.1.jsonl`);
    this.#fileBytesMax = fileBytesMax;
    this.#fileBytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    this.#timer = setInterval(() => void this.#flush(), flushIntervalMs).unref();
  }

  readonly write = (line: string): void => {
    if (this.#waitingBytes + line.length > waitingBytesMax) return;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
  };

  async #flush(): Promise<void> {
    if (this.#writing || this.#waiting.length === 0) return;
    this.#writing = this.#append();
    await this.#writing;
    this.#writing = undefined;
  }

  /** A disk that is full or a directory that was removed costs the spans, never the work. */
  async #append(): Promise<void> {
    const lines = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      if (this.#fileBytes > this.#fileBytesMax) {
        this.#fileBytes = 0;
        await rename(this.#file, this.#earlier);
      }
      this.#fileBytes += Buffer.byteLength(lines);
      await appendFile(this.#file, lines, { mode: 0o600 });
    } catch {
      return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (this.#waiting.length > 0) await this.#append();
  }
}
