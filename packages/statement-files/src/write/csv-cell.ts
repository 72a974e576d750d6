/**
 * A spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection); an amount begins with its sign and is
 * none. One whose list separator is not the comma, as Excel in Portuguese, does not see our quotes: for it a cell begins
 * behind each of its separators and line ends within a text.
 */
const formulaAtStart = /^(?=[\t\r\n\0]|[\s"\0]*[=+\-@＝＋－＠])/;
const formulaBehindSeparator = /[;\t\r\n](?=[\s"\0]*[=+\-@＝＋－＠])/g;
const amount = /^-?\d+(\.\d+)?$/;

/** A value as a cell of CSV. `raw` leaves texts as they are, for programs; null and undefined are an empty cell. */
export function csvCell(value: unknown, raw: boolean): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe =
    raw || amount.test(text) ? text : text.replace(formulaBehindSeparator, "$&'").replace(formulaAtStart, "'");
  return /[",\n\r\t;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
