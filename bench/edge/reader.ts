import type { Subject } from '../compare.ts';
import type { Environment } from '../environment/environment.ts';
import type { Pace } from '../load/load.ts';

interface Reading {
  readonly origin: string;
  readonly path: string;
  readonly caller: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly expect?: number;
}

/** Reads the same on each connection, one call after the other. */
export function reader(
  { load }: Environment,
  what: string,
  { origin, path, caller, connections, expect = 200 }: Reading,
): Subject {
  return {
    what,
    load: (name, durationMs) => {
      const pace: Pace = { kind: 'closed', connections, durationMs };
      return load.run({ name, origin, steps: [{ method: 'GET', path, expect }], callers: [caller], pace });
    },
  };
}
