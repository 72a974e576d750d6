import { beforeEach, describe, expect, test } from 'vitest';
import { Providers, type ConnectedProvider } from '@gateway/providers';
import { silentLogger } from '@gateway/test-kit';
import { nextDays } from '#src/days/next-day.ts';
import { importStatementFile } from '#src/files/import-statement-file.ts';
import { missingFiles } from '#src/files/observe-files.ts';
import { compareStatements } from '#src/lines/statement-feeds.ts';
import { writeLines } from '#src/lines/write-lines.ts';
import { noon, openBooks } from './books.ts';
import { type Upload, uploadFile } from './uploads.ts';

const database = await openBooks();
let now = noon;
const dependencies = () => ({ database, providers: new Set(['efi']), now: () => now });
beforeEach(async () => {
  now = noon;
  await database.query('truncate statement_file, statement_file_chunk, kept_months');
});

let files = 0;
/** `2026-11-20` at noon, in São Paulo. */
function ofx(days: readonly string[], account = '1'): Buffer {
  const lines = days.map(
    (day) =>
      `<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>${day.replaceAll('-', '')}120000[-3:BRT]</DTPOSTED>` +
      `<TRNAMT>1.00</TRNAMT><FITID>${day} ${++files}</FITID><MEMO>PIX</MEMO></STMTTRN>`,
  );
  return Buffer.from(
    `<?xml version="1.0"?><OFX><CURDEF>BRL</CURDEF><ACCTID>${account}</ACCTID>${lines.join('')}</OFX>`,
  );
}
const imported = async (bytes: Buffer, options: Upload = {}) =>
  await importStatementFile(dependencies(), await uploadFile(dependencies(), bytes, options));
const refused = (field: string, reason: RegExp) => ({
  code: 'VALIDATION_ERROR',
  details: [{ path: 'file', message: expect.stringMatching(new RegExp(`${field}: .*${reason.source}`)) as string }],
});
const count = async () => (await database.query('select 1 from line')).length;

describe('the files of a provider and currency', () => {
  test('are those of the account of the first: that of another one is refused by its name, also in a dry run', async () => {
    const first = await imported(ofx(['2026-11-18'], '92678-1'));
    for (const dryRun of [true, false]) {
      const other = imported(ofx(['2026-11-19'], '11111-1'), { dryRun });
      await expect(other).rejects.toMatchObject(
        refused('account', new RegExp(`92678-1 \\(${first.file?.id ?? ''}\\)`)),
      );
    }
    await imported(ofx(['2026-11-19'], '92678-1'));
    expect(await count()).toBe(2);
  });

  test('are also those of another name, once an operator has named it with a file that has it', async () => {
    await imported(ofx(['2026-11-18'], '92678-1'));
    const wrong = imported(ofx(['2026-11-19'], '11111-1'), { account: '0001-92678-1' });
    await expect(wrong).rejects.toMatchObject(refused('account', /is 11111-1, and the one that was named is 0001/));
    await imported(ofx(['2026-11-19'], '0001-92678-1'), { account: '0001-92678-1' });
    await imported(ofx(['2026-11-20'], '0001-92678-1'));
    await imported(ofx(['2026-11-21'], '92678-1'));
    expect(await count()).toBe(4);
  });
});

const statement = { name: 'statement' };
const start = async (hasList: boolean, at: string) => {
  now = new Date(at);
  const efi = { id: 'efi', capabilities: { rails: ['PIX'] }, ...(hasList && { statement }) };
  const providers = new Providers([efi as unknown as ConnectedProvider], []);
  await compareStatements({ database, logger: silentLogger, now: () => now, providers });
};
const listed = async (...days: string[]) => {
  const nothing = { e2eId: null, transferId: null, returnId: null, ourRef: null, counterparty: null, text: null };
  const lines = days.map((day) => ({
    ...({ lineKey: day, amount: 100, currency: 'BRL', kind: 'payment', valueDate: day, ...nothing } as const),
    bookedAt: new Date(`${day}T15:00:00Z`),
  }));
  const read = lines.map((line) => ({ line, raw: {} }));
  await database.transaction((tx) => writeLines(tx, 'efi', read, now));
};
const days = async () =>
  (
    await database.query<{ day: string; source: string }>(
      `select (booked_at at time zone 'America/Sao_Paulo')::date::text as day, source from line order by 1, 2`,
    )
  ).map(({ day, source }) => `${day} ${source}`);

test('a file with a day whose lines were removed with their month is refused by that day', async () => {
  await imported(ofx(['2026-11-18']));
  await database.query(`insert into kept_months (kept_from) values ('2026-05-01T03:00:00Z')`);
  const old = imported(ofx(['2026-04-30', '2026-05-01']));
  await expect(old).rejects.toMatchObject(refused('days', /have 2026-04-30, and lines before 2026-05-01 were removed/));
  await imported(ofx(['2026-05-01']));
  expect(await count()).toBe(2);
});

describe('a day of an account comes from one kind of statement', () => {
  test('when the provider gets a list, it has the days from the next one on, and files have those before', async () => {
    await imported(ofx(['2026-11-18']));
    await start(true, '2026-11-20T12:00:00Z');
    await listed('2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21');
    await listed('2026-11-18', '2026-11-22');
    await imported(ofx(['2026-11-19', '2026-11-20']));
    await expect(imported(ofx(['2026-11-20', '2026-11-21']))).rejects.toMatchObject(refused('days', /have 2026-11-21/));
    const tried = await imported(ofx(['2026-11-20', '2026-11-21']), { dryRun: true });
    expect(tried).toMatchObject({ file: null, dryRun: { summary: { fromDay: '2026-11-20', toDay: '2026-11-21' } } });
    expect(await days()).toEqual([
      ...['2026-11-18 file', '2026-11-19 file', '2026-11-20 file', '2026-11-21 list', '2026-11-22 list'],
    ]);
    expect((await nextDays(database)).map(({ day, isFile }) => [day, isFile])).toEqual([['2026-11-18', true]]);
  });

  test('the files of its last days are missing until they come, and none of the days of its list', async () => {
    await imported(ofx(['2026-11-19']));
    await start(true, '2026-11-20T12:00:00Z');
    const at = new Date('2026-11-25T13:00:00Z');
    expect(await missingFiles(database, at)).toMatchObject([{ overdueSec: 4 * 86_400 }]);
    await imported(ofx(['2026-11-20']));
    expect(await missingFiles(database, at)).toMatchObject([{ overdueSec: 0 }]);
  });

  test('when the provider has no list any more, files have the days from the one after its last line on', async () => {
    await start(true, '2026-11-18T12:00:00Z');
    await listed('2026-11-18', '2026-11-19');
    await expect(imported(ofx(['2026-11-20']))).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await start(false, '2026-11-20T09:00:00Z');
    await expect(imported(ofx(['2026-11-19', '2026-11-20']))).rejects.toMatchObject(refused('days', /have 2026-11-19/));
    await imported(ofx(['2026-11-20']));
    expect(await days()).toEqual(['2026-11-18 list', '2026-11-19 list', '2026-11-20 file']);
  });

  test('a list that was away while no file came was never gone', async () => {
    await start(true, '2026-11-18T12:00:00Z');
    await listed('2026-11-18');
    await start(false, '2026-11-19T12:00:00Z');
    await start(true, '2026-11-20T12:00:00Z');
    await start(true, '2026-11-20T13:00:00Z');
    await listed('2026-11-18', '2026-11-19', '2026-11-20');
    expect(await days()).toEqual(['2026-11-18 list', '2026-11-19 list', '2026-11-20 list']);
    await expect(imported(ofx(['2026-11-19']))).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});
