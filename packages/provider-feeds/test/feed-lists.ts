import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { FeedPage, FeedQuery, FeedSource } from '@gateway/contracts/providers';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { feedMigrations } from '#src/feed-migrations.ts';
import type { InboxItem, ItemOutcome } from '#src/feed-source.ts';
import { Feeds, type FeedsOptions } from '#src/feeds.ts';

export const epochMs = Date.parse('2026-03-04T05:00:00.000Z');
export const dayMs = 86_400_000;
export const clock = { now: new Date(epochMs) };
let opened: TestDatabase;

/** A database of its own for the test file, empty before each test, at the same moment. */
export function useFeedTables(): void {
  beforeAll(async () => {
    opened = await createTestDatabase('feeds', { entities: [], migrations: feedMigrations });
  });
  afterAll(async () => opened[Symbol.asyncDispose]());
  beforeEach(async () => {
    clock.now = new Date(epochMs);
    await database().query('truncate feed, poll_gap, feed_skip, item_inbox');
  });
}

export const database = () => opened.database;

interface Listed {
  readonly key: string;
  readonly at: Date;
  /** From when on the provider lists it. */
  readonly bookedAt?: Date;
  readonly raw?: unknown;
}

/** A provider's list: what it holds, who asked it for what, and how it answers instead, where a test says so. */
export class List implements FeedSource {
  readonly name: string;
  readonly rereadAfterHours: readonly number[];
  readonly items: Listed[] = [];
  readonly asked: FeedQuery[] = [];
  /** When it answers. */
  answered = Promise.resolve();
  instead: (query: FeedQuery, items: readonly Listed[]) => FeedPage | null = () => null;

  constructor(name = 'payments', rereadAfterHours: readonly number[] = []) {
    this.name = name;
    this.rereadAfterHours = rereadAfterHours;
  }

  /** Requests that a page takes. */
  requests = 1;

  async readPage(query: FeedQuery, { onRequest }: Parameters<FeedSource['readPage']>[1] = {}): Promise<FeedPage> {
    this.asked.push(query);
    for (let made = 0; made < this.requests; made += 1) onRequest?.();
    await this.answered;
    const { from, to, place = '0', pageItems = 100 } = query;
    const within = this.items.filter(({ at, bookedAt = at }) => at >= from && at < to && bookedAt <= clock.now);
    const rows = within.slice(Number(place), Number(place) + pageItems);
    const end = Number(place) + rows.length;
    const next = end < within.length ? String(end) : null;
    const page = { kind: 'page', rows: rows.map(({ key, raw = key }) => ({ key, raw })), next } as const;
    return this.instead(query, rows) ?? page;
  }
}

export function open(
  lists: readonly List[],
  take: (item: InboxItem) => Promise<ItemOutcome> = async () => ({ kind: 'taken' }),
  options: Partial<FeedsOptions> = {},
) {
  const feeds = lists.map((source) => ({ environment: 'live', provider: 'bank', source }) as const);
  return new Feeds({
    ...{
      database: database(),
      logger: silentLogger,
      now: () => clock.now,
      intervalMs: 30_000,
      callsPerMinute: 1e9,
      take,
    },
    feeds: () => feeds,
    ...options,
  });
}

/** Lets time pass in steps, with a round of everything at each. */
export async function pass(
  feeds: Feeds,
  { seconds, stepSec = 30 }: { seconds: number; stepSec?: number },
): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSec) {
    clock.now = new Date(clock.now.getTime() + stepSec * 1_000);
    await feeds.readDue();
    while (await feeds.takeDue());
    await feeds.tidy();
  }
}

export const ago = (seconds: number) => new Date(clock.now.getTime() - seconds * 1_000);
export const stateOf = async (key: string) =>
  (await database().query<{ state: string }>('select state from item_inbox where key = $1', [key]))[0]?.state;
export const gapCount = async () => (await database().query('select from poll_gap')).length;
