import { parse as readCsv } from 'csv-parse/sync';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvFormat, type WrittenMovement } from '#src/write/index.ts';
import { header, movements } from './five-movements.ts';
import { ofxReaders } from './read-ofx.ts';
import { fileOf, formats } from './write-files.ts';

const like = (externalId: string, e2eId: string | null = null): WrittenMovement => ({
  ...movements[0]!,
  externalId,
  e2eId,
});

const texts = [
  'a;b,c',
  '"quoted"',
  "<tag> & 'entity' &amp; ]]>",
  'two\nlines',
  '😀 família José',
  '=1+1',
  '@sum',
  ' blanks ',
  'x'.repeat(120),
  'e\u0301'.repeat(16),
];

describe.each(texts)('an external id %j', (text) => {
  const all = [like(text)];

  test('is the same text in CSV for programs', () => {
    const file = fileOf(csvFormat({ raw: true }), header, all);
    expect(readCsv<Record<string, string>>(file, { columns: true })[0]!['external_id']).toBe(text);
    expect(Papa.parse<Record<string, string>>(file, { header: true }).data[0]!['external_id']).toBe(text);
  });

  test('is no formula of a spreadsheet, and otherwise the same text', () => {
    const [row] = readCsv<Record<string, string>>(fileOf(formats.csv, header, all), { columns: true });
    expect(row!['external_id']).toBe(/^[=@]/.test(text) ? `'${text}` : text);
  });

  test.each(['ofx', 'ofx102'] as const)('is read from %s up to its length there, and whole beside it', async (name) => {
    const read = await ofxReaders['ofx-js']!(fileOf(formats[name], header, all));
    const { NAME: short, MEMO: memo } = read.movements[0]!;
    // The reader drops blanks at both ends.
    expect(short.trim()).toBe(Array.from(text).slice(0, 32).join('').trim());
    if (text.length > 32) expect(memo.endsWith(` ref ${text}`)).toBe(true);
  });

  test('leaves every line of CNAB 240 its 240 bytes', () => {
    const named = { ...header, account: { ...header.account, name: text } };
    const lines = fileOf(formats.cnab240, named, [like(text, text.slice(0, 64))])
      .split('\r\n')
      .slice(0, -1);
    expect(lines.map((line) => Buffer.byteLength(line))).toEqual(lines.map(() => 240));
  });
});

describe.each([33, 35, 36, 39, 64])('an end-to-end id of %d characters', (length) => {
  const e2eId = 'E'.padEnd(length, '0123456789');
  const all = [like('order', e2eId)];

  test('is whole in CSV, OFX and camt.053', async () => {
    const [row] = readCsv<Record<string, string>>(fileOf(formats.csv, header, all), { columns: true });
    expect(row!['e2e_id']).toBe(e2eId);
    for (const read of Object.values(ofxReaders)) {
      const { movements: rows } = await read(fileOf(formats.ofx102, header, all));
      expect(rows[0]!.MEMO.endsWith(` e2e ${e2eId}`)).toBe(true);
    }
    const camt = fileOf(formats.camt053, header, all);
    const place = length <= 35 ? `<TxId>${e2eId}</TxId>` : `<AddtlTxInf>e2e_id=${e2eId}</AddtlTxInf>`;
    expect(camt).toContain(place);
  });

  test('has its first 39 characters in CNAB 240', () => {
    const line = fileOf(formats.cnab240, header, all).split('\r\n')[2]!;
    expect(line.slice(201, 240).trim()).toBe(e2eId.slice(0, 39));
  });
});

test('what XML cannot contain is replaced, and nothing else is lost', async () => {
  for (const read of Object.values(ofxReaders)) {
    const { movements: rows } = await read(fileOf(formats.ofx, header, [like('a\u0001b\uFFFEc')]));
    expect(rows[0]!.NAME).toBe('a\uFFFDb\uFFFDc');
  }
});
