import { ClockError, clockLimitMs, clockProblem } from '#src/clock/clock-problem.ts';

export interface WriterClockOptions {
  readonly now: () => number;
  /** Tests with a time of their own differ from PostgreSQL's as much as they like. */
  readonly limitMs?: number;
}

/** A writer's clock, and how far those of PostgreSQL and the broker are from it, as they were last seen. */
export class WriterClock {
  readonly now: () => number;
  readonly limitMs: number;
  #offsetMs = 0;
  #brokerAheadMs: number | null = null;

  constructor({ now, limitMs = clockLimitMs }: WriterClockOptions) {
    this.now = now;
    this.limitMs = limitMs;
  }

  /** Process − PostgreSQL. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Broker − process. */
  get brokerAheadMs(): number {
    return this.#brokerAheadMs ?? 0;
  }

  /**
   * A message that was stored long ago tells nothing: it may have waited. One from the future does, and one that came
   * while the writer was waiting for it.
   */
  sawStorageTime(storedMs: number, wasAwaited: boolean): void {
    const aheadMs = storedMs - this.now();
    this.#brokerAheadMs = wasAwaited ? aheadMs : Math.max(aheadMs, 0);
  }

  /**
   * PostgreSQL told its time between `askedMs` and now.
   *
   * @throws ClockError when the clocks differ by more than the limit
   */
  compare(askedMs: number, postgresMs: number): void {
    const answeredMs = this.now();
    this.#offsetMs = offsetOf(postgresMs, askedMs, answeredMs);
    const problem = clockProblem({ offsetMs: this.#offsetMs, brokerAheadMs: this.#brokerAheadMs }, this.limitMs);
    if (problem !== null) throw new ClockError(problem, `this clock is ${this.#offsetMs} ms ahead of PostgreSQL's`);
  }

  /** @throws ClockError when something was decided in PostgreSQL's future: what follows would be dated there as well */
  requirePast(decidedAtMs: number, postgresMs: number): void {
    const aheadMs = decidedAtMs - postgresMs;
    if (aheadMs <= this.limitMs) return;
    throw new ClockError('head', `the last decision is dated ${aheadMs} ms after PostgreSQL's time`);
  }
}

function offsetOf(postgresMs: number, askedMs: number, answeredMs: number): number {
  if (askedMs > postgresMs) return askedMs - postgresMs;
  return Math.min(answeredMs - postgresMs, 0);
}
