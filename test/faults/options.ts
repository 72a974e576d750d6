import { parseArgs } from 'node:util';
import type { Topology } from './stage/stage.ts';

export const usage = `npm run test:faults -- [options]
  --seed n            one seed, as a run of many printed it
  --seeds a-b         several, one after the other (1-15: every kind of fault once)
  --short             faults of a second instead of up to twenty
  --topology name     single (one of everything) or cluster (three brokers, two of every service)
  --write             puts the table into docs/reliability.md`;

export interface Options {
  readonly seeds: readonly number[];
  readonly isShort: boolean;
  readonly topology: Topology;
  readonly writes: boolean;
}

/** @throws TypeError naming the argument that does not fit */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '1-15' },
      short: { type: 'boolean', default: false },
      topology: { type: 'string', default: 'single' },
      write: { type: 'boolean', default: false },
    },
  });
  const { topology } = values;
  if (topology !== 'single' && topology !== 'cluster') throw new TypeError('--topology must be single or cluster');
  return { seeds: seedsFrom(values.seed ?? values.seeds), isShort: values.short, topology, writes: values.write };
}

function seedsFrom(text: string): number[] {
  const [first, last] = /^(\d+)(?:-(\d+))?$/.exec(text)?.slice(1) ?? [];
  if (first === undefined) throw new TypeError('seeds are given as 17 or as 1-50');
  const length = Number(last ?? first) - Number(first) + 1;
  if (length < 1) throw new TypeError('seeds are counted upwards');
  return Array.from({ length }, (_, index) => Number(first) + index);
}
