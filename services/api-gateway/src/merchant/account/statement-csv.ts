import { Readable } from 'node:stream';
import type { LedgerEntry } from '@gateway/contracts/ledger';
import type { ApiVersion } from '@gateway/contracts/values';
import { presenters } from '@gateway/public-api';

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
