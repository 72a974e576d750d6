import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  dismissDepositUnreadItem,
  dismissPayoutUnreadItem,
  dismissReconcilerUnreadItem,
  getDepositUnreadItem,
  getPayoutUnreadItem,
  getReconcilerUnreadItem,
  listDepositFeedGaps,
  listDepositFeeds,
  listDepositUnreadItems,
  listPayoutFeedGaps,
  listPayoutFeeds,
  listPayoutUnreadItems,
  listReconcilerFeedGaps,
  listReconcilerFeeds,
  listReconcilerUnreadItems,
  retryDepositUnreadItem,
  retryPayoutUnreadItem,
  retryReconcilerUnreadItem,
  skipDepositFeed,
  skipPayoutFeed,
  skipReconcilerFeed,
  type FeedService,
  type FeedState,
  type UnreadItem,
} from '@gateway/contracts/providers';
import type { Database } from '@gateway/persistence';
import { answering, type RpcRoute } from '@gateway/messaging';
import { listGaps, oldestGaps } from '#src/list-gaps.ts';
import { skipFeed } from '#src/skip-feed.ts';
import { presentLagSec } from '#src/windows.ts';

const rpcs = {
  deposits: {
    feeds: listDepositFeeds,
    gaps: listDepositFeedGaps,
    items: listDepositUnreadItems,
    item: getDepositUnreadItem,
    dismiss: dismissDepositUnreadItem,
    retry: retryDepositUnreadItem,
    skip: skipDepositFeed,
  },
  payouts: {
    feeds: listPayoutFeeds,
    gaps: listPayoutFeedGaps,
    items: listPayoutUnreadItems,
    item: getPayoutUnreadItem,
    dismiss: dismissPayoutUnreadItem,
    retry: retryPayoutUnreadItem,
    skip: skipPayoutFeed,
  },
  reconciler: {
    feeds: listReconcilerFeeds,
    gaps: listReconcilerFeedGaps,
    items: listReconcilerUnreadItems,
    item: getReconcilerUnreadItem,
    dismiss: dismissReconcilerUnreadItem,
    retry: retryReconcilerUnreadItem,
    skip: skipReconcilerFeed,
  },
} as const;

/** What operators ask a service that reads lists of providers. */
export function feedRoutes(database: Database, service: FeedService, now: () => Date): readonly RpcRoute[] {
  const { feeds, gaps, items, item, dismiss, retry, skip } = rpcs[service];
  return [
    answering(feeds, async () => ({ feeds: await listFeeds(database, service) })),
    answering(gaps, async (request) => {
      await findFeed(database, service, request);
      return await listGaps(database, request);
    }),
    answering(items, async (request) => await listItems(database, service, request)),
    answering(item, async ({ id }) => ({ item: toItem(service, await findItem(database, id)) })),
    answering(dismiss, ({ id }) => dismissItem(database, service, id)),
    answering(retry, ({ id }) => retryItem(database, service, { id, now: now() })),
    answering(skip, async (request) => {
      const before = await findFeed(database, service, request);
      await skipFeed(database, request, now());
      return { before, feed: await findFeed(database, service, request) };
    }),
  ];
}

interface ReaderRow {
  readonly environment: FeedState['environment'];
  readonly provider: string;
  readonly feed: string;
  readonly readUntil: Date;
  readonly failingSince: Date | null;
  readonly failure: string | null;
  readonly failsFrom: Date | null;
}

/** @throws NotFoundError for a list that is not read here */
async function findFeed(database: Database, service: FeedService, wanted: FeedKey): Promise<FeedState> {
  const found = (await listFeeds(database, service)).find((feed) => isOf(feed, wanted));
  if (!found) throw new NotFoundError('feed');
  return found;
}

async function listFeeds(database: Database, service: FeedService): Promise<FeedState[]> {
  const [readers, gaps] = await Promise.all([
    database.query<ReaderRow>(
      `select environment, provider, name as feed, max(from_at) filter (where lag_sec = $1) as "readUntil",
         min(failing_since) as "failingSince", max(failure) as failure,
         (array_agg(from_at order by lag_sec) filter (where failing_since is not null))[1] as "failsFrom"
       from feed group by environment, provider, name having bool_or(lag_sec = $1)
       order by environment, provider, name`,
      [presentLagSec],
    ),
    oldestGaps(database),
  ]);
  return readers.map(({ readUntil, failingSince, failsFrom, ...reader }) => ({
    service,
    ...reader,
    readUntil: readUntil.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    failsFrom: failsFrom?.toISOString() ?? null,
    ...gapsOf(gaps, reader),
  }));
}

