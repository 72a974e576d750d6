import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '@gateway/contracts/values';
import type { Feeds } from '#src/feeds.ts';

/** Of the inbox: what notifications report and could not be applied as they came. */
export const notificationsFeed = 'notifications';

/**
 * Open events that are kept of a provider. A sender who can have a body signed, or reach our address where nothing is
 * signed, can bring as many as the limits of the public listener let through; what they push out was asked about and not confirmed.
 */
export const openEventsMax = 20_000;

/** What a notification reports, as far as it is kept by. */
interface ReportedEvent {
  readonly type: string;
  readonly dedupeKey: string;
  readonly raw: unknown;
}

/** Who reports it. */
interface EventSource {
  readonly environment: Environment;
  readonly provider: string;
}

/** Whether the provider may be asked about what an event names; each answer of true is one of the questions of the minute. */
export function isWithinLimit({ references }: Feeds, { provider }: EventSource, event: ReportedEvent): boolean {
  const { ref, e2eId } = event as Partial<Record<'ref' | 'e2eId', string>>;
  const reference = ref ?? e2eId;
  return reference === undefined || references.take(`${provider} ${reference}`);
}

/**
 * Keeps an event that could not be taken. However far its notification was to be believed, what is kept is no more than a
 * hint: it is asked about.
 */
export async function keepEvent(
  feeds: Feeds,
  { environment, provider }: EventSource,
  event: ReportedEvent,
): Promise<void> {
  const { raw: _, ...facts } = event;
  const row = { key: `${event.dedupeKey}#${digestOf(event)}`, raw: facts };
  await feeds.keep({ environment, provider, feed: notificationsFeed }, [row]);
}

/**
 * The provider's key alone does not name what is kept: it can be foreseen, and a wrong body that came first would stand for
 * the true one. What the question is made of belongs to the name; when it happened, how much and by whom is not asked.
 */
function digestOf(event: ReportedEvent): string {
  const { type, ref, e2eId, disputeRef, providerRef, returnId, chargeRef, reason } = event as Partial<
    Record<'ref' | 'e2eId' | 'disputeRef' | 'providerRef' | 'returnId' | 'chargeRef' | 'reason', string>
  > &
    ReportedEvent;
  const asked = [type, ref, e2eId, disputeRef, providerRef, returnId, chargeRef, reason];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
}

/** Dates went into JSON as text. The rest is as it was read from the notification. */
const datesSchema = z.looseObject({
  at: z.coerce.date(),
  dueAt: z.coerce.date().optional(),
  openedAt: z.coerce.date().optional(),
});

/** @typeParam Event what was kept */
export function readKept<Event extends ReportedEvent>(kept: unknown): Event {
  return { ...datesSchema.parse(kept), raw: null } as unknown as Event;
}
