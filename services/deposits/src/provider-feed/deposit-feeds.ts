import type { Environment } from '@gateway/contracts/values';
import type { FeedName } from '@gateway/providers';
import { Feeds, notificationsFeed, openEventsMax, type FeedOf } from '@gateway/provider-feeds';
import { withoutCredited } from '#src/provider-feed/credited-payments.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { handleItem } from '#src/provider-feed/handle-item.ts';
import type { ChargeRoutes } from '#src/routing/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];
/** What came in, what went back to payers, and what is contested; each is read on its own. */
const readHere: ReadonlySet<FeedName> = new Set(['payments', 'returns', 'disputes']);

/** Adds the lists of the providers that take charges, and the inbox of what they and notifications report. */
export function withFeeds<Rest extends Omit<ProviderFeedDependencies, 'feeds'>>(
  rest: Rest,
): NoInfer<Rest> & { readonly feeds: Feeds } {
  const { database, logger, now, pollIntervalMs: intervalMs, callsPerMinute, chargeRoutes } = rest;
  const feeds: Feeds = new Feeds({
    database,
    logger,
    now,
    intervalMs,
    callsPerMinute,
    feeds: () => feedsOf(chargeRoutes),
    openItemsMax: { [notificationsFeed]: openEventsMax },
    store: (tx, key, rows) => withoutCredited(tx, key, rows, chargeRoutes),
    take: (item) => handleItem({ ...rest, feeds }, item),
  });
  return { ...rest, feeds };
}

function feedsOf(routes: ChargeRoutes): FeedOf[] {
  return environments.flatMap((environment) =>
    routes[environment].flatMap(({ provider }) =>
      (provider.feeds ?? [])
        .filter(({ name }) => readHere.has(name))
        .map((source) => ({ environment, provider: provider.id, source })),
    ),
  );
}
