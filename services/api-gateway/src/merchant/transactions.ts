import { Readable } from 'node:stream';
import { type LedgerEntry, listEntries } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { ApiVersion } from '@gateway/contracts/values';
import { type Askable, callRpc, type TimedBus } from '@gateway/messaging';
import { pageOf, presenters, shownSchemas, type TransactionsQuery, transactionsQuerySchema } from '@gateway/public-api';
import { type MerchantCall, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

type EntriesCall = MerchantCall & { query: TransactionsQuery };

export const transactionEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/transactions',
    summary: 'List ledger entries, newest first; with Accept: text/csv the whole statement as CSV',
    query: transactionsQuerySchema,
    answers: { 200: pageOf(shownSchemas.entry) },
    otherMedia: { 'text/csv': { type: 'string' } },
    handle: async (call, { bus }) => {
      if (prefersCsv(call.accept)) return await answerStatement(call, bus);
      const { entries, nextCursor } = await readEntries(call, bus, call.query);
      const body = { data: entries.map(presenters[call.apiVersion].entry), next_cursor: nextCursor };
      return { status: 200, body, headers: { vary: 'accept' } };
    },
  }),
];

/** The first page is read before the answer begins, so that what can be refused is refused with its status. */
async function answerStatement(call: EntriesCall, bus: TimedBus) {
  const page = (asked: Askable, cursor: string | undefined) =>
    readEntries(call, asked, { ...call.query, cursor, limit: statementPageEntries });
  const first = await page(bus, call.query.cursor);
  return {
    status: 200,
    body: statementCsv(call.apiVersion, first, (cursor) => page(bus.unhurried, cursor)),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
      vary: 'accept',
    },
  };
}

async function readEntries(
  call: EntriesCall,
  bus: Askable,
  query: TransactionsQuery,
): Promise<ReplyOf<typeof listEntries>> {
  const { ref_id: refId, ...rest } = query;
  return await callRpc(bus, listEntries, { ...ownerOf(call), ...rest, refId });
}

/** JSON is what callers get who name both. */
function prefersCsv(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

/** Entries fetched at once while a statement is being written. */
export const statementPageEntries = 200;

/** CSV columns of api.md 2 and 3: every value is an id, a name or an integer, so nothing needs quotes. */
const columns: Readonly<Record<ApiVersion, readonly string[]>> = {
  '0.1': ['id', 'type', 'amount_cents', 'currency', 'ref_type', 'ref_id', 'balance_after_cents', 'created_at'],
  '1.0': ['id', 'type', 'amount', 'currency', 'ref_type', 'ref_id', 'balance_after', 'created_at'],
};

interface EntriesPage {
  readonly entries: readonly LedgerEntry[];
  readonly nextCursor: string | null;
}

/**
 * A statement of any length in the memory of one page: the next one is read when the receiver has taken the last.
 * When a page cannot be read the stream is cut off, so that a part is never taken for the whole.
 */
export function statementCsv(
  version: ApiVersion,
  first: EntriesPage,
  read: (cursor: string) => Promise<EntriesPage>,
): Readable {
  return Readable.from(pagesOfText(version, first, read), { objectMode: false, highWaterMark: 1 });
}

async function* pagesOfText(
  version: ApiVersion,
  first: EntriesPage,
  read: (cursor: string) => Promise<EntriesPage>,
): AsyncGenerator<string> {
  let page = first;
  yield `${columns[version].join(',')}\n${rowsOf(version, page)}`;
  while (page.nextCursor !== null) {
    page = await read(page.nextCursor);
    if (page.entries.length > 0) yield rowsOf(version, page);
  }
}

function rowsOf(version: ApiVersion, { entries }: EntriesPage): string {
  return entries
    .map((entry) => {
      const row: Readonly<Record<string, unknown>> = presenters[version].entry(entry);
      return `${columns[version].map((column) => row[column]).join(',')}\n`;
    })
    .join('');
}
