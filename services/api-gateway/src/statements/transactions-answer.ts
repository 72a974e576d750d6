import { z } from 'zod';
import { listEntries, showEntries, type LedgerEntry } from '@gateway/contracts/ledger';
import type { ApiVersion } from '@gateway/contracts/values';
import { callForBytes, callRpc, type Askable, type TimedBus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import {
  accountingColumns,
  accountingRowSchema,
  pageOf,
  presentAccountingRow,
  presenters,
  shownSchemas,
  ZoneClock,
  type TransactionsQuery,
} from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import type { CsvColumn } from '#src/statements/csv.ts';
import { readEntryDetails, type Owner } from '#src/statements/entry-details.ts';
import { answerList, namesJson, wantsCsv, type OrderedPageAsked } from '#src/statements/list-answer.ts';

interface TransactionsCall {
  readonly query: TransactionsQuery;
  readonly accept: string | undefined;
  readonly apiVersion: ApiVersion;
  /** The records that are shown are counted, as those that operators read are. */
  readonly isCounted?: boolean;
}

interface Services {
  readonly bus: TimedBus;
  readonly database: Database;
}

/** A page of entries, or of rows of the accounting statement. */
export const transactionsSchema = {
  '0.1': z.union([pageOf(shownSchemas.entry['0.1']), pageOf(accountingRowSchema)]),
  '1.0': z.union([pageOf(shownSchemas.entry['1.0']), pageOf(accountingRowSchema)]),
} as const;

/** The columns of api.md 2 and 3. */
const columns: Readonly<Record<ApiVersion, readonly CsvColumn[]>> = {
  '0.1': named(['id', 'type', 'amount_cents', 'currency', 'ref_type', 'ref_id', 'balance_after_cents', 'created_at']),
  '1.0': named(['id', 'type', 'amount', 'currency', 'ref_type', 'ref_id', 'balance_after', 'created_at']),
};

function named(names: readonly string[]): CsvColumn[] {
  return names.map((name) => ({ name, path: [name] }));
}

/** The entries of an account as a page, as CSV, or as the accounting statement. */
export async function answerTransactions(call: TransactionsCall, owner: Owner, services: Services): Promise<Answer> {
  const { query, apiVersion } = call;
  const { currency, type, ref_id: refId } = query;
  const request = (page: OrderedPageAsked) => ({ ...owner, ...page, currency, type, refId });
  const readPage = async (asked: Askable, page: OrderedPageAsked) => await callRpc(asked, listEntries, request(page));
  if (query.format === 'accounting') return await answerAccounting(call, owner, services, readPage);
  return await answerList(call, services.bus, {
    name: 'transactions',
    columns: () => columns[apiVersion],
    isCsv: wantsCsv(call),
    shown: call.isCounted
      ? undefined
      : (asked, page) => callForBytes(asked, showEntries, { ...request(page), apiVersion }),
    page: async (asked, page) => {
      const { entries, nextCursor } = await readPage(asked, page);
      return { data: entries.map(presenters[apiVersion].entry), nextCursor };
    },
  });
}

type ReadPage = (
  asked: Askable,
  page: OrderedPageAsked,
) => Promise<{ entries: LedgerEntry[]; nextCursor: string | null }>;

async function answerAccounting(
  call: TransactionsCall,
  owner: Owner,
  { bus, database }: Services,
  readPage: ReadPage,
): Promise<Answer> {
  const clock = new ZoneClock(call.query.zone);
  return await answerList(call, bus, {
    name: 'statement',
    columns: () => named(accountingColumns),
    isCsv: !namesJson(call.accept),
    page: async (asked, page) => {
      const { entries, nextCursor } = await readPage(asked, page);
      const detailsOf = await readEntryDetails({ bus: asked, database }, owner, entries);
      return { data: entries.map((entry) => presentAccountingRow(entry, detailsOf(entry), clock)), nextCursor };
    },
  });
}
