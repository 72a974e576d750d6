import type { Report } from './report/report.ts';

/** How long and how hard to measure. */
export interface BenchOptions {
  /** Length of one round of load. */
  readonly seconds: number;
  /** Keep-alive connections of the closed loop. */
  readonly connections: number;
  /** Rounds per contender, taken in turn. */
  readonly rounds: number;
  /** Length of the round that warms each contender up and is not counted. */
  readonly warmupSeconds: number;
  /** Everything small: shows that the benchmark works, judges no gate. */
  readonly quick: boolean;
  /** Services write a CPU profile here when they end. */
  readonly profileDirectory: string | undefined;
  /** Says what is going on. */
  readonly progress: (line: string) => void;
}

/** One row of `npm run bench`. */
export interface Benchmark {
  readonly name: string;
  /** One line: what is compared with what. */
  readonly measures: string;
  run(options: BenchOptions): Promise<Report>;
}
