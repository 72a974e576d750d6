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
 * The outcome of an item:
 *
 * - `taken`: applied, or without consequence here
 * - `unknown`: it has no record here. After ten minutes it counts as `FOREIGN`, and is retried from time to time for a week,
 *   since a record may follow late
 * - `unconfirmed`: our own question does not confirm it. It moves nothing, is asked about again, and is shown to operators
 * - `later`: nothing was asked yet, and nothing is wrong
 * - `unreadable`: it does not fit its schema; it is read again every hour, since a later version may be able to
 */
export type ItemOutcome =
  | { readonly kind: 'taken' | 'later' }
  | { readonly kind: 'unknown' | 'unconfirmed'; readonly cause: string }
  | { readonly kind: 'unreadable'; readonly shape: string };

export type ItemState = 'WAITING' | 'TAKEN' | 'FOREIGN' | 'UNCONFIRMED' | 'UNREADABLE';