type FeedKey = Pick<FeedState, 'environment' | 'provider' | 'feed'>;

function isOf(one: FeedKey, other: FeedKey): boolean {
  return one.environment === other.environment && one.provider === other.provider && one.feed === other.feed;
}

function gapsOf(all: Awaited<ReturnType<typeof oldestGaps>>, reader: FeedKey): Pick<FeedState, 'gaps' | 'gapCount'> {
  const found = all.find((each) => isOf(each, reader));
  return { gaps: found?.gaps ?? [], gapCount: found?.gapCount ?? 0 };
}

/** Hexadecimal digits of an id that hold its time, in milliseconds. */
const timeDigits = 12;

/** Follows from when it was seen first and what names it, so that nothing has to be kept for it. */
const idOfItem = `lpad(to_hex((extract(epoch from first_seen) * 1000)::bigint), ${timeDigits}, '0')
  || substr(encode(sha256(convert_to(concat_ws(' ', environment, provider, feed, key), 'UTF8')), 'hex'), 1, 20)`;
const itemColumns = `environment, provider, feed, key, state, cause, attempts, raw, first_seen as "firstSeen",
  next_attempt_at as "nextAttemptAt", (${idOfItem}) as id`;

type ItemRow = Omit<UnreadItem, 'service' | 'firstSeen' | 'nextAttemptAt'> & {
  readonly firstSeen: Date;
  readonly nextAttemptAt: Date | null;
};

/** What is due for the first time is not listed: nothing is amiss with it. */
async function listItems(
  database: Database,
  service: FeedService,
  { limit, after, state }: RequestOf<typeof listDepositUnreadItems>,
): Promise<ReplyOf<typeof listDepositUnreadItems>> {
  const rows = await database.query<ItemRow>(
    `select ${itemColumns} from item_inbox
     where state <> 'TAKEN' and (state = $2 or ($2::text is null and state <> 'DISMISSED'))
       and (state <> 'WAITING' or cause is not null)
       and first_seen >= to_timestamp($3::double precision / 1000) and (${idOfItem}) collate "C" > $4
     order by first_seen, (${idOfItem}) collate "C" limit $1`,
    [limit + 1, state ?? null, after === undefined ? 0 : Number.parseInt(after.slice(0, timeDigits), 16), after ?? ''],
  );
  return { items: rows.slice(0, limit).map((row) => toItem(service, row)), hasMore: rows.length > limit };
}

const itemById = `select ${itemColumns} from item_inbox where state <> 'TAKEN' and (${idOfItem}) = $1`;

/** @throws NotFoundError */
async function findItem(database: Database, id: string): Promise<ItemRow> {
  const [item] = await database.query<ItemRow>(itemById, [id]);
  if (!item) throw new NotFoundError('unread item');
  return item;
}

/** Two operators have decided that it is of no consequence. Asked again, it is as it was left. */
async function dismissItem(database: Database, service: FeedService, id: string) {
  return await database.transaction(async (tx) => {
    const [before] = await tx.sql<ItemRow>(`${itemById} for update`, [id]);
    if (!before) throw new NotFoundError('unread item');
    const { environment, provider, feed, key } = before;
    await tx.sql(
      `update item_inbox set state = 'DISMISSED', next_attempt_at = null
       where environment = $1 and provider = $2 and feed = $3 and key = $4`,
      [environment, provider, feed, key],
    );
    const item = toItem(service, { ...before, state: 'DISMISSED', nextAttemptAt: null });
    return { before: toItem(service, before), item };
  });
}

/** Before those that are tried again by themselves. */
async function retryItem(
  database: Database,
  service: FeedService,
  { id, now }: { readonly id: string; readonly now: Date },
) {
  return await database.transaction(async (tx) => {
    const [before] = await tx.sql<ItemRow>(`${itemById} for update`, [id]);
    if (!before) throw new NotFoundError('unread item');
    if (before.state === 'DISMISSED') throw new DomainError('INVALID_STATE', 'two operators have dismissed the item');
    const { environment, provider, feed, key } = before;
    await tx.sql(
      `update item_inbox set next_attempt_at = $5, is_retry = false
       where environment = $1 and provider = $2 and feed = $3 and key = $4`,
      [environment, provider, feed, key, now],
    );
    const item = toItem(service, { ...before, nextAttemptAt: now });
    return { before: toItem(service, before), item };
  });
}

function toItem(service: FeedService, { firstSeen, nextAttemptAt, ...row }: ItemRow): UnreadItem {
  const times = { firstSeen: firstSeen.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
  return { service, ...row, ...times };
}
