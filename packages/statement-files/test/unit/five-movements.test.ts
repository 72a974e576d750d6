import { readFileSync } from 'node:fs';
import { parse as readCsv } from 'csv-parse/sync';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { header, movements } from './five-movements.ts';
import { ofxReaders } from './read-ofx.ts';
import { fileOf, formats } from './write-files.ts';

const written = (name: keyof typeof formats) => fileOf(formats[name], header, movements);
const ids = movements.map(({ entryId }) => entryId);
const nets = movements.map(({ net }) => net);
const cents = (text: unknown) => Math.round(Number(text) * 100);

test.each(Object.keys(formats) as (keyof typeof formats)[])(
  'five movements in %s are the file byte for byte',
  (name) => {
    const expected = readFileSync(new URL(`files/five-movements.${name}`, import.meta.url), 'utf8');
    expect(written(name)).toBe(expected);
  },
);

test.each([1, 3, 5, 9])('in pages of %d movements every file is the same', (pageRows) => {
  for (const format of Object.values(formats)) {
    expect(fileOf(format, header, movements, pageRows)).toBe(fileOf(format, header, movements));
  }
});

interface CsvRow {
  readonly entry_id: string;
  readonly net: string;
  readonly balance_after: string;
}

describe('CSV', () => {
  test.each([
    ['csv-parse', (text: string) => readCsv<CsvRow>(text, { columns: true })],
    ['papaparse', (text: string) => Papa.parse<CsvRow>(text, { header: true, skipEmptyLines: true }).data],
  ])('read by %s has the ids, the sums and the closing balance', (_name, read) => {
    const rows = read(written('csv'));
    expect(rows.map(({ entry_id: id }) => id)).toEqual(ids);
    expect(rows.map(({ net }) => cents(net))).toEqual(nets);
    expect(cents(rows.at(-1)?.balance_after)).toBe(header.closing);
  });
});

describe.each(['ofx', 'ofx102'] as const)('%s', (name) => {
  test.each(Object.keys(ofxReaders))('read by %s has the ids, the sums and the closing balance', async (reader) => {
    const read = await ofxReaders[reader]!(written(name));
    expect(read.movements.map(({ FITID: id }) => id)).toEqual(ids);
    expect(read.movements.map(({ TRNAMT: net }) => cents(net))).toEqual(nets);
    expect(cents(read.closing)).toBe(header.closing);
    expect(read.currency).toBe('BRL');
  });
});

/** By the public table of fields: positions count from 1, both inclusive. */
const field = (line: string, from: number, to: number) => line.slice(from - 1, to);

test('CNAB 240 read by its table of fields has the ids, the sums and the closing balance', () => {
  const lines = written('cnab240').split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => line.length)).toEqual(lines.map(() => 240));
  const rows = lines.filter((line) => field(line, 8, 8) === '3' && field(line, 14, 14) === 'E');
  const signed = rows.map((line) => Number(field(line, 151, 168)) * (field(line, 169, 169) === 'D' ? -1 : 1));
  expect(signed).toEqual(nets);
  expect(rows.map((line) => field(line, 9, 13))).toEqual(['00001', '00002', '00003', '00004', '00005']);
  expect(rows.map((line) => field(line, 202, 240).trim())).toEqual(movements.map(({ e2eId }) => e2eId));
  const trailer = lines.find((line) => field(line, 8, 8) === '5')!;
  expect([field(trailer, 151, 168), field(trailer, 169, 170)]).toEqual(['000000000000099250', 'CF']);
  expect(Number(field(trailer, 195, 212)) - Number(field(trailer, 177, 194))).toBe(header.closing - header.opening);
  expect(lines.map((line) => field(line, 8, 8))).toEqual(['0', '1', '3', '3', '3', '3', '3', '5', '9']);
  expect(field(lines.at(-1)!, 24, 29)).toBe('000009');
});
