import { beforeEach, describe, expect, test } from 'vitest';
import { csvMappingSchema } from '@gateway/contracts/reconciler';
import { silentLogger } from '@gateway/test-kit';
import { listDays } from '#src/days/list-days.ts';
import { closeDays } from '#src/days/statement-days.ts';
import { importStatementFile } from '#src/files/import-statement-file.ts';
import { approveStatementMapping, draftStatementMapping } from '#src/files/mappings.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import { noon, openBooks } from './books.ts';
import { type Upload, uploadFile } from './uploads.ts';

const database = await openBooks();
/** When files come: after all their days, where a test does not say otherwise. */
const dayAfter = new Date('2026-11-22T12:00:00Z');
let now = dayAfter;
const dependencies = () => ({ database, providers: new Set(['efi']), now: () => now });
beforeEach(async () => {
  now = dayAfter;
  await database.query('truncate statement_file, statement_file_chunk, statement_mapping, day_close');
});
const imported = async (bytes: Buffer, options: Upload) =>
  await importStatementFile(dependencies(), await uploadFile(dependencies(), bytes, options));

describe('days of an account whose statement comes as files', () => {
  const closed = async (day: string) => {
    const at = new Date(`${day}T16:00:00Z`);
    const without = { balances: async () => [], checkpoint: async () => null };
    await closeDays({ database, logger: silentLogger, now: () => at, ...without });
    return (await listDays({ database }, { limit: 50 })).days.map(({ day: of, state, opening, closing }) => [
      ...[of, state, opening, closing],
    ]);
  };

  /** A day that begins with so much, and of which the file has movements of so much each. */
  const camt = (day: string, opening: number, amounts = [10]) => {
    const balance = (code: string, amount: number) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">${amount}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    const closing = amounts.reduce((sum, amount) => sum + amount, opening);
    return Buffer.from(
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
      <Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}
      ${amounts.map((amount, at) => `<Ntry><Amt Ccy="BRL">${amount}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryRef>${day}-${at}</NtryRef></Ntry>`).join('')}
      </Stmt></BkToCstmrStmt></Document>`,
    );
  };

  test('begin with the opening balance of the first file, however many days it has', async () => {
    const ofTwoDays = (first: string, second: string) =>
      Buffer.from(
        `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
        <Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>
        <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
        <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">1030.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
        ${[first, second].map((day, at) => `<Ntry><Amt Ccy="BRL">${at + 1}0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryRef>${at}</NtryRef></Ntry>`).join('')}
        </Stmt></BkToCstmrStmt></Document>`,
      );
    await imported(ofTwoDays('2026-11-20', '2026-11-21'), { format: 'camt053' });
    expect(await closed('2026-11-22')).toEqual([
      ['2026-11-22', 'OPEN', 103_000, 103_000],
      ['2026-11-21', 'CLOSED', 101_000, 103_000],
      ['2026-11-20', 'CLOSED', 100_000, 101_000],
    ]);
  });

  test('close by themselves when files of earlier days come after the first of them is closed', async () => {
    await imported(camt('2026-11-20', 1_000), { format: 'camt053' });
    expect(await closed('2026-11-21')).toContainEqual(['2026-11-20', 'CLOSED', 100_000, 101_000]);
    await imported(camt('2026-11-19', 990), { format: 'camt053' });
    await imported(camt('2026-11-21', 1_010), { format: 'camt053' });
    expect(await closed('2026-11-22')).toContainEqual(['2026-11-21', 'CLOSED', 101_000, 102_000]);
  });

  test('do not close by a file that came while they were under way, and close by the file of the whole day', async () => {
    now = noon;
    await imported(camt('2026-11-20', 1_000), { format: 'camt053' });
    expect(await closed('2026-11-21')).toEqual([['2026-11-20', 'OPEN', 100_000, 101_000]]);
    now = new Date('2026-11-21T03:00:00Z');
    await imported(camt('2026-11-20', 1_000, [10, 7]), { format: 'camt053' });
    expect(await closed('2026-11-21')).toContainEqual(['2026-11-20', 'CLOSED', 100_000, 101_700]);
  });

  test('close by a later file that has them too, whose end is not the balance of the one that came before', async () => {
    now = noon;
    await imported(camt('2026-11-20', 1_000), { format: 'camt053' });
    now = dayAfter;
    const both = camt('2026-11-20', 1_000, [10, 7, 3])
      .toString()
      .replace(
        '<Dt>2026-11-20</Dt></BookgDt><NtryRef>2026-11-20-2',
        '<Dt>2026-11-21</Dt></BookgDt><NtryRef>2026-11-21-0',
      );
    await imported(Buffer.from(both), { format: 'camt053' });
    expect(await closed('2026-11-22')).toContainEqual(['2026-11-20', 'CLOSED', 100_000, 101_700]);
  });

  test.each(['UTC', 'America/Mexico_City'])('are those of the file, in the zone of its mapping: %s', async (zone) => {
    const mapping = csvMappingSchema.parse({
      ...{ date: { column: 'date', format: 'YYYY-MM-DD HH:mm', zone }, amount: { column: 'amount', decimal: '.' } },
      id: 'id',
    });
    await draftStatementMapping(dependencies(), { provider: 'efi', mapping, operator: 'ana' });
    await approveStatementMapping(dependencies(), { provider: 'efi', version: 1, operator: 'bruno' });
    const rows = ['2026-11-20 00:30,1,1.00', '2026-11-20 23:30,2,2.00', '2026-11-21 00:30,3,4.00'];
    await imported(Buffer.from(`date,id,amount\n${rows.join('\n')}\n`), { format: 'csv' });
    expect(await closed('2026-11-22')).toEqual([
      ['2026-11-22', 'OPEN', 700, 700],
      ['2026-11-21', 'CLOSED', 300, 700],
      ['2026-11-20', 'CLOSED', 0, 300],
    ]);
  });
});

describe('files that each have a part of a day', () => {
  const head = 'date,id,text,amount';
  const file = (...rows: string[]) => Buffer.from(`${[head, ...rows].join('\n')}\n`);
  const [paid, fee, other, again] = [
    '2026-11-20,,PIX RECEBIDO,10.00',
    '2026-11-20,,TARIFA,-1.00',
    '2026-11-20,,PIX RECEBIDO,5.00',
    '2026-11-20,7,PIX RECEBIDO,3.00',
  ];
  const csv = { format: 'csv' } as const;
  beforeEach(async () => {
    const mapping = csvMappingSchema.parse({
      date: { column: 'date', format: 'YYYY-MM-DD', zone: 'America/Sao_Paulo' },
      amount: { column: 'amount', decimal: '.' },
      ...{ id: 'id', text: 'text' },
    });
    await draftStatementMapping(dependencies(), { provider: 'efi', mapping, operator: 'ana' });
    await approveStatementMapping(dependencies(), { provider: 'efi', version: 1, operator: 'bruno' });
  });
  const amounts = async () =>
    (await database.query<{ amount: number }>('select amount from line order by amount')).map(({ amount }) => amount);

  test('and an equal payment that nothing names are not guessed to be of one or two payments: the file of the whole day has both', async () => {
    const { file: first } = await imported(file(paid, fee), csv);
    const refusal = `have a part of 2026-11-20, and ${first!.id} has another`;
    await expect(imported(file(paid, other), csv)).rejects.toThrow(refusal);
    await database.transaction(async (tx) => {
      // Nothing of such a file waits for matching, nor has it wait.
      await lockMatching(tx, [{ environment: 'live' }]);
      await expect(imported(file(paid), csv)).rejects.toThrow(refusal);
    });
    await expect(imported(file(paid, other), { ...csv, dryRun: true })).rejects.toThrow(refusal);
    expect(await amounts()).toEqual([-100, 1_000]);
    await imported(file(paid, fee, paid, other), csv);
    expect(await amounts()).toEqual([-100, 500, 1_000, 1_000]);
    // The same day once more, in other bytes: what nothing names is what it was.
    const sameDay = await imported(file(other, paid, paid, fee), csv);
    expect(sameDay.file?.summary).toMatchObject({ lines: 4, newLines: 0 });
    expect(await amounts()).toEqual([-100, 500, 1_000, 1_000]);
    await expect(imported(file(paid, fee, other), csv)).rejects.toThrow(/have a part of 2026-11-20/);
  });

  test('are taken where what both have is named, where they have nothing in common, and where one has all of the other', async () => {
    await imported(file(fee, again), csv);
    await imported(file(again, paid), csv);
    await imported(file(other), csv);
    await imported(file(fee, again, paid, other, '2026-11-21,,PIX RECEBIDO,10.00'), csv);
    await imported(file('2026-11-21,,PIX RECEBIDO,10.00', '2026-11-21,,PIX RECEBIDO,10.00'), csv);
    expect(await amounts()).toEqual([-100, 300, 500, 1_000, 1_000, 1_000]);
  });
});
