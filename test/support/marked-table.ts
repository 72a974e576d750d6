import { readFileSync, writeFileSync } from 'node:fs';

/** A table in Markdown, its columns as wide as their longest cell. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((_title, column) => Math.max(...[titles, ...rows].map((cells) => cells[column]!.length)));
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
    .join('\n');
}

/** Puts a table between the marks `<!-- name: begin -->` and `<!-- name: end -->` of a page. */
export function writeMarkedTable(page: string, name: string, table: string): void {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the ${name} table`);
  writeFileSync(page, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}
