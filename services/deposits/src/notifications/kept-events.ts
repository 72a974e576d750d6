import { z } from 'zod';
import type { ProviderEvent } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import type { EventSource } from '#src/notifications/event-source.ts';

/** Of the inbox: what notifications told and could not be taken at once. */
export const notificationsFeed = 'notifications';

/**
 * Keeps an event that could not be taken. However far its notification was to be believed, what is kept is no more than a
 * hint: it is asked about.
 */
export async function keepEvent(
  { feeds }: Dependencies,
  { environment, provider }: EventSource,
  event: ProviderEvent,
): Promise<void> {
  const { raw: _, ...facts } = event;
  const row = { key: event.dedupeKey, raw: facts };
  await feeds.keep({ environment, provider, feed: notificationsFeed }, [row]);
}

/** Dates went into JSON as text. The rest is as it was read from the notification. */
const datesSchema = z.looseObject({ at: z.coerce.date(), dueAt: z.coerce.date().optional() });

export function readKept(kept: unknown): ProviderEvent {
  return { ...datesSchema.parse(kept), raw: null } as unknown as ProviderEvent;
}
