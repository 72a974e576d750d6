import type { InboxItem, ItemOutcome } from '@gateway/provider-feeds';
import type { Dependencies } from '#src/dependencies.ts';
import { applyEvent, isPayoutEvent } from '#src/notifications/apply-event.ts';

/**
 * Asks about what an item of a provider's list says of payouts, as about a notification: by our reference, however the item
 * reads.
 *
 * @throws ChangingError when a payout cannot follow now
 */
export async function takeItem(dependencies: Dependencies, item: InboxItem): Promise<ItemOutcome> {
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
