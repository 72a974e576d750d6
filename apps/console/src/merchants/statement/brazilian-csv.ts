import { readCsv } from '#src/records/read-csv.ts';

const amount = /^-?\d+\.\d+$/;

/**
 * A file for programs as spreadsheets set to Brazil open it: cells parted by semicolons, decimals by commas, and the mark of
 * UTF-8 in front, without which names lose their accents.
 */
export function brazilianCsv(file: string): string {
  const lines = readCsv(file).map((cells) => cells.map(cellOf).join(';'));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cellOf(value: string): string {
  if (amount.test(value)) return value.replace('.', ',');
  return /[";\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
