import type { WebhookEvent } from '@gateway/contracts/webhooks';
import { comment, WakingStream } from '#src/event-streams/waking-stream.ts';

/** The pace of a stream. */
export interface ChangeTimes {
  /** Changes within it are sent together. */
  readonly frameMs: number;
  /** The longest silence: then a comment is sent, which shows the page, and the proxies in between, that the stream lives. */
  readonly commentMs: number;
}

export type ChangeCounts = Readonly<Partial<Record<WebhookEvent, number>>>;

/**
 * What has changed, as `text/event-stream`: the name of an event and how often, and nothing of a record. What comes while its
 * reader takes nothing is added up, so that a slow reader holds a number for each name and no more.
 */
export class ChangeStream extends WakingStream {
  readonly #times: ChangeTimes;
  readonly #counts = new Map<WebhookEvent, number>();
  #isGreeted = false;
  /** When changes were sent last. */
  #framedAt = Number.NEGATIVE_INFINITY;
  #wroteAt = performance.now();

  constructor(times: ChangeTimes, onClosed: () => void) {
    super({ onClosed });
    this.#times = times;
  }

  add(counts: ChangeCounts): void {
    for (const [name, count = 0] of Object.entries(counts) as [WebhookEvent, number | undefined][]) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
    }
    this.wake();
  }

  protected override async next(): Promise<Buffer | null> {
    if (!this.#isGreeted) {
      this.#isGreeted = true;
      return Buffer.from('retry: 3000\n\n');
    }
    for (;;) {
      if (this.isEnding) return null;
      const now = performance.now();
      if (now >= this.#dueAt()) return this.#written(now);
      await this.rest(this.#dueAt() - now);
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
}

function frameOf([event, count]: [WebhookEvent, number]): string {
  return `event: changed\ndata: ${JSON.stringify({ event, count })}\n\n`;
}
