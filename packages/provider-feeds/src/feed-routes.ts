import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  dismissDepositUnreadItem,
  dismissPayoutUnreadItem,
  dismissReconcilerUnreadItem,
  getDepositUnreadItem,
  getPayoutUnreadItem,
  getReconcilerUnreadItem,
  listDepositFeeds,
  listDepositUnreadItems,
  listPayoutFeeds,
  listPayoutUnreadItems,
  listReconcilerFeeds,
  listReconcilerUnreadItems,
  type FeedService,
  type FeedState,
  type UnreadItem,
} from '@gateway/contracts/providers';
import type { Database } from '@gateway/persistence';
import { answering, type RpcRoute } from '@gateway/messaging';
import { presentLagSec } from '#src/windows.ts';

const rpcs = {
  deposits: {
    feeds: listDepositFeeds,
    items: listDepositUnreadItems,
    item: getDepositUnreadItem,
    dismiss: dismissDepositUnreadItem,
  },
  payouts: {
    feeds: listPayoutFeeds,
    items: listPayoutUnreadItems,
    item: getPayoutUnreadItem,
    dismiss: dismissPayoutUnreadItem,
  },
  reconciler: {
    feeds: listReconcilerFeeds,
    items: listReconcilerUnreadItems,
    item: getReconcilerUnreadItem,
    dismiss: dismissReconcilerUnreadItem,
  },
} as const;

/** What operators ask a service that reads lists of providers. */
export function feedRoutes(database: Database, service: FeedService): readonly RpcRoute[] {
  const { feeds, items, item, dismiss } = rpcs[service];
  return [
    answering(feeds, async () => ({ feeds: await listFeeds(database, service) })),
    answering(items, async (request) => await listItems(database, service, request)),
    answering(item, async ({ id }) => ({ item: toItem(service, await findItem(database, id)) })),
    answering(dismiss, ({ id }) => dismissItem(database, service, id)),
  ];
}

interface ReaderRow {
  readonly environment: FeedState['environment'];
  readonly provider: string;
  readonly feed: string;
  readonly readUntil: Date;
  readonly failingSince: Date | null;
  readonly failure: string | null;
}

interface GapRow extends Pick<ReaderRow, 'environment' | 'provider' | 'feed'> {
  readonly from: Date;
  readonly to: Date;
  readonly cause: string;
  readonly foundAt: Date;
  readonly attempts: number;
}

async function listFeeds(database: Database, service: FeedService): Promise<FeedState[]> {
  const [readers, gaps] = await Promise.all([
    database.query<ReaderRow>(
      `select environment, provider, name as feed, max(from_at) filter (where lag_sec = $1) as "readUntil",
         min(failing_since) as "failingSince", max(failure) as failure
       from feed group by environment, provider, name having bool_or(lag_sec = $1)
       order by environment, provider, name`,
      [presentLagSec],
    ),
    database.query<GapRow>(
      `select environment, provider, name as feed, from_at as "from", to_at as "to", cause, found_at as "foundAt",
         max(attempts) over (partition by environment, provider, name, from_at, to_at) as attempts
       from poll_gap order by from_at limit 200`,
    ),
  ]);
  return readers.map(({ readUntil, failingSince, ...reader }) => ({
    service,
    ...reader,
    readUntil: readUntil.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    gaps: gaps.filter((gap) => isOf(gap, reader)).map(toGap),
  }));
}

function isOf(gap: GapRow, reader: Pick<ReaderRow, 'environment' | 'provider' | 'feed'>): boolean {
  return gap.environment === reader.environment && gap.provider === reader.provider && gap.feed === reader.feed;
}

function toGap({ from, to, cause, foundAt, attempts }: GapRow): FeedState['gaps'][number] {
  return { from: from.toISOString(), to: to.toISOString(), cause, foundAt: foundAt.toISOString(), attempts };
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

function toItem(service: FeedService, { firstSeen, nextAttemptAt, ...row }: ItemRow): UnreadItem {
  const times = { firstSeen: firstSeen.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
  return { service, ...row, ...times };
}
