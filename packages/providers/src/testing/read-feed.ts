import type { FeedQuery, FeedRow, FeedSource } from '@gateway/contracts/providers';
import type { PaymentProvider } from '#src/payment-provider.ts';
import type { StatementLine } from '#src/statement.ts';

/** More would be a list that does not end. */
const pagesMax = 1_000;

/** The rows of a window, page after page. @throws Error where a page cannot be had */
export async function rowsOf(feed: FeedSource, window: Omit<FeedQuery, 'place'>): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  let place: string | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await feed.readPage({ ...window, ...(place === undefined ? {} : { place }) });
    if (page.kind !== 'page') throw new Error(`the list of ${feed.name} is ${page.kind}: ${page.cause}`);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    place = page.next;
  }
  throw new Error(`the list of ${feed.name} does not end`);
}

/** The lines of a provider's statement. @throws Error where a row cannot be read */
export async function linesOf(
  { statement }: PaymentProvider,
  window: Omit<FeedQuery, 'place'>,
): Promise<StatementLine[]> {
  if (!statement) return [];
  return (await rowsOf(statement, window)).flatMap((row) => {
    const item = statement.read(row);
    if (item.kind === 'unreadable') throw new Error(`a line is unreadable: ${item.shape}`);
    return item.kind === 'line' ? [item.line] : [];
  });
}
