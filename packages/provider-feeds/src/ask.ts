import type { FeedPage, FeedSource } from '@gateway/contracts/providers';
import type { CallBudget } from '#src/call-budget.ts';
import type { FeedOf } from '#src/feed-source.ts';
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

/** A question for which a call was taken: the budget is charged with what its page cost beyond that, less what it listed. */
export async function askWithin(
  budget: CallBudget,
  { provider, source }: Pick<FeedOf, 'provider' | 'source'>,
  question: Question,
  options: Omit<NonNullable<Parameters<FeedSource['readPage']>[1]>, 'onRequest'>,
): Promise<FeedPage> {
  let requests = 0;
  const page = await ask(source, question, { ...options, onRequest: () => (requests += 1) });
  budget.spend(provider, requests - 1);
  budget.giveBack(provider, { calls: Math.max(requests, 1), items: listedFor(page) });
  return page;
}

/** How many items a question brought; those that were listed for a page count, though it was not complete in time. */
function listedFor(page: FeedPage): number {
  if (page.kind === 'page') return page.listed ?? page.rows.length;
  return page.kind === 'unavailable' ? (page.listed ?? 0) : 0;
}
