import type { FeedSource } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';

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
