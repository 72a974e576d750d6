import type { FeedQuery, FeedRow } from '@gateway/contracts/providers';
import type { Feed } from '#src/feeds.ts';

/** More would be a list that does not end. */
const pagesMax = 1_000;

/** The rows of a window, page after page. @throws Error where a page cannot be had */
export async function rowsOf(feed: Feed, window: Omit<FeedQuery, 'place'>): Promise<FeedRow[]> {
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
