import type { Resource, Version } from '../contracts.ts';
import { eventNames } from '../generated/events.ts';

/** What every verified event has besides. */
export interface Delivered {
  /** The id of the event, the same in every delivery of it: de-duplicate by it. */
  readonly id: string;
  /** Of this delivery. Not signed: for logs. */
  readonly deliveryId: string | undefined;
  /** From 1 on. Not signed: for logs. */
  readonly attempt: number | undefined;
}

/** An event that is newer than this package: `name` is its name. Answer it with 200. */
export interface UnknownEvent {
  readonly event: 'unknown';
  readonly name: string;
  readonly created_at: number;
  readonly environment: string;
  readonly data: unknown;
}

/** A union by `event`: `if (event.event === 'payout.returned') event.data.returned_cents`. */
export type VerifiedEvent<V extends Version = '0.1'> = Delivered & (Resource<V, 'WebhookEvent'> | UnknownEvent);

export type EventName = (typeof eventNames)[number];

const known: ReadonlySet<string> = new Set(eventNames);

/** @param body that was verified. @returns undefined when it is no event */
export function eventOf(
  body: unknown,
  headers: {
    readonly id: string | undefined;
    readonly deliveryId: string | undefined;
    readonly attempt: string | undefined;
  },
): VerifiedEvent<Version> | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const members = body as { readonly id?: unknown; readonly event?: unknown };
  // Of the two the body's id is signed: one who repeats a delivery can change the header.
  const id = typeof members.id === 'string' ? members.id : headers.id;
  if (typeof members.event !== 'string' || id === undefined) return undefined;
  const attempt = Number(headers.attempt);
  const delivered: Delivered = {
    id,
    deliveryId: headers.deliveryId,
    attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : undefined,
  };
  const named = known.has(members.event) ? {} : { event: 'unknown', name: members.event };
  return { ...body, ...named, ...delivered } as VerifiedEvent<Version>;
}
