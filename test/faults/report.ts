import { join } from 'node:path';
import { markdownTable, writeMarkedTable } from '../support/marked-table.ts';
import type { Options } from './options.ts';
import type { Outcome } from './run-seed.ts';

const page = join(import.meta.dirname, '../../docs/reliability.md');

const titles = ['seed', 'fault', 'victim', 'answered', 'repeated', 'recovery', 'result'];
const widths = [5, 24, 32, 9, 9, 10, 8];
const columns = (texts: readonly string[]): string =>
  texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' ');

export const heading = columns(titles);

const cellsOf = ({ seed, fault, victims, answered, repeated, recoverySec, problems, inFlight }: Outcome): string[] => [
  String(seed),
  fault,
  victims.join(', '),
  String(answered),
  String(repeated),
  `${recoverySec} s`,
  problems.length > 0 ? 'UNCLEAN' : `clean${inFlight.length > 0 ? `, ${inFlight.length} in flight` : ''}`,
];

/** A seed in one line. */
export const lineOf = (outcome: Outcome): string => columns(cellsOf(outcome));

/** Puts the table between the marks of its topology in docs/reliability.md. */
export function writeTable(outcomes: readonly Outcome[], { topology }: Options): void {
  writeMarkedTable(page, topology, markdownTable(titles, outcomes.map(cellsOf)));
}
