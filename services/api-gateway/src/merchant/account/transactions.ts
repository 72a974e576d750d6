import { listEntries } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import { pageOf, presenters, shownSchemas, transactionsQuerySchema, type TransactionsQuery } from '@gateway/public-api';
import { callRpc, type Askable, type TimedBus } from '@gateway/messaging';
import { merchantEndpoint, ownerOf, type MerchantCall } from '#src/merchant/merchant-endpoint.ts';
import { statementCsv, statementPageEntries } from '#src/merchant/account/statement-csv.ts';

type EntriesCall = MerchantCall & { query: TransactionsQuery };

export const transactionEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/transactions',
    summary: 'List ledger entries, newest first; with Accept: text/csv the whole statement as CSV',
    query: transactionsQuerySchema,
    answers: { 200: pageOf(shownSchemas.entry) },
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
