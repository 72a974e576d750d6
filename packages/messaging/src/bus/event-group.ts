import type { MsgHdrs } from '@nats-io/nats-core';

/** On a message that holds several events of its subject, as a JSON array: how many. */
const eventsHeader = 'Gateway-Events';
/** The whole group comes again when one of its events has to; and a reader holds what it has fetched in memory. */
const groupEventsMax = 25;
/** In UTF-16 units: a quarter of a mebibyte of plain text, and within the broker's limit whatever the text is. */
const groupLengthMax = 262_144;

interface Publishable {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly trace: string;
}

/** One message to be published. */
export interface EventGroup {
  readonly messageId: string;
  readonly subject: string;
  readonly payload: string;
  readonly trace: string;
  /** Of the events in it, in order. */
  readonly ids: readonly string[];
}

/**
 * Events that follow each other on one subject, within one trace, share a message: what a message costs the broker and
 * its readers, they cost once. One on its own is published as it always was.
 */
export function groupsOf(events: readonly Publishable[]): EventGroup[] {
  const groups: Publishable[][] = [];
  let length = 0;
  for (const event of events) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    length += event.payload.length;
    const joins = first?.subject === event.subject && first.trace === event.trace && length <= groupLengthMax;
    if (group && joins && group.length < groupEventsMax) {
      group.push(event);
    } else {
      groups.push([event]);
      length = event.payload.length;
    }
  }
  return groups.flatMap(groupOf);
}

function groupOf(events: readonly Publishable[]): EventGroup[] {
  const [first, ...others] = events;
  if (!first) return [];
  const { id, subject, payload, trace } = first;
  if (others.length === 0) return [{ messageId: id, subject, payload, trace, ids: [id] }];
  const payloads = `[${events.map((event) => event.payload).join(',')}]`;
  const ids = events.map((event) => event.id);
  return [{ messageId: `${id}+${others.length}`, subject, payload: payloads, trace, ids }];
}

/** The headers by which a reader recognises a group. */
export function groupHeaders({ ids }: EventGroup): Readonly<Record<string, string>> {
  return ids.length === 1 ? {} : { [eventsHeader]: String(ids.length) };
}

/** How many events a message holds, without reading them. */
export function eventsIn(headers: MsgHdrs | undefined): number {
  return Number(headers?.get(eventsHeader) || 1);
}

/** The headers each event of a group would have on its own. */
export function headersOfEvent(
  { [eventsHeader]: _, ...headers }: Readonly<Record<string, string>>,
  id: string,
): Readonly<Record<string, string>> {
  return { ...headers, 'Nats-Msg-Id': id };
}
