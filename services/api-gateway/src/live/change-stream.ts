import { Readable } from 'node:stream';
import type { WebhookEvent } from '@gateway/contracts/webhooks';

/** The pace of a stream. */
export interface ChangeTimes {
  /** Changes within it are sent together. */
  readonly frameMs: number;
  /** The longest silence: then a comment is sent, which shows the page, and the proxies in between, that the stream lives. */
  readonly commentMs: number;
}

/** How long the last bytes may take, once a stream is to end. */
const endMs = 250;
const comment = Buffer.from(':\n\n');

export type ChangeCounts = Readonly<Partial<Record<WebhookEvent, number>>>;

/**
 * What has changed, as `text/event-stream`: the name of an event and how often, and nothing of a record. What comes while its
 * reader takes nothing is added up, so that a slow reader holds a number for each name and no more.
 */
export class ChangeStream extends Readable {
  readonly #times: ChangeTimes;
  readonly #onClosed: () => void;
  readonly #counts = new Map<WebhookEvent, number>();
  #isGreeted = false;
  #isEnding = false;
  /** When changes were sent last. */
  #framedAt = Number.NEGATIVE_INFINITY;
  #wroteAt = performance.now();
  #wakeUp: () => void = () => undefined;

  constructor(times: ChangeTimes, onClosed: () => void) {
    // What is read ahead would wait in memory.
    super({ highWaterMark: 0 });
    this.#times = times;
    this.#onClosed = onClosed;
  }

  add(counts: ChangeCounts): void {
    for (const [name, count = 0] of Object.entries(counts) as [WebhookEvent, number | undefined][]) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
    }
    this.#wakeUp();
  }

  /** Ends it. A reader that does not take even the end is hung up on. */
  end(): void {
    this.#isEnding = true;
    this.#wakeUp();
    setTimeout(() => this.destroy(), endMs).unref();
  }

  override _read(): void {
    void this.#next().then((chunk) => void (this.destroyed || this.push(chunk)));
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#isEnding = true;
    this.#wakeUp();
    this.#onClosed();
    callback(error);
  }

  /** What is sent next; null at the end. */
  async #next(): Promise<Buffer | null> {
    if (!this.#isGreeted) {
      this.#isGreeted = true;
      return Buffer.from('retry: 3000\n\n');
    }
    for (;;) {
      if (this.#isEnding) return null;
      const now = performance.now();
      if (now >= this.#dueAt()) return this.#written(now);
      await this.#pause(now);
    }
  }

  #dueAt(): number {
    const { frameMs, commentMs } = this.#times;
    return this.#counts.size > 0 ? this.#framedAt + frameMs : this.#wroteAt + commentMs;
  }

  #written(now: number): Buffer {
    this.#wroteAt = now;
    if (this.#counts.size === 0) return comment;
    this.#framedAt = now;
    const frames = [...this.#counts].map(frameOf).join('');
    this.#counts.clear();
    return Buffer.from(frames);
  }

  async #pause(now: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#dueAt() - now);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = () => undefined;
  }
}

function frameOf([event, count]: [WebhookEvent, number]): string {
  return `event: changed\ndata: ${JSON.stringify({ event, count })}\n\n`;
}
