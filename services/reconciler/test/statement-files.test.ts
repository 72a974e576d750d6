import { beforeEach, describe, expect, test, vi } from 'vitest';
import { statementLineIdSchema } from '@gateway/contracts/ledger';
import { csvMappingSchema } from '@gateway/contracts/reconciler';
import { importStatementFile, resumeImports } from '#src/files/import-statement-file.ts';
import { approveStatementMapping, draftStatementMapping } from '#src/files/mappings.ts';
import { appendStatementFile } from '#src/files/receive-statement-file.ts';
import { getStatementFile, listStatementFiles } from '#src/files/statement-file.ts';
import { after, arrive, booked, compare, matchesOf, noon, openBooks, record } from './books.ts';
import { type Upload, uploadFile } from './uploads.ts';

const database = await openBooks();
const now = vi.fn(() => noon);
const dependencies = () => ({ database, providers: new Set(['efi', 'woovi']), now });
beforeEach(async () => {
  now.mockReturnValue(noon);
  await database.query('truncate statement_file, statement_file_chunk, statement_mapping');
});

const e2e = (last: string) => `E12345678202611201200${last.padStart(11, 'a')}`;
interface Movement {
  readonly amount: string;
  readonly id: string;
  readonly memo?: string;
  readonly day?: string;
  readonly ref?: string;
}
function ofx(movements: readonly Movement[]): Buffer {
  const lines = movements.map(
    ({ amount, id, memo = 'PIX RECEBIDO', day = '20261120', ref }) =>
      `<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>${day}120000[-3:BRT]</DTPOSTED><TRNAMT>${amount}</TRNAMT>` +
      `<FITID>${id}</FITID>${ref === undefined ? '' : `<REFNUM>${ref}</REFNUM>`}<MEMO>${memo}</MEMO></STMTTRN>\n`,
  );
  return Buffer.from(`<?xml version="1.0"?><OFX><CURDEF>BRL</CURDEF><ACCTID>1</ACCTID>\n${lines.join('')}</OFX>`);
}

const uploaded = async (bytes: Buffer, options: Upload = {}) => await uploadFile(dependencies(), bytes, options);
const imported = async (bytes: Buffer, options: Upload = {}) =>
  await importStatementFile(dependencies(), await uploaded(bytes, options));
const lines = () =>
  database.query<{ key: string; amount: number; kind: string; file: string }>(
    `select line_key as key, amount, kind, file_id as file from line order by line_key`,
  );
const tables = () =>
  database.query(`select (select count(*) from line) as lines, (select count(*) from match) as matches,
    (select count(*) from statement_file_chunk) as chunks, (select array_agg(state) from statement_file) as states`);

