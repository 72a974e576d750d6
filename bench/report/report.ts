/** One contender's figures: medians over the rounds of this run. */
export interface Figures {
  readonly what: string;
  /** Answers per second while the load lasted. */
  readonly ratePerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Its rate over its baseline's, round by round, then the median; undefined for a baseline. */
  readonly ratio?: number;
}

/** A ratio or latency that the product promises. */
export interface Gate {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 's' | 'MB';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Something that must be true after the run, whatever the speed. */
export interface Invariant {
  readonly what: string;
  readonly holds: boolean;
  /** The numbers behind it. */
  readonly found: string;
}

/** CPU time of each process per answer, in microseconds: hardly moved by what else the machine does. */
export interface CpuCost {
  readonly what: string;
  readonly perAnswerUs: Readonly<Record<string, number>>;
}

export interface Report {
  readonly figures: readonly Figures[];
  readonly costs?: readonly CpuCost[];
  readonly gates: readonly Gate[];
  readonly invariants: readonly Invariant[];
  /** What a reader has to know to judge the figures. */
  readonly notes: readonly string[];
}

export function isMet({ value, atLeast, atMost }: Gate): boolean {
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
}
