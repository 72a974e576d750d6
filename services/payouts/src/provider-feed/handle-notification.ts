import { providerNotificationSchema, type StoredNotification } from '@gateway/contracts/providers';
import type { Message } from '@gateway/messaging';
import { callCounts, isWithinLimit, keepEvent } from '@gateway/provider-feeds';
import type { ProviderEvent, Graded } from '@gateway/providers';
import { applyEvent, isPayoutEvent } from '#src/provider-feed/apply-event.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';

/**
 * Reads what a provider sent to the gateway's listener, once more from its bytes, and asks about what it says of payouts. Taking
 * it again changes nothing. A provider is asked about one payout so often in a minute, since any sender may have made up what
 * a notification says; what is beyond waits in the inbox.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when a payout cannot follow now; it is to be delivered again, and what it says
 *   of others has been followed
 */
export async function handleNotification(dependencies: ProviderFeedDependencies, message: Message): Promise<void> {
  const { payoutRoutes, logger } = dependencies;
  const stored = providerNotificationSchema.parse(message.data);
  const { provider: id } = stored;
  const route = payoutRoutes.live.find(({ provider }) => provider.id === id);
  if (!route) return logger.warn({ provider: id }, 'notification of a provider that is not configured');
  const checked = await route.provider.verifyAndParseNotification(notificationOf(stored));
  if (!checked.ok) return logger.warn({ provider: id, reason: checked.reason }, 'notification is not authentic');
  callCounts.notified(id, new Date(stored.receivedAt * 1_000));
  const failures: unknown[] = [];
  for (const event of checked.events) {
    await follow(dependencies, id, event).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function follow(
  dependencies: ProviderFeedDependencies,
  provider: string,
  event: Graded<'hint', ProviderEvent>,
): Promise<void> {
  if (!isPayoutEvent(event)) return;
  const { feeds } = dependencies;
  const source = { environment: 'live', provider } as const;
  if (!isWithinLimit(feeds, source, event)) return await keepEvent(feeds, source, event);
  const applied = await applyEvent(dependencies, { provider, event });
  if (applied === 'unanswered' || applied === 'undecided') await keepEvent(feeds, source, event);
}

function notificationOf({ rawBody, receivedAt, verified, ...stored }: StoredNotification) {
  const at = new Date(receivedAt * 1_000);
  const { headers, query, pathSuffix, remoteIp } = stored;
  const facts = { headers, query, pathSuffix, remoteIp, receivedAt: at, isProven: verified === 'hint' };
  return { rawBody: Buffer.from(rawBody, 'base64'), ...facts };
}
