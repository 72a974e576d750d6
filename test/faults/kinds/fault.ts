import type { SeededRandom } from '../seeded-random.ts';
import type { Stage } from '../stage/stage.ts';

export interface Strike {
  readonly stage: Stage;
  readonly victim: string;
  /** How long it lasts, where that can be chosen. */
  readonly durationMs: number;
  readonly random: SeededRandom;
}

/** Something that goes wrong while the product works. */
export interface Fault {
  readonly name: string;
  /** What it takes away is found in the provider's lists alone, which takes longer. */
  readonly readsLists?: boolean;
  /** Whom it can happen to; none where this machine or topology cannot have it. */
  victims(stage: Stage): readonly string[];
  /** What has to be in place before the load begins. */
  prepare?(stage: Stage, victim: string): Promise<void>;
  /** Resolves when it is over and what was taken away has been given back; nothing needs to work yet. */
  strike(strike: Strike): Promise<void>;
}

export const namesOf = (parts: readonly { readonly name: string }[]): string[] => parts.map(({ name }) => name);

/** @throws Error when there is no node of that name. */
export function nodeOf(stage: Stage, name: string): Stage['broker'][number] {
  const found = stage.broker.find((node) => node.name === name);
  if (found === undefined) throw new Error(`no broker is called ${name}`);
  return found;
}
