/** One call of a unit of work. */
export interface LoadStep {
  readonly method: 'GET' | 'POST';
  /** `{id}` stands for the `id` in the answer to the first step. */
  readonly path: string;
  /** JSON text; `{n}` stands for a text that no other unit of work has. */
  readonly body?: string;
  /** Any other status is counted as a failure. */
  readonly expect: number;
}

/**
 * `closed`: each connection sends its next unit of work when the last was answered, which finds the highest rate.
 * `open`: units start at a fixed rate, whatever the answers do, and their latency counts from when they should have
 * started; so a server that stalls is charged for everybody who had to wait (no coordinated omission).
 */
export type Pace =
  | { readonly kind: 'closed'; readonly connections: number; readonly durationMs: number }
  | {
      readonly kind: 'open';
      readonly connections: number;
      readonly durationMs: number;
      readonly ratePerSecond: number;
    };

export interface LoadJob {
  /** Part of each `{n}`; no two jobs of a run have the same. */
  readonly name: string;
  readonly origin: string;
  readonly steps: readonly LoadStep[];
  /** Headers of the callers, who take turns. */
  readonly callers: readonly Readonly<Record<string, string>>[];
  readonly pace: Pace;
  /** Whether the result lists each unit of work with its id and times. */
  readonly listUnits?: boolean;
}

/** Times in milliseconds of the machine's monotonic clock, which all its processes share. */
export interface Unit {
  readonly id: string;
  readonly startedAtMs: number;
  readonly answeredAtMs: number;
}

export interface LoadResult {
  /** Units of work of which each step was answered as expected. */
  readonly answered: number;
  /** All others, by status or error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** From the first start to the last answer. */
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly units: readonly Unit[];
}
