/** Clocks that differ by no more count as equal: NTP steps and slow answers stay far below. */
export const clockLimitMs = 10_000;

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
