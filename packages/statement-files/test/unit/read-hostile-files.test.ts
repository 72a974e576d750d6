import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvMappingSchema } from '@gateway/contracts/reconciler';
import { fileBytesMax, readStatementFile, type StatementFile, UnreadableStatement } from '#src/read/index.ts';
import {
  bankLines,
  camt053,
  cnab240,
  csvSigned,
  csvWithColumn,
  mappingSigned,
  mappingWithColumn,
  ofx102,
  ofx2,
} from '../support/bank-files.ts';

const settings = { zone: 'America/Sao_Paulo', currency: 'BRL' } as const;
const cnab: StatementFile = { format: 'cnab240', ...settings };
const ofx: StatementFile = { format: 'ofx', ...settings };
const camt: StatementFile = { format: 'camt053', ...settings };
const csv: StatementFile = { format: 'csv', mapping: csvMappingSchema.parse(mappingSigned) };
const csvColumn: StatementFile = { format: 'csv', mapping: csvMappingSchema.parse(mappingWithColumn) };

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function refusalOf(file: StatementFile, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  try {
    await readStatementFile(bytes instanceof Uint8Array ? piecesOf(bytes) : bytes, file, () => undefined);
  } catch (error) {
    if (error instanceof UnreadableStatement) return error.message;
    throw error;
  }
  return 'was read';
}

const changed = (bytes: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');

describe('a wrong trailer refuses the whole file, by its line and positions', () => {
  it.each([
    ['debits', { debits: 7_601 }, 'line 9, debits (177-194): are 7601 in the trailer, and 7600 in the file'],
    ['credits', { credits: 1 }, 'line 9, credits (195-212): are 1 in the trailer, and 199071 in the file'],
    ['closing', { closing: 5 }, 'line 9, closing (151-168): is 5, but opening and movements are 291471'],
    ['records', { records: 99 }, 'line 9, records (171-176): are 99, and the batch has 8'],
  ])('%s', async (_name, faults, message) => {
    expect(await refusalOf(cnab, cnab240('bradesco', bankLines, faults))).toBe(message);
  });

  it('a closing balance of camt.053 that is not opening and entries', async () => {
    const bytes = changed(camt053('08'), '1000.00', '1000.01');
    expect(await refusalOf(camt, bytes)).toBe('line 2, CLBD: is 291471, but opening and movements are 291472');
  });
});

describe('a file that is cut off is refused, wherever that is', () => {
  it.each([
    ['CNAB 240', cnab, cnab240('itau'), 1],
    ['OFX 1.02', ofx, ofx102(), '</OFX>\r\n'.length],
    ['OFX 2', ofx, ofx2(), 1],
    ['camt.053', camt, camt053('08'), 1],
  ] as const)('%s', async (_name, file, bytes, tail) => {
    const cuts = fc.integer({ min: 0, max: bytes.length - tail - 1 });
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => {
        expect(await refusalOf(file, bytes.subarray(0, length))).not.toBe('was read');
      }),
    );
  });

  it('CSV within quotes, or within a row', async () => {
    const text = csvSigned().toString();
    expect(await refusalOf(csv, Buffer.from(text.slice(0, text.lastIndexOf('"'))))).toMatch(/^line \d+, csv: Quote/);
    expect(await refusalOf(csv, Buffer.from(text.slice(0, text.lastIndexOf(','))))).toMatch(
      /^line 7, csv: Invalid Rec/,
    );
  });
});

