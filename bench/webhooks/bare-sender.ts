import { startChild, type Child } from '../load/child.ts';
import type { LoadResult } from '../load/load.ts';

export interface SendingJob {
  readonly origins: readonly string[];
  readonly path: string;
  readonly connections: number;
  readonly durationMs: number;
}

/** A loop of signed posts in a process of its own. */
export type BareSender = Child<SendingJob, LoadResult>;

export function startBareSender(env: Readonly<Record<string, string>> = {}): BareSender {
  return startChild(new URL('./bare-sender-process.ts', import.meta.url), env);
}
