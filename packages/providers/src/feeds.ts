import type { Told } from '#src/certainty.ts';
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

export interface FeedQuery {
  /** Closed at the start, open at the end. */
  readonly from: Date;
  readonly to: Date;
  /** `next` of the page before; left out for the first page. */
  readonly place?: string;
  /** A smaller page, to get past one that cannot be parsed. */
  readonly pageItems?: number;
}

/** An item as it came, with what names it. Readable JSON; it is stored before anything is done with it. */
export interface FeedRow {
  /** The same whenever the same item is listed in the same state. */
  readonly key: string;
  readonly raw: unknown;
}

export type FeedPage =
  | {
      readonly kind: 'page';
      readonly rows: readonly FeedRow[];
      /** Null at the end of the list. */ readonly next: string | null;
    }
  /** The provider did not answer, or refused; the same page again later. */
  | { readonly kind: 'unavailable'; readonly cause: string }
  /** It answered with something that is no page; a smaller one may be read. */
  | {
      readonly kind: 'unreadable';
      readonly cause: string;
      /** Where the list goes on behind it, where that follows from the question alone; null: it was the last page. */
      readonly next?: string | null;
    };

export type FeedItem =
  /** Complete: reference, amount and currency are in it. No events: the item is of no consequence here. */
  | { readonly kind: 'asked'; readonly events: readonly Told<'asked', ProviderEvent>[] }
  /** Names something whose facts have to be asked for by its id. */
  | { readonly kind: 'pointer'; readonly events: readonly Told<'hint', ProviderEvent>[] }
  /** Does not fit what the provider describes; set aside with an alarm, and the list goes on. */
  | { readonly kind: 'unreadable'; readonly shape: string };

/**
 * One list of a provider, read over our own connection in closed windows of time, page after page. No method throws for
 * anything the provider or the network does.
 */
export interface Feed {
  readonly name: FeedName;
  /**
   * Whether the window selects by when an item last changed. Where it selects by when the item (or the payment it belongs
   * to) was made, what changes later is in no window any more, and is found by reading closed days again and by lookups.
   */
  readonly windowBy: 'change' | 'creation';
  /** After how many days a closed day is read again; empty where windows select by change. */
  readonly rereadAfterDays: readonly number[];
  readPage(query: FeedQuery, options?: CallOptions): Promise<FeedPage>;
  /** What a stored item says. Pure: the same item reads the same on every day. */
  read(row: FeedRow): FeedItem;
}
