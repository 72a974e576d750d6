import type { z } from 'zod';
import type { FeedPage, FeedRow } from '@gateway/contracts/providers';
import { graded } from '#src/certainty.ts';
import type { FeedItem, UnreadableItem } from '#src/feeds.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { CallOutcome } from '#src/http/classify.ts';
import { digestOf, hostileIn } from '#src/item-text.ts';
import type { ProviderEvent } from '#src/notifications.ts';

/** What stands for a page that could not be had. */
export type MissingPage = Exclude<FeedPage, { readonly kind: 'page' }>;

/** The page of a list, or what to do without it. A 404 has to come from the list itself: it is no empty page. */
export function pageOf<T>(outcome: CallOutcome<T>): { readonly kind: 'page'; readonly value: T } | MissingPage {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'page', value: outcome.value };
    case 'rejected':
      return {
        kind: 'unavailable',
        cause: `the provider answered ${outcome.status} with ${shapeOf(outcome.body)}`,
      };
    case 'not_sent':
      return { kind: 'unavailable', cause: outcome.cause };
    case 'unknown':
      return { kind: outcome.unreadable ? 'unreadable' : 'unavailable', cause: outcome.cause };
  }
}

/**
 * An item under a name made of its ids; what has none, or ids that are no plain text, is named by its content. An item that
 * must not be kept as it is leaves its shape.
 */
export function rowOf(ids: readonly (string | undefined)[], item: unknown): FeedRow {
  const key = ids.join(':');
  const named = ids.every((id) => id !== undefined) && /^[\x21-\x7e]{1,200}$/.test(key);
  const hostile = hostileIn(item);
  return {
    key: named ? key : `${ids[0] ?? 'item'}:${digestOf(item)}`,
    raw: hostile ? { unreadable: hostile, shape: shapeOf(item) } : item,
  };
}

/** Reads a stored item by its schema; what does not fit is unreadable, and no more than that. */
export function readRow<T, Item = FeedItem>(
  { raw }: FeedRow,
  schema: z.ZodType<T>,
  read: (item: T) => Item,
): Item | UnreadableItem {
  const hostile = hostileIn(raw);
  if (hostile) return { kind: 'unreadable', shape: hostile };
  const parsed = schema.safeParse(raw);
  return parsed.success ? read(parsed.data) : { kind: 'unreadable', shape: shapeOf(raw) };
}

export function pointerItem(events: readonly ProviderEvent[]): FeedItem {
  return { kind: 'pointer', events: events.map((event) => graded('hint', event)) };
}

/** Of no consequence here. */
export const nothing: FeedItem = pointerItem([]);

/** The id of an item for its key, where there is one. */
export function idIn(item: unknown, ...path: readonly string[]): string | undefined {
  let value = item;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
