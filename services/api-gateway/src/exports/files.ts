import { listDeposits } from '@gateway/contracts/deposits';
import type { Export } from '@gateway/contracts/exports';
import { listPayouts } from '@gateway/contracts/payouts';
import { callRpc } from '@gateway/messaging';
import { presenters, shownSchemas } from '@gateway/public-api';
import {
  camt053Format,
  cnab240,
  csvCell,
  csvFormat,
  noTotals,
  ofx102,
  ofx220,
  type StatementFormat,
  type WrittenHeader,
} from '@gateway/statement-files/write';
import { AccountEntity } from '#src/accounts/account.ts';
import { periodOf, type ExportEntity } from '#src/exports/export.ts';
import type { Progress } from '#src/exports/progress.ts';
import { beginMovements, readMovements, requireClosing, type ExportSources } from '#src/exports/read-movements.ts';
import { settlementText, sumsAfter } from '#src/exports/settlement.ts';
import { columnsOf, type CsvColumn } from '#src/statements/csv.ts';

const pageRecords = 200;
const msPerDay = 86_400_000;

/** A piece of a file, and the progress once it is stored. */
export interface Written {
  readonly text: string;
  readonly progress: Progress;
}

/** How the files of a kind are written: each piece from the progress before it alone. */
export interface FileWriter {
  readonly begin: (now: Date) => Promise<Written>;
  readonly page: (progress: Progress) => Promise<Written>;
  readonly end: (progress: Progress) => Promise<string>;
  /** Null where there is no limit. */
  readonly rowsMax: number | null;
}

const noProgress: Progress = {
  parts: 0,
  cursor: null,
  isRead: false,
  isEnded: false,
  totals: noTotals,
  toMs: 0,
  opening: null,
  closing: null,
  balance: null,
  sums: {},
};

const camtVersionDefault = '08';

export function formatOf({ format, raw, camtVersion }: Pick<ExportEntity, 'format' | 'raw' | 'camtVersion'>) {
  const formats: Readonly<Record<Export['format'], () => StatementFormat>> = {
    csv: () => csvFormat({ raw }),
    ofx: () => ofx220,
    ofx102: () => ofx102,
    camt053: () => camt053Format({ version: camtVersion ?? camtVersionDefault }),
    cnab240: () => cnab240,
  };
  return formats[format]();
}

export async function fileWriter(sources: ExportSources, row: ExportEntity): Promise<FileWriter> {
  switch (row.kind) {
    case 'statement':
      return await statementWriter(sources, row);
    case 'settlement':
      return settlementWriter(sources, row);
    case 'deposits':
    case 'payouts':
      return recordWriter(sources, row, row.kind);
  }
}

async function statementWriter(sources: ExportSources, row: ExportEntity): Promise<FileWriter> {
  const format = formatOf(row);
  const { accountId } = row;
  const account = await sources.database.reader().findOneOrFail(AccountEntity, { id: accountId });
  const headerOf = (progress: Progress): WrittenHeader => ({
    id: row.id,
    number: Math.floor(Date.parse(row.toDate) / msPerDay),
    createdAtMs: row.createdAt.getTime(),
    account: { id: accountId, name: account.name, document: account.document ?? null },
    currency: row.currency,
    period: { ...periodOf(row), toMs: progress.toMs },
    opening: progress.opening ?? 0,
    closing: progress.closing ?? 0,
  });
  return {
    rowsMax: format.rowsMax,
    begin: async (now) => {
      const progress = { ...noProgress, ...(await beginMovements(sources, row, now)) };
      return { text: format.begin(headerOf(progress)), progress };
    },
    page: async (before) => {
      const { movements, after } = await readMovements(sources, row, before);
      return { text: format.movements(headerOf(before), movements, before.totals), progress: after };
    },
    end: async (progress) => {
      await requireClosing(sources, row, progress);
      return format.end(headerOf(progress), progress.totals);
    },
  };
}

/** Sums alone are kept while the movements are read, so the whole file is its end. */
function settlementWriter(sources: ExportSources, row: ExportEntity): FileWriter {
  return {
    rowsMax: null,
    begin: async (now) => ({ text: '', progress: { ...noProgress, ...(await beginMovements(sources, row, now)) } }),
    page: async (before) => {
      const { movements, after } = await readMovements(sources, row, before);
      return { text: '', progress: { ...after, sums: sumsAfter(before.sums, movements, row.zone) } };
    },
    end: async (progress) => {
      await requireClosing(sources, row, progress);
      return await settlementText(sources, row, progress);
    },
  };
}

/** The list of a merchant's records as CSV, oldest first, in the contract of the creating call. */
function recordWriter({ bus }: ExportSources, row: ExportEntity, kind: 'deposits' | 'payouts'): FileWriter {
  const { environment, accountId, currency, apiVersion, raw } = row;
  const { fromMs, toMs } = periodOf(row);
  const columns = columnsOf(kind === 'deposits' ? shownSchemas.deposit : shownSchemas.payout, apiVersion);
  const show = presenters[apiVersion];
  const read = async (cursor: string | null) => {
    const request = {
      environment,
      accountId,
      currency,
      from: fromMs / 1_000,
      to: toMs / 1_000,
      order: 'asc' as const,
      limit: pageRecords,
      ...(cursor === null ? {} : { cursor }),
    };
    if (kind === 'deposits') {
      const { deposits, nextCursor } = await callRpc(bus, listDeposits, request);
      return { records: deposits.map((deposit) => show.deposit(deposit)), nextCursor };
    }
    const { payouts, nextCursor } = await callRpc(bus, listPayouts, request);
    return { records: payouts.map((payout) => show.payout(payout)), nextCursor };
  };
  return {
    rowsMax: null,
    begin: async () => {
      const head = `${columns.map(({ name }) => name).join(',')}\r\n`;
      return await Promise.resolve({ text: head, progress: { ...noProgress, toMs } });
    },
    page: async (before) => {
      const { records, nextCursor } = await read(before.cursor);
      const rows = before.totals.rows + records.length;
      const cursor = records.at(-1)?.id ?? before.cursor;
      const progress = { ...before, cursor, isRead: nextCursor === null, totals: { ...before.totals, rows } };
      return { text: records.map((record) => lineOf(record, columns, raw)).join(''), progress };
    },
    end: async () => await Promise.resolve(''),
  };
}

function lineOf(record: object, columns: readonly CsvColumn[], raw: boolean): string {
  const valueAt = (path: readonly string[]) =>
    path.reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      record,
    );
  return `${columns.map(({ path }) => csvCell(valueAt(path), raw)).join(',')}\r\n`;
}
