/** What is asked of a list of a provider: a closed window of time, one page of it. */
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
      /** Null at the end of the list. */
      readonly next: string | null;
      /** What its requests listed in all, where that is more than its rows: what they are about may be in a list of its own. */
      readonly listed?: number;
    }
  /** The provider did not answer, or refused; the same page again later. */
  | {
      readonly kind: 'unavailable';
      readonly cause: string;
      /** How many items were listed for the page before. They are kept: asked again, the same window goes on behind them. */
      readonly listed?: number;
    }
  /** It answered with something that is no page; a smaller one may be read. */
  | {
      readonly kind: 'unreadable';
      readonly cause: string;
      /** Where the list goes on behind it, where that follows from the question alone; null: it was the last page. */
      readonly next?: string | null;
    };

/**
 * A list of an outside system, read in closed windows of time, page after page. No method throws for anything the other
 * side or the network does.
 */
export interface FeedSource {
  readonly name: string;
  /** How many hours after a window was first read it is read again: providers list things late, and change what they listed. */
  readonly rereadAfterHours: readonly number[];
  /**
   * @param options.onRequest called for each request that the page takes, of which there may be many
   * @param options.known answers, by the names that they have when they are read, the items of which all is known that a
   *   page says: what they are about need not be asked again
   */
  readPage(
    query: FeedQuery,
    options?: {
      readonly signal?: AbortSignal;
      readonly onRequest?: () => void;
      readonly known?: (names: readonly string[]) => Promise<ReadonlySet<string>>;
    },
  ): Promise<FeedPage>;
}
