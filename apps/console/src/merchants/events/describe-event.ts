import type { WebhookEventName } from '#src/generated/merchants/types.gen.ts';
import { events } from '#src/merchants/webhooks/describe-delivery.ts';

/** Every kind of record that events are about, by the first part of their names. */
export const kinds = ['deposit', 'refund', 'payout', 'med', 'conversion', 'export', 'webhook'] as const;
export type EventKind = (typeof kinds)[number];

/** What the list can be narrowed to: a whole kind, or one event. */
export type EventFilter = `${EventKind}.*` | WebhookEventName;
export const filters: readonly EventFilter[] = kinds.flatMap((kind) => [`${kind}.*` as const, ...eventsOf(kind)]);

/** The events of a kind, in the order in which they are read. */
export function eventsOf(kind: EventKind): WebhookEventName[] {
  return events.filter((event) => event.startsWith(`${kind}.`));
}

/** The page of the record that an event is about, for those that have one. */
export function pageOfRecord(id: string) {
  const pages = {
    dep: '/payments/$id',
    pyt: '/payouts/$id',
    med: '/disputes/$id',
    rfd: '/refunds/$id',
    whk: '/webhooks/$id',
  } as const;
  const kind = id.slice(0, id.indexOf('_'));
  return Object.hasOwn(pages, kind) ? pages[kind as keyof typeof pages] : undefined;
}

/** @returns Unix seconds; undefined for an empty field */
export function secondsOf(localMinute: string): number | undefined {
  return localMinute === '' ? undefined : Math.floor(new Date(localMinute).getTime() / 1_000);
}
