export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitBreakerOptions {
  /** Failures in a row after which no call is let through. */
  readonly failuresToOpen: number;
  /** How long the circuit stays open before one call may try again. */
  readonly openMs: number;
  /** Monotonic or wall clock in milliseconds. */
  readonly nowMs: () => number;
}

/** A call that was let through; exactly one of the three has to be called. */
export interface CircuitPass {
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** The call says nothing about the provider (it was ended by its caller). */
  readonly abandoned: () => void;
}

/**
 * Stops calling a provider that does not answer, so that callers fail over at once instead of waiting for one deadline
 * after the other. Opens after a row of failures, lets a single call through once `openMs` has passed, and closes when
 * that one succeeds.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #failuresInARow = 0;
  #openedAtMs: number | null = null;
  #probing = false;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    if (this.#openedAtMs === null) return 'closed';
    return this.#options.nowMs() - this.#openedAtMs < this.#options.openMs ? 'open' : 'half_open';
  }

  /** Milliseconds until a call may be tried again; 0 when it may be now. */
  get retryAfterMs(): number {
    if (this.#openedAtMs === null) return 0;
    return Math.max(0, this.#openedAtMs + this.#options.openMs - this.#options.nowMs());
  }

  /** A pass for one call, or null while the circuit is open or its one probe is under way. */
  enter(): CircuitPass | null {
    const { state } = this;
    if (state === 'open' || (state === 'half_open' && this.#probing)) return null;
    const probe = state === 'half_open';
    if (probe) this.#probing = true;
    return {
      succeeded: () => this.#settle(probe, () => this.#close()),
      failed: () => this.#settle(probe, () => this.#fail(probe)),
      abandoned: () => this.#settle(probe, () => {}),
    };
  }

  #settle(probe: boolean, effect: () => void): void {
    if (probe) this.#probing = false;
    effect();
  }

  #close(): void {
    this.#failuresInARow = 0;
    this.#openedAtMs = null;
  }

  #fail(probe: boolean): void {
    this.#failuresInARow += 1;
    if (probe || this.#failuresInARow >= this.#options.failuresToOpen) this.#openedAtMs = this.#options.nowMs();
  }
}
