/** Calls that begin within this share of the time share a signal, and have that much less at worst. */
const sharedShare = 1 / 40;

/**
 * Signals that abort calls after a time. Calls that begin at nearly the same time share one: a signal of its own costs
 * every call a timer, and an error when the timer fires although the call has ended long before.
 */
export class Deadlines {
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  #shared: { readonly signal: AbortSignal; readonly untilMs: number } | undefined;

  constructor(timeoutMs: number, nowMs: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  /** The signal of a call that begins now. */
  next(): AbortSignal {
    const nowMs = this.#nowMs();
    if (this.#shared && nowMs < this.#shared.untilMs) return this.#shared.signal;
    const signal = AbortSignal.timeout(this.#timeoutMs);
    this.#shared = { signal, untilMs: nowMs + this.#timeoutMs * sharedShare };
    return signal;
  }
}
