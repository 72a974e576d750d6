import { startLoop, type Logger, type Loop } from '@gateway/runtime';

/** How often it is asked whether those who read may still: what was revoked ends within a second. */
const checkIntervalMs = 300;
const checkAtRestIntervalMs = 60_000;

interface OpenStreamsOptions<Entry> {
  /** Of the check, as the log names it. */
  readonly name: string;
  readonly logger: Logger;
  /** Ends the streams whose readers may read no more. */
  readonly check: (open: ReadonlySet<Entry>) => Promise<void>;
}

/** The streams of a kind that are open at this gateway, looked at while there is one. */
export class OpenStreams<Entry extends { readonly stream: { end(): void } }> implements AsyncDisposable {
  readonly #open = new Set<Entry>();
  readonly #checking: Loop;
  #isClosed = false;

  constructor({ name, logger, check }: OpenStreamsOptions<Entry>) {
    const work = async (): Promise<number> => {
      await check(this.#open);
      return this.size > 0 ? checkIntervalMs : checkAtRestIntervalMs;
    };
    this.#checking = startLoop({ name, intervalMs: checkIntervalMs, logger, work });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a stream, and ends it at once where the gateway stops. @returns what takes it out again */
  add(entry: Entry): () => void {
    this.#open.add(entry);
    this.#checking.wake();
    if (this.#isClosed) entry.stream.end();
    return () => this.#open.delete(entry);
  }

  /** Ends every stream: the gateway stops, and their readers go on at another one. */
  end(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#checking[Symbol.asyncDispose]();
  }
}
