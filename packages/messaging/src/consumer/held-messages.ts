import type { JsMsg } from '@nats-io/jetstream';

/** Of the time after which the broker gives a message again: a signal that is late by as much is still in time. */
const signalShare = 1 / 4;
/** What takes longer hangs, and another process may try. Handlers have deadlines of seconds. */
const heldMaxMs = 120_000;

interface HeldMessagesOptions {
  /** After which the broker gives a message again that it has heard nothing of. */
  readonly ackWaitMs: number;
  readonly isConnected: () => boolean;
}

/**
 * Messages that were taken and are neither acknowledged nor given back. The broker hears that they are under way, and gives
 * them to no other: a message that comes again while it waits for its turn takes a turn more, and where there is much to do
 * all of them come again.
 */
export class HeldMessages implements Disposable {
  readonly #options: HeldMessagesOptions;
  /** With the moments since when. */
  readonly #held = new Map<JsMsg, number>();
  readonly #signalMs: number;
  /** None at rest. */
  #signals: NodeJS.Timeout | undefined;

  constructor(options: HeldMessagesOptions) {
    this.#options = options;
    this.#signalMs = options.ackWaitMs * signalShare;
  }

  add(message: JsMsg): void {
    this.#held.set(message, performance.now());
    this.#signals ??= setInterval(() => this.#signal(), this.#signalMs);
  }

  ended(message: JsMsg): void {
    this.#held.delete(message);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#signals);
    this.#signals = undefined;
  }

  #signal(): void {
    if (this.#held.size === 0) return this[Symbol.dispose]();
    if (!this.#options.isConnected()) return;
    const now = performance.now();
    for (const [message, sinceMs] of this.#held) {
      const heldMs = now - sinceMs;
      if (heldMs >= this.#signalMs && heldMs < heldMaxMs) message.working();
    }
  }
}
