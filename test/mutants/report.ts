import { join } from 'node:path';
import { markdownTable, writeMarkedTable } from '../support/marked-table.ts';
import { countCells, countOf, killRate, killRateMin } from './kill-rate.ts';
import type { Mutant } from './mutant.ts';

/** `unusable`: the named test did not get to run, so the fault shows nothing about it. */
export type Fate = 'killed' | 'survived' | 'unusable' | 'equivalent';

export interface Outcome {
  readonly mutant: Mutant;
  readonly fate: Fate;
  readonly seconds: number;
}

const page = join(import.meta.dirname, '../../docs/reliability.md');
const titles = ['workspace', 'mutants', 'killed', 'survived', 'equivalent', 'kill rate'];

/** A mutant in one line. */
export function lineOf({ mutant, fate, seconds }: Outcome): string {
  const { id, guarantee, file, test } = mutant;
  const places = fate === 'killed' ? '' : `\n      ${file}\n      ${mutant.equivalent ?? test}`;
  return `${id.padEnd(5)} ${fate.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${guarantee}${places}\n`;
}

export function tableOf(outcomes: readonly Outcome[]): string {
  const workspaces = Map.groupBy(outcomes, ({ mutant }) => mutant.file.split('/').slice(0, 2).join('/'));
  const rows = [...workspaces].sort(([one], [other]) => (one < other ? -1 : 1));
  return markdownTable(
    titles,
    [...rows, ['all', outcomes] as const].map(([name, some]) => cellsOf(name, some)),
  );
}

/** Puts the table between its marks in docs/reliability.md. */
export function writeTable(outcomes: readonly Outcome[]): void {
  writeMarkedTable(page, 'mutants', tableOf(outcomes));
}

/** @returns whether enough were killed and every entry could be tried */
export function isGood(outcomes: readonly Outcome[]): boolean {
  return countOf(outcomes, 'unusable') === 0 && killRate(outcomes) >= killRateMin;
}

function cellsOf(name: string, outcomes: readonly Outcome[]): string[] {
  return [name, ...countCells(outcomes), `${Math.floor(killRate(outcomes) * 100)} %`];
}