describe('a file is imported once, and each of its lines once', () => {
  const file = ofx([
    { amount: '10,00', id: 'A1' },
    { amount: '10,00', id: 'A1' },
    { amount: '-3.50', id: 'A2', memo: 'TARIFA PIX' },
  ]);

  test('the same file twice is answered with the first', async () => {
    const first = await imported(file);
    const second = await imported(file);
    expect(first).toMatchObject({ created: true, file: { state: 'IMPORTED', summary: { lines: 3, newLines: 3 } } });
    expect(second).toEqual({ ...first, created: false });
    expect(await lines()).toMatchObject([
      { key: 'efi:file:BRL:2026-11-20:-350:A2:1', amount: -350, kind: 'provider_fee' },
      { key: 'efi:file:BRL:2026-11-20:1000:A1:1', amount: 1_000, kind: 'payment' },
      { key: 'efi:file:BRL:2026-11-20:1000:A1:2', amount: 1_000, kind: 'payment' },
    ]);
    expect((await tables())[0]).toMatchObject({ chunks: 1, states: ['IMPORTED'] });
  });

  test('the same bytes at the same moment are one file', async () => {
    const uploads = [await uploaded(file), await uploaded(file), await uploaded(file)];
    const answers = await Promise.all(uploads.map((upload) => importStatementFile(dependencies(), upload)));
    expect(new Set(answers.map((answer) => answer.file?.id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await lines()).toHaveLength(3);
  });

  test('files that overlap add what is new, and the same payment twice is two lines', async () => {
    const morning = await imported(ofx([{ amount: '10,00', id: 'A1' }]));
    const day = await imported(file);
    expect(day).toMatchObject({ created: true, file: { summary: { lines: 3, newLines: 2 } } });
    const files = (await lines()).map((each) => each.file);
    expect(files).toEqual([day.file?.id, morning.file?.id, day.file?.id]);
  });

  test('the same line of two accounts has two ids, under which the ledger can book both, whatever their document is', async () => {
    const fees = ['A1', '0', 'nº 12/2026 · '.repeat(20)].map((id) => ({ amount: '-0,85', id, memo: 'TARIFA PIX' }));
    await imported(ofx(fees));
    await imported(Buffer.concat([ofx(fees), Buffer.from('\n')]), { provider: 'woovi' });
    const keys = (await lines()).map(({ key }) => key);
    expect(new Set(keys).size).toBe(6);
    expect(keys.filter((key) => !statementLineIdSchema.safeParse(key).success)).toEqual([]);
  });

  test('a reference that names no transfer is not taken for one: what all lines have, or what no index could hold', async () => {
    const long = Array.from({ length: 4_000 }, (_, at) => ((at * 7_919) ** 3 % 36).toString(36)).join('');
    const references = ['000000', '000000', 'PIX', long, e2e('1'), '2026112040014BMOV0000'];
    await imported(ofx(references.map((ref, at) => ({ amount: '1.00', id: `A${at}`, ref }))));
    expect(await database.query('select e2e_id as id from line order by line_key')).toEqual(
      [null, null, null, null, ...references.slice(4)].map((id) => ({ id })),
    );
  });

  test('a line that is matched stays so when an overlapping file comes', async () => {
    const payment = [record('payment', 'dep_1', 1_000, { e2eId: e2e('1') }), booked('credit-deposit:dep_1', 1_000)];
    await arrive(database, { facts: payment });
    const paid = { amount: '10.00', id: 'A1', memo: `PIX ${e2e('1')}` };
    await imported(ofx([paid]));
    await imported(ofx([paid, { amount: '1.00', id: 'A9' }]));
    const { matches } = await matchesOf(database);
    expect(matches.filter(({ subject }) => subject === 'payment:dep_1')).toMatchObject([
      { state: 'matched', p: 1_000 },
    ]);
  });
});

describe('a file that cannot be read whole leaves nothing', () => {
  const bad = Buffer.from(
    ofx([{ amount: '10.00', id: 'A1' }])
      .toString()
      .replace('</OFX>', ''),
  );

  test('it is refused by its line and field, and may come again', async () => {
    const message = { path: 'file', message: expect.stringMatching(/^line 3, OFX: is not closed/) as string };
    await expect(imported(bad)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [message] });
    await expect(imported(bad)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await tables())[0]).toEqual({ lines: 0, matches: 0, chunks: 0, states: ['REFUSED', 'REFUSED'] });
    const { files } = await listStatementFiles(dependencies(), { limit: 10, state: 'REFUSED' });
    expect(files[0]?.refusal).toMatchObject({ line: 3, field: 'OFX' });
  });

  test('the days of a file in another format are refused', async () => {
    await imported(ofx([{ amount: '10.00', id: 'A1' }]));
    await draftStatementMapping(dependencies(), { provider: 'efi', mapping, operator: 'ana' });
    await approveStatementMapping(dependencies(), { provider: 'efi', version: 1, operator: 'bruno' });
    await expect(imported(csv, { format: 'csv' })).rejects.toThrow(/days: are those of stf_\w+ too/);
    expect(await lines()).toHaveLength(1);
  });

  test('bytes that did not arrive as they were sent are not read', async () => {
    const upload = await uploaded(ofx([{ amount: '10.00', id: 'A1' }]));
    const changed = { ...upload, sha256: '0'.repeat(64) };
    await expect(importStatementFile(dependencies(), changed)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(appendStatementFile(dependencies(), { id: upload.id, number: 0, bytes: 'AAAA' })).rejects.toThrow(
      /other bytes/,
    );
  });

  test('a provider that is unknown, or whose list is read, has no files', async () => {
    await expect(uploaded(bad, { provider: 'nosuch' })).rejects.toMatchObject({ details: [{ path: 'provider' }] });
    await compare(database);
    await expect(uploaded(bad)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});

describe('a process that dies while it imports', () => {
  const movements = Array.from({ length: 5_000 }, (_, at) => ({ amount: '10.00', id: `A${at}` }));

  test('between two batches leaves no line, and the import is begun anew', async () => {
    const upload = await uploaded(ofx(movements));
    let batches = 0;
    const dying = {
      ...dependencies(),
      database: new Proxy(database, {
        get: (target, member) => {
          const value: unknown = Reflect.get(target, member, target);
          if (member !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          return (work: Parameters<typeof database.transaction>[0]) =>
            target.transaction((tx) =>
              work({
                ...tx,
                sql: (...call: Parameters<typeof tx.sql>) => {
                  if (call[0].includes('pg_advisory_xact_lock($1)') && ++batches === 2) throw new Error('killed');
                  return tx.sql(...call);
                },
              }),
            );
        },
      }),
    };
    await expect(importStatementFile(dying, upload)).rejects.toThrow('killed');
    expect((await tables())[0]).toMatchObject({ lines: 0, matches: 0, states: ['RECEIVED'] });
    now.mockReturnValue(after(3));
    await resumeImports(dependencies());
    expect((await tables())[0]).toMatchObject({ lines: 5_000, states: ['IMPORTED'] });
    expect((await getStatementFile(dependencies(), upload)).file.summary).toMatchObject({ newLines: 5_000 });
  });

  test('keeps no other file waiting when it cannot be imported for a reason that is not its content', async () => {
    const broken = await uploaded(ofx([{ amount: '10.00', id: 'A1' }]));
    const whole = await uploaded(ofx([{ amount: '20.00', id: 'A2' }]));
    await database.query(
      `update statement_file set state = 'RECEIVED', sha256 = id, import_due_at = $1,
         format = case id when $2 then 'csv' else format end`,
      [noon, broken.id],
    );
    await expect(resumeImports(dependencies())).rejects.toThrow('could not be imported');
    expect((await lines()).map(({ file }) => file)).toEqual([whole.id]);
    await resumeImports(dependencies());
    now.mockReturnValue(after(3));
    await expect(resumeImports(dependencies())).rejects.toThrow('could not be imported');
  });

  test('an upload that is given up is deleted', async () => {
    await uploaded(ofx(movements));
    now.mockReturnValue(after(61));
    await resumeImports(dependencies());
    expect((await tables())[0]).toMatchObject({ chunks: 0, states: null });
  });
});

test('an imported file and its bytes never change', async () => {
  const { file } = await imported(ofx([{ amount: '10.00', id: 'A1' }]));
  for (const statement of [
    "update statement_file set provider = 'woovi' where id = $1",
    'delete from statement_file where id = $1',
    `update statement_file_chunk set bytes = 'x' where file_id = $1`,
    'delete from statement_file_chunk where file_id = $1',
  ]) {
    await expect(database.query(statement, [file?.id])).rejects.toThrow(/never change/);
  }
});

const csv = Buffer.from('Data;Valor;Id;Texto\n20/11/2026;1,00;7;PIX\n');
const mapping = csvMappingSchema.parse({
  delimiter: ';',
  date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
  amount: { column: 'Valor', decimal: ',' },
  id: 'Id',
  text: 'Texto',
});

describe('the mapping of a CSV', () => {
  test('is used in dry runs as a draft, and imports when another operator has approved it', async () => {
    const draft = { provider: 'efi', mapping, operator: 'ana' };
    await expect(uploaded(csv, { format: 'csv' })).rejects.toMatchObject({ details: [{ path: 'format' }] });
    await draftStatementMapping(dependencies(), draft);
    expect(await imported(csv, { format: 'csv', dryRun: true, mappingVersion: 1 })).toMatchObject({
      file: null,
      dryRun: {
        summary: { lines: 1, newLines: 1 },
        lines: [{ line: 2, amountCents: 100, kind: 'payment', document: '7' }],
      },
    });
    expect((await tables())[0]).toMatchObject({ lines: 0, chunks: 0, states: null });
    await expect(uploaded(csv, { format: 'csv' })).rejects.toMatchObject({ details: [{ path: 'format' }] });
    const own = { provider: 'efi', version: 1, operator: 'ana' };
    await expect(approveStatementMapping(dependencies(), own)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const approved = await approveStatementMapping(dependencies(), { ...own, operator: 'bruno' });
    expect(approved.mapping).toMatchObject({ state: 'APPROVED', approvedBy: 'bruno' });
    expect((await imported(csv, { format: 'csv' })).file).toMatchObject({ mappingVersion: 1, state: 'IMPORTED' });
  });

  test('that is older than the approved one is not approved any more', async () => {
    for (const operator of ['ana', 'ana']) {
      await draftStatementMapping(dependencies(), { provider: 'efi', mapping, operator });
    }
    await approveStatementMapping(dependencies(), { provider: 'efi', version: 2, operator: 'bruno' });
    const older = { provider: 'efi', version: 1, operator: 'bruno' };
    await expect(approveStatementMapping(dependencies(), older)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});
