import type { FeedPage, FeedSource } from '@gateway/contracts/providers';
import type { Window } from '#src/windows.ts';

export interface Question extends Window {
  readonly place: string | null;
  readonly pageItems: number | null;
}

/** Sources do not throw; one that does all the same is a list that cannot be had. */
export async function ask(
  source: FeedSource,
  question: Question,
  options: Parameters<FeedSource['readPage']>[1],
): Promise<FeedPage> {
  const { from, to, place, pageItems } = question;
  const query = { from, to, ...(place === null ? {} : { place }), ...(pageItems === null ? {} : { pageItems }) };
  try {
    return await source.readPage(query, options);
  } catch (error) {
    return { kind: 'unavailable', cause: error instanceof Error ? error.message : String(error) };
  }
}

/** How many items a question brought; those that were listed for a page count, though it was not complete in time. */
export function listedFor(page: FeedPage): number {
  if (page.kind === 'page') return page.listed ?? page.rows.length;
  return page.kind === 'unavailable' ? (page.listed ?? 0) : 0;
}