describe('what no bank writes is refused by its place', () => {
  const camtWith = (text: string) => changed(camt053('08'), 'PIX ENVIADO', text);
  const ofxWith = (text: string) => changed(ofx102(), 'PIX ENVIADO', text);

  it.each<[string, StatementFile, Buffer, string]>([
    [
      'entities that expand',
      camt,
      changed(camt053('08'), '\n', '\n<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n'),
      'line 2, xml: has a document type, which no statement needs',
    ],
    ['an entity of its own', camt, camtWith('&b;'), 'line 5, xml: Invalid character entity'],
    ['an outside document type in OFX 1', ofx, ofxWith('<!DOCTYPE x>'), 'line 55, tag: <!DOCTYPE x> is none of OFX 1'],
    [
      'NUL in CNAB',
      cnab,
      changed(cnab240('itau'), 'PIX ENVIADO', 'PIX\0ENVIADO'),
      'line 6, text: holds a NUL character',
    ],
    ['NUL as a reference', camt, camtWith('&#0;'), 'line 5, xml: Invalid character entity'],
    ['half a surrogate pair', camt, camtWith('&#xD800;'), 'line 5, xml: Invalid character entity'],
    [
      'bytes that are no UTF-8',
      camt,
      camtWith('\xff'),
      'line 1, encoding: holds bytes behind this line that are no utf-8',
    ],
    [
      'UTF-16',
      csv,
      Buffer.from(`\uFEFF${csvSigned().toString()}`, 'utf16le'),
      'line 1, encoding: is UTF-16; write the file in UTF-8 or Latin-1',
    ],
    [
      'an amount beyond 2^53',
      ofx,
      changed(ofx2(), '98.50', '90071992547409.92'),
      'line 5, TRNAMT: is an amount beyond 2^53 minor units',
    ],
    [
      'an amount of a hundred digits',
      camt,
      changed(camt053('08'), '98.50', '9'.repeat(100)),
      'line 3, Amt: is no amount',
    ],
    ['an amount in two readings', ofx, changed(ofx2(), '98.50', '1.234'), 'line 5, TRNAMT: has more than 2 decimals'],
    ['an exponent', camt, changed(camt053('08'), '98.50', '9e3'), 'line 3, Amt: is no amount'],
    [
      'another currency',
      camt,
      changed(camt053('08'), 'Ccy="BRL">98', 'Ccy="USD">98'),
      'line 3, Amt/@Ccy: is "USD", and not BRL',
    ],
    [
      'another sign than the kind',
      ofx,
      changed(ofx2(), '98.50', '-98.50'),
      'line 5, TRNAMT: has the sign of the opposite of CREDIT',
    ],
    [
      'a day that is none',
      ofx,
      changed(ofx2(), '20261120233', '20260230233'),
      'line 4, DTPOSTED: is no day of this century',
    ],
    ['another version', camt, camt053('15'), 'line 2, Document: is no camt.053 of the versions .001.01 to .001.14'],
    ['another document', camt, Buffer.from('<html></html>'), 'line 1, html: stands where Document should'],
    ['no XML at all', camt, Buffer.from('date,amount\n'), 'line 1, xml: Non-whitespace before first tag.'],
    [
      'a record of 239 characters',
      cnab,
      changed(cnab240('itau'), 'PIX ENVIADO', 'PIXENVIADO'),
      'line 6, record: has 239 characters, and not 240: the file is cut off or no CNAB 240',
    ],
    [
      'records out of order',
      cnab,
      changed(cnab240('itau'), '34100013', '34100015'),
      'line 3, debits (177-194): has something else than digits',
    ],
    [
      'another service',
      cnab,
      changed(cnab240('itau'), 'E0440', 'C2030'),
      'line 2, operation, service, form (9-13): are "C2030", and not those of a statement, E0440',
    ],
    [
      'a column that is missing',
      csv,
      changed(csvSigned(), ',amount', ',value'),
      'line 1, amount: is no column of the file',
    ],
    ['a column twice', csv, changed(csvSigned(), ',text,', ',amount,'), 'line 1, amount: is the name of two columns'],
    [
      'a word for neither credit nor debit',
      csvColumn,
      changed(csvWithColumn(), ';D\r', ';X\r'),
      'line 6, Tipo: is "X": neither credit nor debit',
    ],
    [
      'a field of 5,000 characters',
      csv,
      changed(csvSigned(), 'PIX ENVIADO', 'x'.repeat(5_000)),
      'line 5, text: has more than 4096 characters',
    ],
    ['nothing', csv, Buffer.alloc(0), 'line 1, file: is empty'],
  ])('%s', async (_name, file, bytes, message) => {
    expect((await refusalOf(file, bytes)).slice(0, message.length)).toBe(message);
  });
});

