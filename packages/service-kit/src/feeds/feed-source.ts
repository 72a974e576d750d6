import type { Environment } from '@gateway/contracts';

/** What is asked of a list: a closed window of time, one page of it. */
export interface FeedQuery {
  /** Closed at the start, open at the end. */
  readonly from: Date;
  readonly to: Date;
  /** `next` of the page before; left out for the first page. */
  readonly place?: string;
  /** A smaller page, to get past one that cannot be parsed. */
  readonly pageItems?: number;
}

export interface FeedRow {
  /** The same whenever the same item is listed in the same state. */
  readonly key: string;
  readonly raw: unknown;
}

export type FeedPage =
  | { readonly kind: 'page'; readonly rows: readonly FeedRow[]; readonly next: string | null }
  | { readonly kind: 'unavailable'; readonly cause: string }
  | {
      readonly kind: 'unreadable';
      readonly cause: string;
      /** Where the list goes on behind it, where that follows from the question alone; null: it was the last page. */
      readonly next?: string | null;
    };

/** A list of an outside system that is read in closed windows of time, page after page. No method throws. */
export interface FeedSource {
  readonly name: string;
  /** After how many days a closed day is read again; empty where windows select by the last change. */
  readonly rereadAfterDays: readonly number[];
  readPage(query: FeedQuery, options?: { readonly signal?: AbortSignal }): Promise<FeedPage>;
}

/** Whose list it is. */
export interface FeedOf {
  readonly environment: Environment;
  readonly provider: string;
  readonly source: FeedSource;
}

/** An item of a list, or a notification's event that could not be taken at once, as it waits to be taken. */
export interface InboxItem {
  readonly environment: Environment;
  readonly provider: string;
  readonly feed: string;
  readonly key: string;
  readonly raw: unknown;
  readonly firstSeen: Date;
  /** This one included. */
  readonly attempts: number;
}

/**
 * What became of an item:
 *
 * - `taken`: done, or of no consequence here
 * - `unknown`: it is about something that has no record here. After ten minutes it counts as somebody else's (`FOREIGN`),
 *   and is looked at again now and then for a week, since a record may follow late
 * - `unconfirmed`: our own question does not confirm it. It moves nothing, is asked again, and shown to operators
 * - `later`: nothing was asked yet, and nothing is amiss
 * - `unreadable`: it does not fit what is described of it; read again every hour, since a later version may
 */
export type ItemOutcome =
  | { readonly kind: 'taken' | 'later' }
  | { readonly kind: 'unknown' | 'unconfirmed'; readonly cause: string }
  | { readonly kind: 'unreadable'; readonly shape: string };

export type ItemState = 'WAITING' | 'TAKEN' | 'FOREIGN' | 'UNCONFIRMED' | 'UNREADABLE';
