import type { FeedPage, FeedQuery, FeedRow, FeedSource } from '@gateway/contracts/providers';
import type { Graded } from '#src/certainty.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';

/**
 * A list of a provider's that is read on its own: a fault in one never holds up another.
 *
 * - `payments`: what arrived on charges
 * - `returns`: payments received that went back, among them what was taken back under MED
 * - `disputes`: claims against payments received
 * - `payouts`: what became of payouts, and what came back of them
 */
export type FeedName = 'payments' | 'payouts' | 'returns' | 'disputes';

/** What an item of a list is good for: it names something to ask about by its id. Only the answer moves money. */
export type FeedItem =
  /** No events: the item is of no consequence here. */
  { readonly kind: 'pointer'; readonly events: readonly Graded<'hint', ProviderEvent>[] } | UnreadableItem;

/** Does not fit what the provider describes; set aside with an alarm, and the list goes on. */
export interface UnreadableItem {
  readonly kind: 'unreadable';
  readonly shape: string;
}

/** One list of a provider, read over our own connection. */
export interface Feed extends FeedSource {
  readonly name: FeedName;
  /**
   * Whether the window selects by when an item last changed. Where it selects by when the item (or the payment it belongs
   * to) was made, what changes later is in no window any more, and is found by reading windows again and by lookups.
   */
  readonly windowBy: 'change' | 'creation';
  readPage(query: FeedQuery, options?: CallOptions): Promise<FeedPage>;
  /** What a stored item says. Pure: the same item reads the same on every day. */
  read(row: FeedRow): FeedItem;
}

/** A provider may list a payment an hour after it settled, or book it the next day. */
export const listedLate: readonly number[] = [1, 24];

const returnableHours = 91 * 24;
/** With the six hours that a reader may be late this makes twenty-four. */
const dailyStepHours = 18;

/**
 * At least once in twenty-four hours for as long as a payment can go back: what is taken back under MED is learned within a
 * day, however old the payment is. For lists that are short, since each reading is a call.
 */
export const dailyWhileReturnable: readonly number[] = [
  1,
  ...Array.from({ length: Math.ceil(returnableHours / dailyStepHours) }, (_, at) => (at + 1) * dailyStepHours),
];

/** For lists of everything that was sent or received: now and then, until a payment cannot go back any more. */
export const seldomWhileReturnable: readonly number[] = [1, ...[1, 2, 7, 14, 30, 60, 91].map((days) => days * 24)];
