import { Readable } from 'node:stream';
import { presentEntry, type LedgerEntry } from '@gateway/contracts';

/** Entries fetched at once while a statement is being written. */
export const statementPageEntries = 200;

/** CSV columns of api.md 2: every value is an id, a name or an integer, so nothing needs quotes. */
const columns = [
  'id',
  'type',
  'amount_cents',
  'currency',
  'ref_type',
  'ref_id',
  'balance_after_cents',
  'created_at',
] as const;

interface EntriesPage {
  readonly entries: readonly LedgerEntry[];
  readonly nextCursor: string | null;
}

/**
 * A statement of any length in the memory of one page: the next one is read when the receiver has taken the last.
 * When a page cannot be read the stream is cut off, so that a part is never taken for the whole.
 */
export function statementCsv(first: EntriesPage, read: (cursor: string) => Promise<EntriesPage>): Readable {
  return Readable.from(pagesOfText(first, read), { objectMode: false, highWaterMark: 1 });
}

async function* pagesOfText(
  first: EntriesPage,
  read: (cursor: string) => Promise<EntriesPage>,
): AsyncGenerator<string> {
  let page = first;
  yield `${columns.join(',')}\n${rowsOf(page)}`;
  while (page.nextCursor !== null) {
    page = await read(page.nextCursor);
    if (page.entries.length > 0) yield rowsOf(page);
  }
}

function rowsOf({ entries }: EntriesPage): string {
  return entries
    .map((entry) => {
      const row = presentEntry(entry);
      return `${columns.map((column) => row[column]).join(',')}\n`;
    })
    .join('');
}
