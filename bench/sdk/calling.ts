import { startChild, type Child } from '../load/child.ts';
import type { LoadResult } from '../load/load.ts';

/** Deposits that are created, by the SDK or by the `fetch` of the platform alone. */
export interface CallingJob {
  readonly by: 'sdk' | 'fetch';
  /** The module of the installed SDK. */
  readonly module: string;
  readonly origin: string;
  readonly connections: number;
  readonly durationMs: number;
}

/** A merchant's program in a process of its own. */
export function startCaller(): Child<CallingJob, LoadResult> {
  return startChild(new URL('./calling-process.ts', import.meta.url));
}

/** A server that has the same answer to everything; its job answers with its address. */
export function startEmptyServer(): Child<object, string> {
  return startChild(new URL('./empty-server-process.ts', import.meta.url));
}
