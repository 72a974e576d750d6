import { closedLoop, type ClosedLoop, type Subject } from '../compare.ts';
import type { Environment } from '../environment/environment.ts';

interface Reading extends Omit<ClosedLoop, 'step'> {
  readonly path: string;
  readonly expect?: number;
}

/** Reads the same on each connection, one call after the other. */
export function reader(environment: Environment, what: string, { path, expect = 200, ...loop }: Reading): Subject {
  return closedLoop(environment, what, { ...loop, step: { method: 'GET', path, expect } });
}
