import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const [begin, end] = [`<!-- ${topology}: begin -->`, `<!-- ${topology}: end -->`];
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the ${topology} table`);
  const table = [titles, ...outcomes.map(cellsOf)];
  const columnWidths = titles.map((_title, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const rows = [titles, columnWidths.map((width) => '-'.repeat(width)), ...table.slice(1)].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(columnWidths[column]!)).join(' | ')} |`,
  );
  writeFileSync(page, [before, begin, '\n\n', rows.join('\n'), '\n\n', end, after].join(''));
}
