import {
  camt053Format,
  cnab240,
  csvFormat,
  noTotals,
  ofx102,
  ofx220,
  totalsAfter,
  type StatementFormat,
  type WrittenHeader,
  type WrittenMovement,
} from '#src/write/index.ts';

export const formats = {
  csv: csvFormat({ raw: false }),
  ofx: ofx220,
  ofx102,
  camt053: camt053Format({ version: '08' }),
  cnab240,
} as const satisfies Record<string, StatementFormat>;

/** A whole file, written in pages of so many movements. */
export function fileOf(
  format: StatementFormat,
  header: WrittenHeader,
  movements: readonly WrittenMovement[],
  pageRows = 2,
): string {
  let totals = noTotals;
  let file = format.begin(header);
  for (let from = 0; from < movements.length; from += pageRows) {
    const page = movements.slice(from, from + pageRows);
    file += format.movements(header, page, totals);
    totals = totalsAfter(totals, page);
  }
  return file + format.end(header, totals);
}
