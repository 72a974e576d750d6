/** Clocks that differ by no more are taken for the same: NTP steps and slow answers stay far below. */
export const clockLimitMs = 10_000;

/** Whose clock is wrong, as far as it can be told; `head`: the last decision lies in PostgreSQL's future. */
export type ClockProblem = 'process' | 'postgresql' | 'unknown' | 'head';

export interface ClockReading {
  /** Process − PostgreSQL, in milliseconds; 0 while PostgreSQL's time lies between question and answer. */
  readonly offsetMs: number;
  /** Broker − process, by the storage time of the newest command; null while none has told it. */
  readonly brokerAheadMs: number | null;
}

/**
 * Two of the three clocks have to agree. Process and PostgreSQL are what decisions are dated and checked by, so those two
 * always have to; the broker's tells which of them is wrong. That the broker's alone is off hinders no decision.
 */
export function clockProblem({ offsetMs, brokerAheadMs }: ClockReading, limitMs: number): ClockProblem | null {
  if (Math.abs(offsetMs) <= limitMs) return null;
  if (brokerAheadMs === null) return 'unknown';
  if (Math.abs(brokerAheadMs + offsetMs) <= limitMs) return 'process';
  return Math.abs(brokerAheadMs) <= limitMs ? 'postgresql' : 'unknown';
}

/** Nothing may be decided by these clocks; nothing was written. */
export class ClockError extends Error {
  readonly problem: ClockProblem;

  constructor(problem: ClockProblem, message: string) {
    super(message);
    this.name = 'ClockError';
    this.problem = problem;
  }
}
