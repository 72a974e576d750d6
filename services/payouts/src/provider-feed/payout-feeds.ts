import {
  type FeedOf,
  Feeds,
  type InboxItem,
  isWithinLimit,
  type ItemOutcome,
  notificationsFeed,
  openEventsMax,
  readKept,
} from '@gateway/provider-feeds';
import { applyEvent, isPayoutEvent, type PayoutEvent } from '#src/provider-feed/apply-event.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * Adds what live providers list of payouts, how they ended and what came back of them, and the inbox of what lists and
 * notifications report. What is under way is looked up singly, so the lists are for what no notification reports.
 */
export function withFeeds<Rest extends StepsDependencies>(
  rest: Rest,
  intervalMs: number,
): Rest & ProviderFeedDependencies {
  const { database, logger, now, payoutRoutes } = rest;
  const feeds: Feeds = new Feeds({
    database,
    logger,
    now,
    intervalMs,
    feeds: () => payoutRoutes.live.flatMap(({ provider }) => listsOf(provider)),
    openItemsMax: { [notificationsFeed]: openEventsMax },
    take: (item) => handleItem({ ...rest, feeds }, item),
  });
  return { ...rest, feeds };
}

function listsOf({
  id: provider,
  feeds = [],
}: StepsDependencies['payoutRoutes']['live'][number]['provider']): FeedOf[] {
  return feeds.filter(({ name }) => name === 'payouts').map((source) => ({ environment: 'live', provider, source }));
}

/**
 * Asks about what an item of a provider's list, or a notification that had to wait, says of payouts: by our reference, however
 * the item reads.
 *
 * @throws ChangingError when a payout cannot follow now
 */
async function handleItem(dependencies: ProviderFeedDependencies, item: InboxItem): Promise<ItemOutcome> {
  if (item.feed === notificationsFeed) return await handleKept(dependencies, item);
  const route = dependencies.payoutRoutes.live.find(({ provider }) => provider.id === item.provider);
  const feed = route?.provider.feeds?.find(({ name }) => name === item.feed);
  if (!feed) return { kind: 'unknown', cause: 'the provider has no such list any more' };
  const read = feed.read({ key: item.key, raw: item.raw });
  if (read.kind === 'unreadable') return { kind: 'unreadable', shape: read.shape };
  let outcome: ItemOutcome = { kind: 'taken' };
  for (const event of read.events) {
    if (!isPayoutEvent(event)) continue;
    const applied = await applyEvent(dependencies, { provider: item.provider, event });
    if (applied !== 'applied') outcome = outcomes[applied];
  }
  return outcome;
}

const outcomes = {
  applied: { kind: 'taken' },
  // Others may use our account at the provider.
  foreign: { kind: 'unknown', cause: 'it is about no payout on record' },
  unanswered: { kind: 'unconfirmed', cause: 'whether the provider has paid what it had refused is not known' },
  undecided: { kind: 'unconfirmed', cause: 'the provider has the payout, and nothing was debited for it' },
} as const satisfies Record<string, ItemOutcome>;

async function handleKept(dependencies: ProviderFeedDependencies, item: InboxItem): Promise<ItemOutcome> {
  const { provider } = item;
  const event = readKept<PayoutEvent>(item.raw);
  if (!isWithinLimit(dependencies.feeds, item, event)) return { kind: 'later' };
  return outcomes[await applyEvent(dependencies, { provider, event })];
}
