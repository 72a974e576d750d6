import { DomainError } from '@gateway/contracts/errors';
import type { LogPage } from '#src/event-streams/log-pages.ts';
import { comment, WakingStream } from '#src/event-streams/waking-stream.ts';

/** The pace of a stream. */
export interface StreamTimes {
  /** The longest silence: then a comment is sent, which shows the reader, and those in between, that the stream lives. */
  readonly commentMs: number;
  /** How often the log is looked at without a hint. */
  readonly lookMs: number;
  /** Then the stream ends, and its reader comes again, perhaps to another gateway. */
  readonly lifetimeMs: number;
}

/** Those of the product (api.md 8). */
export const streamTimes = { commentMs: 15_000, lookMs: 5_000 } as const satisfies Partial<StreamTimes>;

/** 30 minutes, and up to 5 more or less, so that what was opened together does not come again together. */
const lifetimeMs = { mean: 1_800_000, spread: 300_000 };

/** @param random of 0 to 1 */
export function lifetimeMsAt(random: number): number {
  return lifetimeMs.mean + (2 * random - 1) * lifetimeMs.spread;
}

interface EventStreamOptions {
  readonly times: StreamTimes;
  /** Whether it goes on when it has caught up. */
  readonly follow: boolean;
  /** What comes after the events that were sent. */
  readonly read: (after: string | undefined) => Promise<LogPage>;
  /** The first page, read before the answer began. */
  readonly first: LogPage;
  /** The newest event of a stream that begins now: a reader whose connection ends before the next event goes on after it. */
  readonly newest: string | undefined;
  readonly onClosed: () => void;
  /** It ends for an error that was not to be expected. */
  readonly onFailed: (error: unknown) => void;
}

const framesPerSecondMax = 1_000;
/** While the log cannot be read, its reader keeps the stream. */
const readAgainMs = 1_000;
/** Says that the end is that of the log, and not of the stream alone. */
const caughtUp = Buffer.from(': caught up\n\n');

/**
 * The events of an account as `text/event-stream`. It reads the next page only when what it has sent is on its way, so
 * that a reader that does not keep up holds one page of memory.
 */
export class EventStream extends WakingStream {
  readonly #options: EventStreamOptions;
  readonly #endsAt: number;
  /** Read and not sent. */
  #waiting: LogPage | undefined;
  #seen: string | undefined;
  /** The last place that was sent without an event. */
  #shown: string | undefined;
  #isGreeted = false;
  /** All that it was asked for is sent. */
  #isCaughtUp = false;
  #isHinted = false;
  #lookAt = 0;
  /** Before that, the frames of a second are spent. */
  #paceAt = 0;
  #wroteAt = performance.now();

  constructor(options: EventStreamOptions) {
    super(options);
    this.#options = options;
    this.#waiting = options.first;
    this.#endsAt = performance.now() + options.times.lifetimeMs;
  }

  /** The log may have grown. */
  hint(): void {
    this.#isHinted = true;
    this.wake();
  }

  protected override async next(): Promise<Buffer | null> {
    if (!this.#isGreeted) {
      this.#isGreeted = true;
      const { newest } = this.#options;
      return Buffer.from(`retry: 2000\n${newest === undefined ? '' : `id: ${newest}\n`}\n`);
    }
    for (;;) {
      const now = performance.now();
      if (this.#isOver()) return null;
      if (this.#isCaughtUp) {
        this.endAfterThis();
        return caughtUp;
      }
      if (now >= this.#dueAt()) {
        const page = this.#waiting ?? (await this.#look());
        if (!page || this.#isOver()) continue;
        this.#take(page, performance.now());
        if (page.count > 0) return this.#written(page.frames);
      } else if (now >= this.#wroteAt + this.#options.times.commentMs) {
        return this.#written(this.#signOfLife());
      } else {
        await this.rest(this.#dueNext() - now);
      }
    }
  }

  #isOver(): boolean {
    return this.isEnding || performance.now() >= this.#endsAt;
  }

  #dueAt(): number {
    return Math.max(this.#isHinted || this.#waiting ? 0 : this.#lookAt, this.#paceAt);
  }

  /** Undefined while the log cannot be read. An event that is no longer kept ends the stream: its reader has to know. */
  async #look(): Promise<LogPage | undefined> {
    this.#isHinted = false;
    try {
      return await this.#options.read(this.#seen);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== 'SERVICE_UNAVAILABLE') this.endAfterThis();
      this.#paceAt = performance.now() + readAgainMs;
      this.#isHinted = true;
      return undefined;
    }
  }

  #take({ seen, hasMore, count }: LogPage, now: number): void {
    this.#waiting = undefined;
    this.#seen = seen;
    this.#isCaughtUp = !hasMore && !this.#options.follow;
    this.#lookAt = hasMore ? now : now + this.#options.times.lookMs;
    this.#paceAt = Math.max(this.#paceAt, now) + (count * 1_000) / framesPerSecondMax;
  }

  /**
   * With the id up to which it has looked, where that is new: a reader of few events who comes again goes on there, and not at
   * an event of long ago, that is no longer kept perhaps.
   */
  #signOfLife(): Buffer {
    const seen = this.#seen;
    if (seen === undefined || seen === this.#shown) return comment;
    this.#shown = seen;
    return Buffer.from(`id: ${seen}\n${comment.toString()}`);
  }

  #written(chunk: Buffer): Buffer {
    this.#wroteAt = performance.now();
    return chunk;
  }

  #dueNext(): number {
    return Math.min(this.#dueAt(), this.#wroteAt + this.#options.times.commentMs, this.#endsAt);
  }
}
