import { ClockError, clockLimitMs, clockProblem } from '#src/clock/clock-problem.ts';

export interface WriterClockOptions {
  readonly now: () => number;
  /** Raised by tests whose clock is not PostgreSQL's. */
  readonly limitMs?: number;
}

/** A writer's clock, and how far those of PostgreSQL and the broker differed from it when they were last compared. */
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
   * A message that was stored long ago shows nothing about the broker's clock, since it may have waited. A message from
   * the future does, and so does one that arrived while the writer was waiting for it.
   */
  sawStorageTime(storedMs: number, wasAwaited: boolean): void {
    const aheadMs = storedMs - this.now();
    this.#brokerAheadMs = wasAwaited ? aheadMs : Math.max(aheadMs, 0);
  }

  /**
   * Compares the clock with PostgreSQL's time, which was read between `askedMs` and now.
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
