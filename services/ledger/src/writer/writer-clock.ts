import { clockLimitMs } from '@gateway/contracts/ledger';

/** Whose clock is wrong, as far as it is known; `head`: the last decision lies in PostgreSQL's future. */
export type ClockProblem = 'process' | 'postgresql' | 'unknown' | 'head';

export interface ClockReading {
  /** Process − PostgreSQL, in milliseconds; 0 while PostgreSQL's time lies between question and answer. */
  readonly offsetMs: number;
  /** Broker − process, by the storage time of the newest command; null before the first one. */
  readonly brokerAheadMs: number | null;
}

/**
 * Decisions are dated by the process and checked by PostgreSQL, so these two clocks always have to agree; the broker's
 * shows which of them is wrong. A wrong clock of the broker alone prevents no decision.
 */
export function clockProblem({ offsetMs, brokerAheadMs }: ClockReading, limitMs: number): ClockProblem | null {
  if (Math.abs(offsetMs) <= limitMs) return null;
  if (brokerAheadMs === null) return 'unknown';
  if (Math.abs(brokerAheadMs + offsetMs) <= limitMs) return 'process';
  return Math.abs(brokerAheadMs) <= limitMs ? 'postgresql' : 'unknown';
}

/** The clocks differ too much to decide anything; nothing was written. */
export class ClockError extends Error {
  readonly problem: ClockProblem;

  constructor(problem: ClockProblem, message: string) {
    super(message);
    this.name = 'ClockError';
    this.problem = problem;
  }
}

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

  /**
   * @param acceptedMs the time up to which two operators let decisions be dated in the future
   * @throws ClockError when something was decided in PostgreSQL's future: what follows would be dated there as well
   */
  requirePast(decidedAtMs: number, postgresMs: number, acceptedMs: number): void {
    const aheadMs = decidedAtMs - postgresMs;
    if (aheadMs <= this.limitMs || decidedAtMs <= acceptedMs + this.limitMs) return;
    throw new ClockError('head', `the last decision is dated ${aheadMs} ms after PostgreSQL's time`);
  }
}

function offsetOf(postgresMs: number, askedMs: number, answeredMs: number): number {
  if (askedMs > postgresMs) return askedMs - postgresMs;
  return Math.min(answeredMs - postgresMs, 0);
}

/**
 * The time of decisions: the wall clock, but never backwards, and later than every decision of an earlier writer,
 * whatever that writer's clock showed. Entry ids contain it, so their order is the order of decisions.
 */
export function decisionClock(now: () => number, lastDecidedAtMs: number): () => number {
  let latestMs = lastDecidedAtMs + 1;
  return () => (latestMs = Math.max(latestMs, now()));
}
