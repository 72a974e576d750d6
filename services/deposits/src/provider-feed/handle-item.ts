import { notificationsFeed, readKept, type InboxItem, type ItemOutcome } from '@gateway/provider-feeds';
import type { ProviderEvent } from '@gateway/providers';
import { expiryFeed } from '#src/charge/expire-deposits.ts';
import type { ChargeKey } from '#src/deposit/deposit-record.ts';
import { askAbout, askWithinLimit } from '#src/provider-feed/apply-provider-event.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { lookUpCharge } from '#src/provider-feed/look-up-charge.ts';
import { takeEach } from '#src/provider-feed/take-each.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

/**
 * Does what an item of the inbox asks for: one of a list, an event of a notification that could not be taken at once, or
 * a charge whose time is up. Doing it again changes nothing.
 *
 * @throws DomainError when it is to be tried again
 */
export async function handleItem(dependencies: ProviderFeedDependencies, item: InboxItem): Promise<ItemOutcome> {
  const { environment, provider, feed, key, raw } = item;
  const source = { environment, provider };
  if (feed === expiryFeed) return await askAboutExpired(dependencies, { ...source, reference: key });
  if (feed === notificationsFeed) return await askWithinLimit(dependencies, source, readKept<ProviderEvent>(raw));
  const route = routeOf(dependencies.chargeRoutes, environment, provider);
  const list = route?.provider.feeds?.find(({ name }) => name === feed);
  if (!list) throw new Error(`the list ${feed} of ${provider} is not configured`);
  const read = list.read({ key, raw });
  if (read.kind === 'unreadable') return read;
  return await handleEach(read.events, (event) => askAbout(dependencies, source, event));
}

/** Each event of an item stands alone; what is left open of one leaves the item open. */
async function handleEach<Event extends ProviderEvent>(
  events: readonly Event[],
  take: (event: Event) => Promise<ItemOutcome>,
): Promise<ItemOutcome> {
  let open: ItemOutcome = { kind: 'taken' };
  await takeEach(events, async (event) => {
    const outcome = await take(event);
    if (open.kind === 'taken' || open.kind === 'unknown') open = outcome.kind === 'taken' ? open : outcome;
  });
  return open;
}

const ledgerTimeoutMs = 5_000;

/**
 * Takes what has arrived on it; nothing is what is expected. The budget of calls may delay the question.
 *
 * @throws DomainError when the provider or the ledger does not answer
 */
async function askAboutExpired(dependencies: ProviderFeedDependencies, charge: ChargeKey): Promise<ItemOutcome> {
  if (!dependencies.feeds.budget.take(charge.provider)) return { kind: 'later' };
  return await lookUpCharge(dependencies, charge, { ledgerTimeoutMs });
}
