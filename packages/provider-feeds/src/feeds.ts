import type { FeedRow } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { Database, DueWork, Tx } from '@gateway/persistence';
import { type Logger, counter } from '@gateway/runtime';
import { ask } from '#src/ask.ts';
import { CallBudget } from '#src/call-budget.ts';
import type { FeedOf, InboxItem, ItemOutcome } from '#src/feed-source.ts';
import { startLoops } from '#src/feed-loops.ts';
import { addReaders, leaseDue } from '#src/feed-table.ts';
import {
  claimItems,
  forgetBeyond,
  forgetTaken,
  keepItems,
  recordAttempts,
  type AttemptResult,
  type InboxKey,
} from '#src/item-inbox.ts';
import { keepAll, readRound, storeRows, type KnownItems, type Reading, type StoreRows } from '#src/read-feed.ts';
import { ReferenceLimiter } from '#src/reference-limiter.ts';
import { retryGaps } from '#src/retry-gaps.ts';
import { lookingBackFromSec, shareLeft } from '#src/windows.ts';

const callsPerMinuteDefault = 60;
/** A payment is reported once, and a report that comes again may bring news. */
const questionsPerReference = 10;
/** However often lists are read: for several lists of a provider, and what is asked beside them. */
const callsPerReading = 10;
const itemsPerBatch = 64;
const itemsAtOnce = 8;
const forgottenPerRound = 1_000;
/** A reading beside the usual ones, up to the present. */
const atOnceLookBackMs = 600_000;
const atOncePagesMax = 20;
const atOnceTimeoutMs = 8_000;

const handled = counter(
  'gateway_feed_items_total',
  "Items of providers' lists and open events, by what an attempt came to",
  ['provider', 'feed', 'outcome'],
);

export interface FeedsOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  /** How often a list is read that has nothing left to read. */
  readonly intervalMs: number;
  /** Questions to one provider, of this process. */
  readonly callsPerMinute?: number;
  /** A clock that only goes forward, in milliseconds; the budget of calls is refilled by it. */
  readonly monotonicMs?: () => number;
  /**
   * How many open items of a feed are kept for a provider, where others decide how many there are. Beyond that the
   * oldest go that were tried and came to nothing.
   */
  readonly openItemsMax?: Readonly<Record<string, number>>;
  /** The lists as they are configured now. */
  readonly feeds: () => readonly FeedOf[];
  /**
   * Takes the rows of a page as it is read, in the transaction that moves the reader on, and answers those that have to be
   * tried one by one. Without it that is all of them.
   */
  readonly store?: StoreRows;
  /** Spares a list that is read again the questions about items that are known. */
  readonly known?: KnownItems;
  /** Does what an item asks for. Throws when it cannot now; it is tried again. */
  readonly take: (item: InboxItem) => Promise<ItemOutcome>;
}

/**
 * The lists of providers, read by windows into an inbox, and the inbox taken item by item: a slow taking holds up no
 * reading, an item that cannot be taken no other, and a list no other list.
 */
export class Feeds {
  readonly #options: FeedsOptions;
  readonly #reading: Reading;
  readonly #added = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Bounds what open records ask singly too. */
  readonly budget: CallBudget;
  /** Bounds what notifications have a provider asked about one reference. */
  readonly references: ReferenceLimiter;

  constructor(options: FeedsOptions) {
    this.#options = options;
    const callsMin = (callsPerReading * 60_000) / options.intervalMs;
    const callsPerMinute = Math.max(options.callsPerMinute ?? callsPerMinuteDefault, callsMin);
    this.budget = new CallBudget(callsPerMinute, options.monotonicMs);
    const { database, logger, now, intervalMs, store = keepAll, known } = options;
    this.references = new ReferenceLimiter(questionsPerReference, now);
    const onItems = () => this.#listeners.forEach((listen) => listen());
    this.#reading = { database, budget: this.budget, logger, now, intervalMs, onItems, store, known };
  }

