import type { LoadResult } from '../load/load-job.ts';
import type { CpuUse } from '../machine/cpu-meter.ts';

/** Something that is measured, in turn with the others. */
export interface Contender {
  readonly what: string;
  /** Index of the contender it is compared with; undefined for a baseline. */
  readonly against?: number;
  /** Puts it under load. `label` is unique in the run. */
  load(label: string, durationMs: number): Promise<LoadResult>;
}

export interface Round {
  readonly result: LoadResult;
  /** Until it was quiet again. */
  readonly cpu: CpuUse;
  /** How long it worked on after the last answer. */
  readonly afterwardsMs: number;
}

export interface Contest {
  readonly contender: Contender;
  readonly rounds: readonly Round[];
  /** Answered as expected in all rounds, the one for warming up included. */
  readonly answered: number;
  /** All other outcomes, by status or error code. */
  readonly failures: Readonly<Record<string, number>>;
}
