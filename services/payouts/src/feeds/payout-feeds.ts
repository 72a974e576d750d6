import { Feeds, type FeedOf } from '@gateway/provider-feeds';
import type { Dependencies } from '#src/dependencies.ts';
import { takeItem } from '#src/feeds/take-item.ts';

/**
 * What live providers list of payouts: how they ended, and what came back of them. What is under way is looked up singly, so
 * the lists are for what no notification tells.
 */
export function payoutFeeds(dependencies: Dependencies, intervalMs: number): Feeds {
  const { database, logger, now, payoutRoutes } = dependencies;
  return new Feeds({
    ...{ database, logger, now, intervalMs },
    feeds: () => payoutRoutes.live.flatMap(({ provider }) => listsOf(provider)),
    take: (item) => takeItem(dependencies, item),
  });
}

function listsOf({ id: provider, feeds = [] }: Dependencies['payoutRoutes']['live'][number]['provider']): FeedOf[] {
  return feeds.filter(({ name }) => name === 'payouts').map((source) => ({ environment: 'live', provider, source }));
}
