import { describe, expect, it } from 'vitest';
import { csvMappingSchema } from '@gateway/contracts/reconciler';
import { type ReadMovement, type ReadSummary, readStatementFile, type StatementFile } from '#src/read/index.ts';
import {
  bankDay,
  bankLines,
  bankOpening,
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

const files: Record<string, readonly [StatementFile, Buffer]> = {
  'CNAB 240 of Bradesco': [{ format: 'cnab240', ...settings }, cnab240('bradesco')],
  'CNAB 240 of Itaú': [{ format: 'cnab240', ...settings }, cnab240('itau')],
  'OFX 1.02 with a decimal comma': [{ format: 'ofx', ...settings }, ofx102()],
  'OFX 2': [{ format: 'ofx', ...settings }, ofx2()],
  'CSV in Latin-1 with a column of D and C': [
    { format: 'csv', mapping: csvMappingSchema.parse(mappingWithColumn) },
    csvWithColumn(),
  ],
  'CSV in UTF-8 with signs': [{ format: 'csv', mapping: csvMappingSchema.parse(mappingSigned) }, csvSigned()],
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => String(index + 1).padStart(2, '0')).map((version) => [
      `camt.053.001.${version}`,
      [{ format: 'camt053', ...settings }, camt053(version)],
    ]),
  ),
};

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(file: StatementFile, bytes: Buffer, size = 65_536): Promise<[ReadMovement[], ReadSummary]> {
  const movements: ReadMovement[] = [];
  const summary = await readStatementFile(piecesOf(bytes, size), file, (some) => void movements.push(...some));
  return [movements, summary];
}

const essence = ({ day, net, entryId, text }: ReadMovement) => ({ day, amount: net, document: entryId, text });
const expected = bankLines.map(({ day, amount, document, text }) => ({ day, amount, document, text }));

describe('a statement file', () => {
  it.each(Object.entries(files))('has the same lines as every other format: %s', async (_name, [file, bytes]) => {
    const [movements, summary] = await read(file, bytes);
    // The text of CNAB has 25 characters.
    const cut = file.format === 'cnab240' ? 25 : 100;
    expect(movements.map(essence)).toEqual(expected.map((line) => ({ ...line, text: line.text.slice(0, cut).trim() })));
    expect(summary).toMatchObject({ currency: 'BRL', fromDay: bankDay, toDay: bankDay, movements: bankLines.length });
    const closing = bankOpening + bankLines.reduce((total, { amount }) => total + amount, 0);
    expect([closing, null]).toContain(summary.closing);
  });

  it.each(Object.entries(files))('is read alike in pieces of any size: %s', async (_name, [file, bytes]) => {
    const whole = await read(file, bytes, bytes.length);
    for (const size of [1, 7, 1_024, 1_025]) expect(await read(file, bytes, size)).toEqual(whole);
  });
});
