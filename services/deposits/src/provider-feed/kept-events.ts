import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProviderEvent } from '@gateway/providers';
import type { EventSource, ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';

/** Of the inbox: what notifications report and could not be applied as they came. */
export const notificationsFeed = 'notifications';

/**
 * Open events that are kept of a provider. A sender who can have a body signed, or reach our address where nothing is
 * signed, can bring as many as the limits of the public listener let through; what they push out was asked about and not confirmed.
 */
export const openEventsMax = 20_000;

/**
 * Keeps an event that could not be taken. However far its notification was to be believed, what is kept is no more than a
 * hint: it is asked about.
 */
export async function keepEvent(
  { feeds }: ProviderFeedDependencies,
  { environment, provider }: EventSource,
  event: ProviderEvent,
): Promise<void> {
  const { raw: _, ...facts } = event;
  const row = { key: `${event.dedupeKey}#${digestOf(event)}`, raw: facts };
  await feeds.keep({ environment, provider, feed: notificationsFeed }, [row]);
}

/**
 * The provider's key alone does not name what is kept: it can be foreseen, and a wrong body that came first would stand for
 * the true one. What the question is made of belongs to the name; when it happened, how much and by whom is not asked.
 */
function digestOf(event: ProviderEvent): string {
  const { type, ref, e2eId, disputeRef, providerRef, returnId, chargeRef, reason } = event as Partial<
    Record<'ref' | 'e2eId' | 'disputeRef' | 'providerRef' | 'returnId' | 'chargeRef' | 'reason', string>
  > &
    ProviderEvent;
  const asked = [type, ref, e2eId, disputeRef, providerRef, returnId, chargeRef, reason];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
}

/** Dates went into JSON as text. The rest is as it was read from the notification. */
const datesSchema = z.looseObject({
  at: z.coerce.date(),
  dueAt: z.coerce.date().optional(),
  openedAt: z.coerce.date().optional(),
});

export function readKept(kept: unknown): ProviderEvent {
  return { ...datesSchema.parse(kept), raw: null } as unknown as ProviderEvent;
}
