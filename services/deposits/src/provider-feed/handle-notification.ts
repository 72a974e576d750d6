import { providerNotificationSchema } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { Message } from '@gateway/messaging';
import { callCounts, keepEvent, type ItemOutcome } from '@gateway/provider-feeds';
import type { NotificationResult, ProviderEvent } from '@gateway/providers';
import { counter } from '@gateway/runtime';
import { applySigned, askWithinLimit } from '#src/provider-feed/apply-provider-event.ts';
import type { EventSource, ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { type ChargeRoutes, routeOf } from '#src/routing/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];

const handled = counter(
  'gateway_provider_events_total',
  'Events of notifications, by grade and what the provider says when asked',
  ['provider', 'grade', 'outcome'],
);

type Authentic = Extract<NotificationResult, { readonly ok: true }>;

/**
 * Reads a stored notification with its provider's adapter and takes every event in it. What cannot be taken, or is not
 * confirmed, is kept in the inbox and tried again from there, so that no notification comes again for it, or holds up
 * others. Handling one again changes nothing.
 *
 * @throws ZodError when the message does not fit its contract
 */
export async function handleNotification(
  dependencies: ProviderFeedDependencies,
  { data }: Pick<Message, 'data'>,
): Promise<void> {
  const { provider: id, rawBody, receivedAt, verified: proof, ...stored } = providerNotificationSchema.parse(data);
  const { chargeRoutes, logger } = dependencies;
  const environment = environmentOf(chargeRoutes, id);
  const provider = environment && routeOf(chargeRoutes, environment, id)?.provider;
  if (!provider) return logger.warn({ provider: id }, 'notification of a provider that is not configured here');
  const verified = await provider.verifyAndParseNotification({
    ...stored,
    rawBody: Buffer.from(rawBody, 'base64'),
    receivedAt: new Date(receivedAt * 1_000),
    isProven: proof === 'hint',
  });
  if (!verified.ok)
    return logger.error({ provider: id, reason: verified.reason }, 'stored notification is not authentic');
  callCounts.notified(id, new Date(receivedAt * 1_000));
  await handleEvents(dependencies, { environment, provider: id }, verified);
}

async function handleEvents(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  authentic: Authentic,
): Promise<void> {
  const { grade } = authentic;
  const { provider } = source;
  for (const { event, take } of eachOf(dependencies, source, authentic)) {
    const outcome = await take().catch((error: unknown): ItemOutcome | null => {
      dependencies.logger.warn({ err: error, provider, event: event.dedupeKey }, 'an event is to be tried again');
      return null;
    });
    handled.add(1, { provider, grade, outcome: outcome?.kind ?? 'failed' });
    if (!isDone(event, outcome)) await keepEvent(dependencies.feeds, source, event);
  }
}

/** A charge is on record before its provider hears of it: a payment on an unknown one belongs to another receiver, now and later. */
function isDone({ type }: ProviderEvent, outcome: ItemOutcome | null): boolean {
  return outcome?.kind === 'taken' || (outcome?.kind === 'unknown' && type === 'charge.paid');
}

function eachOf(dependencies: ProviderFeedDependencies, source: EventSource, authentic: Authentic) {
  if (authentic.grade === 'ours') {
    return authentic.events.map((event) => ({ event, take: () => applySigned(dependencies, source, event) }));
  }
  return authentic.events.map((event) => ({ event, take: () => askWithinLimit(dependencies, source, event) }));
}

function environmentOf(routes: ChargeRoutes, provider: string): Environment | undefined {
  return environments.find((environment) => routeOf(routes, environment, provider));
}
