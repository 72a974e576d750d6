import { faults } from './kinds/all.ts';
import type { Fault } from './kinds/fault.ts';
import { SeededRandom } from './seeded-random.ts';
import type { Stage } from './stage/stage.ts';

/** How long things take, in milliseconds; whole numbers, both ends included. */
interface Lengths {
  readonly before: readonly [number, number];
  readonly fault: readonly [number, number];
  readonly after: readonly [number, number];
}

const lengths = {
  full: { before: [500, 3_000], fault: [500, 20_000], after: [500, 2_000] },
  short: { before: [300, 700], fault: [500, 1_500], after: [200, 500] },
} as const satisfies Record<string, Lengths>;

export interface Plan {
  readonly seed: number;
  readonly fault: Fault;
  /** Struck one after the other. */
  readonly victims: readonly string[];
  readonly beforeMs: number;
  readonly durationMs: number;
  readonly afterMs: number;
  /** Whether the seed ends when statements are read and all of its money is explained, which takes a minute at least. */
  readonly isExplained: boolean;
  /** What is left to chance while it strikes. */
  readonly random: SeededRandom;
}

/** What happens in a seed: the same every time. Faults take turns, so that a row of seeds has each of them. */
export function planOf(seed: number, stage: Stage, isShort: boolean): Plan {
  const possible = faults.filter((fault) => fault.victims(stage).length > 0);
  const random = new SeededRandom(seed);
  const fault = possible[seed % possible.length]!;
  const { before, fault: duration, after } = lengths[isShort ? 'short' : 'full'];
  const between = ([min, max]: readonly [number, number]) => random.integer(min, max);
  const victims = Array.from({ length: fault.name === 'kill' ? random.integer(1, 3) : 1 }, () =>
    random.pick(fault.victims(stage)),
  );
  return {
    ...{ seed, fault, victims, random, isExplained: !isShort },
    ...{ beforeMs: between(before), durationMs: between(duration), afterMs: between(after) },
  };
}
