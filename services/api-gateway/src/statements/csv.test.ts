import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { depositResourceSchema, shownSchemas } from '@gateway/public-api';
import { columnsOf, csvStream, type CsvPage } from '#src/statements/csv.ts';

const columns = [{ name: 'id', path: ['id'] }];
const list = { columns, raw: false };
const page: CsvPage = { rows: Array.from({ length: 200 }, () => ({ id: 'led_1' })), nextCursor: 'led_1' };

const textOf = async (value: unknown, raw = false) => {
  const stream = csvStream({ columns, raw }, { rows: [{ id: value }], nextCursor: null }, async () => page);
  return (await stream.toArray()).join('').replace(/^id\n/, '').replace(/\n$/, '');
};

test('a list is read no further than its receiver takes it', async () => {
  let pagesRead = 0;
  const stream = csvStream(list, page, async () => {
    pagesRead += 1;
    return page;
  });
  let chunksTaken = 0;
  for await (const chunk of stream) {
    expect(String(chunk)).toContain('led_1');
    chunksTaken += 1;
    expect(pagesRead).toBeLessThanOrEqual(chunksTaken + 2);
    if (chunksTaken === 50) break;
  }
  expect(stream.destroyed).toBe(true);
  expect(pagesRead).toBeLessThanOrEqual(52);
});

test('a list without records is its head line', async () => {
  const stream = csvStream(list, { rows: [], nextCursor: null }, async () => page);
  expect((await stream.toArray()).join('')).toBe('id\n');
});

describe('a cell', () => {
  test.each(['=1+1', '+5511999998888', '-cmd', '@sum', '\tx', '\rx'])(
    'that begins as a formula does, %j, is text',
    async (text) => {
      expect((await textOf(text)).replaceAll('"', '')).toBe(`'${text}`);
      expect((await textOf(text, true)).replaceAll('"', '')).toBe(text);
    },
  );

  test.each([';=1+1', 'Silva;"=1+1"', 'a\n-cmd', 'a\t@sum', '; +1', 'x;＝1'])(
    'in which a spreadsheet with another separator would find a formula, %j, is text there too',
    async (text) => {
      expect((await textOf(text)).replaceAll('"', '')).toBe(
        text.replaceAll('"', '').replace(/[;\n\t](?=\s?[=+\-@＝])/, "$&'"),
      );
    },
  );

  test.each(['-50.00', '0.10', '-1', '12'])('that is an amount, %s, stays a number', async (text) => {
    expect(await textOf(text)).toBe(text);
  });

  test('is quoted where it would break its line, and says every character', async () => {
    expect(await textOf('Silva, "João"\nFilho; 🙂')).toBe('"Silva, ""João""\nFilho; 🙂"');
    expect(await textOf(' x')).toBe('" x"');
  });

  test('is empty where there is nothing, and JSON where there is a map', async () => {
    expect([await textOf(null), await textOf(undefined), await textOf(-7), await textOf(true)]).toEqual([
      '',
      '',
      '-7',
      'true',
    ]);
    expect(await textOf({ order: '1' })).toBe('"{""order"":""1""}"');
  });
});

describe('whatever the texts of a list are', () => {
  const pieces = fc.constantFrom(...'=+-@＝,;\t\n\r" \'0aã'.split(''));
  const text = fc.oneof(fc.string({ unit: pieces, maxLength: 12 }), fc.string({ maxLength: 12 }));
  const record = fc.record({
    id: fc.constant('led_1'),
    name: text,
    metadata: fc.dictionary(text, text, { maxKeys: 2 }),
  });
  const named = ['id', 'name', 'metadata'].map((name) => ({ name, path: [name] }));
  const fileOf = async (rows: object[]) =>
    (await csvStream({ columns: named, raw: false }, { rows, nextCursor: null }, async () => page).toArray()).join('');

  test.each([',', ';', '\t'])('a spreadsheet that separates by %j finds no formula in it', async (separator) => {
    const property = fc.asyncProperty(fc.array(record, { maxLength: 3 }), async (rows) => {
      const cells = readAsSpreadsheet(await fileOf(rows), separator).flat();
      const begins = (cell: string) => /^[\s"]*[=+\-@＝]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell);
      expect(cells.filter(begins)).toEqual([]);
    });
    await fc.assert(property);
  });

  test('no character of them is lost', async () => {
    const property = fc.asyncProperty(fc.array(record, { maxLength: 3 }), async (rows) => {
      const without = (cell: string) => cell.replaceAll("'", '');
      const [, ...lines] = readAsSpreadsheet(await fileOf(rows), ',');
      expect(lines.map((cells) => cells.map(without))).toEqual(
        rows.map(({ id, name, metadata }) => [id, name, JSON.stringify(metadata)].map(without)),
      );
    });
    await fc.assert(property);
  });
});

/** As Excel does it: quotes count where a cell begins, and what follows the closing one belongs to the cell. */
function readAsSpreadsheet(file: string, separator: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at < file.length; at += 1) {
    let cell = '';
    if (file[at] === '"') {
      const quoted = /^"((?:[^"]|"")*)"?/.exec(file.slice(at))!;
      cell = quoted[1]!.replaceAll('""', '"');
      at += quoted[0].length;
    }
    for (; at < file.length && file[at] !== separator && file[at] !== '\n' && file[at] !== '\r'; at += 1)
      cell += file.charAt(at);
    cells.push(cell);
    if (file[at] === separator) continue;
    rows.push(cells);
    cells = [];
  }
  return rows;
}

test('a list has a column for each member of its resource, those of an object within it beside the others', () => {
  const names = columnsOf(shownSchemas.deposit, '0.1').map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['id', 'external_id', 'status']);
  expect(names).toEqual(expect.arrayContaining(['pix_emv', 'payer_name', 'payer_details_ispb', 'metadata', 'paid_at']));
  expect(new Set(names).size).toBe(names.length);
  const members = Object.keys(depositResourceSchema.shape).filter((name) => name !== 'object');
  for (const member of members)
    expect(names.some((name) => name === member || name.startsWith(`${member}_`))).toBe(true);
  expect(columnsOf(shownSchemas.deposit, '1.0').map(({ name }) => name)).toContain('amount_received');
  expect(columnsOf(z.object({ a: z.string().nullable().optional() }), '1.0')).toEqual([{ name: 'a', path: ['a'] }]);
});
