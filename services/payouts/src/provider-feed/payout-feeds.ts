import { type FeedOf, Feeds, type InboxItem, type ItemOutcome } from '@gateway/provider-feeds';
import { applyEvent, isPayoutEvent } from '#src/provider-feed/apply-event.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * What live providers list of payouts: how they ended, and what came back of them. What is under way is looked up singly, so
 * the lists are for what no notification reports.
 */
export function payoutFeeds(dependencies: StepsDependencies, intervalMs: number): Feeds {
  const { database, logger, now, payoutRoutes } = dependencies;
  return new Feeds({
    database,
    logger,
    now,
    intervalMs,
    feeds: () => payoutRoutes.live.flatMap(({ provider }) => listsOf(provider)),
    take: (item) => handleItem(dependencies, item),
  });
}

function listsOf({
  id: provider,
  feeds = [],
}: StepsDependencies['payoutRoutes']['live'][number]['provider']): FeedOf[] {
  return feeds.filter(({ name }) => name === 'payouts').map((source) => ({ environment: 'live', provider, source }));
}

/**
 * Asks about what an item of a provider's list says of payouts, as about a notification: by our reference, however the item
 * reads.
 *
 * @throws ChangingError when a payout cannot follow now
 */
async function handleItem(dependencies: StepsDependencies, item: InboxItem): Promise<ItemOutcome> {
  const route = dependencies.payoutRoutes.live.find(({ provider }) => provider.id === item.provider);
  const feed = route?.provider.feeds?.find(({ name }) => name === item.feed);
  if (!feed) return { kind: 'unknown', cause: 'the provider has no such list any more' };
  const read = feed.read({ key: item.key, raw: item.raw });
  if (read.kind === 'unreadable') return { kind: 'unreadable', shape: read.shape };
  let outcome: ItemOutcome = { kind: 'taken' };
  for (const event of read.events) {
    if (!isPayoutEvent(event)) continue;
    const isOurs = await applyEvent(dependencies, { provider: item.provider, event });
    // Others may use our account at the provider.
    if (!isOurs) outcome = { kind: 'unknown', cause: 'it is about no payout on record' };
  }
  return outcome;
}