  /** Calls the listener when new items are there to be taken. */
  onItems(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Keeps reading lists and taking items until disposed; rounds that have begun are finished first. */
  start(dueWork: DueWork): AsyncDisposable {
    return startLoops(this, { ...this.#options, dueWork });
  }

  /** A round of every reader that is due. Rounds do not wait for each other. */
  async readDue(): Promise<void> {
    await Promise.all(await this.startDue());
  }

  /** Starts the rounds that are due, and does not wait for them; failures are logged. */
  async startDue(): Promise<Promise<void>[]> {
    const { database, now, logger } = this.#options;
    const feeds = this.#options.feeds();
    if (feeds.length === 0) return [];
    await this.#addNew(feeds);
    const due = await leaseDue(database, feeds, (feed) => this.#callsOf(feed, feeds), now());
    return due.flatMap((reader) => {
      const feed = feeds.find((each) => keyOf(each) === `${reader.environment} ${reader.provider} ${reader.name}`);
      if (!feed) return [];
      const { provider, name } = reader;
      return readRound(this.#reading, reader, feed.source).catch((error: unknown) => {
        logger.error({ err: error, provider, feed: name }, 'a round of reading a list failed');
      });
    });
  }

  /** A list's share of the calls that its provider has left for what is not urgent, rounded up. */
  #callsOf({ provider }: FeedOf, feeds: readonly FeedOf[]): number {
    const lists = feeds.filter((feed) => feed.provider === provider).length;
    return Math.ceil(this.budget.left(provider, shareLeft(lookingBackFromSec)) / lists);
  }

  /** Tries the items that are due. Answers true when there may be more. */
  async takeDue(): Promise<boolean> {
    const { database, now } = this.#options;
    const items = await claimItems(database, now(), itemsPerBatch);
    const waiting = [...items];
    const attempts: { item: InboxItem; result: AttemptResult }[] = [];
    const work = async (): Promise<void> => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        attempts.push({ item, result: await this.#attempt(item) });
      }
    };
    await Promise.all(Array.from({ length: itemsAtOnce }, work));
    await recordAttempts(database, attempts, now());
    return items.length === itemsPerBatch;
  }

  async #attempt(item: InboxItem): Promise<AttemptResult> {
    const { provider, feed } = item;
    try {
      const result = await this.#options.take(item);
      handled.add(1, { provider, feed, outcome: result.kind });
      return result;
    } catch (error) {
      handled.add(1, { provider, feed, outcome: 'failed' });
      this.#options.logger.warn({ err: error, provider, feed, key: item.key }, 'an item could not be taken yet');
      return { kind: 'failed', cause: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * Stores a notification that could not be applied at once. It is retried like an item of a list, and when it repeats.
   */
  async keep(key: InboxKey, rows: readonly FeedRow[]): Promise<void> {
    const { database, now } = this.#options;
    await keepItems(database.query.bind(database), key, rows, { now: now(), reopens: true });
  }

  /** The same with what makes it necessary, in one transaction. */
  async keepIn(tx: Tx, key: InboxKey, rows: readonly FeedRow[]): Promise<void> {
    await keepItems((...args) => tx.sql(...args), key, rows, { now: this.#options.now(), reopens: true });
  }

  /** Reads some providers' lists up to this moment, beside the usual rounds, and tries what is there. */
  async readAtOnce(environment: Environment, providers: ReadonlySet<string>): Promise<void> {
    const wanted = this.#options
      .feeds()
      .filter((feed) => feed.environment === environment && providers.has(feed.provider));
    await Promise.all(wanted.map((feed) => this.#readToPresent(feed)));
    while (await this.takeDue());
  }

  async #readToPresent({ environment, provider, source }: FeedOf): Promise<void> {
    const { database, now } = this.#options;
    const signal = AbortSignal.timeout(atOnceTimeoutMs);
    const window = { from: new Date(now().getTime() - atOnceLookBackMs), to: now() };
    let place: string | null = null;
    for (let pages = 0; pages < atOncePagesMax; pages += 1) {
      const page = await ask(source, { ...window, place, pageItems: null }, { signal });
      if (page.kind !== 'page') return;
      const key = { environment, provider, feed: source.name };
      const { rows } = page;
      await database.transaction((tx) => storeRows(this.#reading, tx, key, rows));
      if (page.next === null) return;
      place = page.next;
    }
  }

  /** What comes round seldom: gaps that are read again, items that are forgotten. */
  async tidy(): Promise<boolean> {
    const { database, now, openItemsMax = {} } = this.#options;
    await retryGaps(this.#reading, this.#options.feeds());
    for (const [feed, itemsMax] of Object.entries(openItemsMax)) await this.#forgetBeyond(feed, itemsMax);
    return await forgetTaken(database, now(), forgottenPerRound);
  }

  async #forgetBeyond(feed: string, itemsMax: number): Promise<void> {
    const forgotten = await forgetBeyond(this.#options.database, feed, itemsMax);
    for (const { provider, count } of forgotten) {
      this.#options.logger.error(
        { provider, feed, count },
        'more open items than are kept: the oldest tried ones are gone',
      );
    }
  }

  async #addNew(feeds: readonly FeedOf[]): Promise<void> {
    const missing = feeds.filter((feed) => !this.#added.has(keyOf(feed)));
    if (missing.length === 0) return;
    const { now, intervalMs } = this.#options;
    await addReaders(this.#options.database, missing, { now: now(), intervalMs });
    for (const feed of missing) this.#added.add(keyOf(feed));
  }
}

function keyOf({ environment, provider, source }: FeedOf): string {
  return `${environment} ${provider} ${source.name}`;
}