describe('a file that is made to take memory is refused before it does', () => {
  async function* repeated(head: string, text: string, times: number): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for (let at = 0; at < times; at += 1) yield Buffer.from(text);
  }
  const document = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">';

  it.each<[string, StatementFile, AsyncIterable<Uint8Array>, RegExp]>([
    ['a million levels of XML', camt, repeated(document, '<a>'.repeat(1_000), 1_000), /nested more than 64 deep/],
    [
      'a million levels of SGML',
      ofx,
      repeated('OFXHEADER:100\r\nDATA:OFXSGML\r\n<OFX>', '<a>'.repeat(1_000), 1_000),
      /nested/,
    ],
    ['a text without end', camt, repeated(`${document}<a>`, 'x'.repeat(65_536), 100), /more than 65536 characters/],
    ['a comment without end', camt, repeated(`${document}<!--`, 'x'.repeat(65_536), 100), /Max buffer length exceeded/],
    [
      'attributes without end',
      camt,
      repeated('<Document ', Array.from({ length: 9_000 }, (_, at) => `a${at}="1" `).join(''), 3),
      /too many attributes/,
    ],
    [
      'a tag without end',
      ofx,
      repeated('OFXHEADER:100\r\nDATA:OFXSGML\r\n<OFX><', 'x'.repeat(65_536), 100),
      /more than 256/,
    ],
    ['a record without end', cnab, repeated('0', 'x'.repeat(65_536), 100), /more than 240 characters/],
    ['a row without end', csv, repeated('date,id,text,amount\n"', 'x'.repeat(65_536), 100), /Max Record Size/],
    ['51 MiB', cnab, repeated(`${'x'.repeat(240)}\n`, 'y'.repeat(1_048_576), 51), /line 1, record type|more than/],
    [
      '51 MiB of rows',
      csv,
      repeated('date,id,text,amount\n', `2026-11-20,1,${'x'.repeat(4_000)},1.00\n`.repeat(260), 52),
      /file: has more than/,
    ],
  ])('%s', async (_name, file, bytes, message) => {
    expect(await refusalOf(file, bytes)).toMatch(message);
    expect(fileBytesMax).toBe(52_428_800);
  });
});

it('a file that moves more than can be added up exactly is refused, also where each amount can be', async () => {
  const rows = Array.from({ length: 3 }, (_, at) => `2026-11-20,${at},x,50000000000000.00\n`);
  const bytes = Buffer.from(`date,id,text,amount\n${rows.join('')}`);
  expect(await refusalOf(csv, bytes)).toBe('line 3, amount: makes the file move more than 2^53 minor units');
});

describe('a mapping of CSV', () => {
  const refused = (change: object) => csvMappingSchema.safeParse({ ...mappingSigned, ...change }).success;

  it('has no pattern that could take for ever, and no unknown zone', () => {
    expect(refused({ e2e: { column: 'text', pattern: '(a+)+b' } })).toBe(false);
    expect(refused({ e2e: { column: 'text', pattern: '[ED]\\d{20}\\w{11}' } })).toBe(true);
    expect(refused({ date: { ...mappingSigned.date, zone: 'Mars/Olympus' } })).toBe(false);
  });
});

describe('any bytes whatever', () => {
  it.each([
    ['CNAB 240', cnab, cnab240('bradesco')],
    ['OFX 1.02', ofx, ofx102()],
    ['OFX 2', ofx, ofx2()],
    ['camt.053', camt, camt053('08')],
    ['CSV', csv, csvSigned()],
  ] as const)('are read or refused by their place, never anything else: %s', async (_name, file, bytes) => {
    const places = fc.integer({ min: 0, max: bytes.length - 1 });
    const edits = fc.array(fc.tuple(places, fc.uint8Array({ maxLength: 4 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(edits, async (made) => {
        const edited = made.reduce<Uint8Array>(
          (all, [at, some]) => Buffer.concat([all.subarray(0, at), some, all.subarray(at + some.length)]),
          bytes,
        );
        expect(await refusalOf(file, edited)).toMatch(/^line \d+, |^was read$/s);
      }),
      { numRuns: 300 },
    );
  });
});
