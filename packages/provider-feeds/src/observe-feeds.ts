import type { AttentionQuery } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { level } from '@gateway/runtime';
import { presentLagSec } from '#src/windows.ts';

const failing = level('gateway_feed_failing_seconds', "For how long a provider's list could not be read", [
  'provider',
  'feed',
]);
const behind = level('gateway_feed_behind_seconds', "How far a provider's list is read behind the present", [
  'provider',
  'feed',
]);
const gaps = level('gateway_feed_gaps', "Parts of a provider's lists that could not be parsed", ['provider', 'feed']);
const unread = level('gateway_feed_items_unread', 'Items that could not be read, confirmed or taken for ten minutes', [
  'provider',
  'feed',
]);
const foreign = level('gateway_feed_items_foreign', 'Items that are about nothing recorded here', ['provider', 'feed']);

/** Found by the index of what is not taken. */
const unreadSql = `state in ('UNREADABLE', 'UNCONFIRMED')
  or (state = 'WAITING' and cause is not null and first_seen < now() - interval '10 minutes')`;

/** Items of the lists that a service reads, for operators to look at. */
export const waitingItems: AttentionQuery = {
  kind: 'unread_item',
  sql: `select environment, count(*)::int as count, min(first_seen) as oldest
        from item_inbox where state <> 'TAKEN' and (${unreadSql}) group by environment`,
};

interface Observed {
  readonly provider: string;
  readonly feed: string;
}

/** Sets the gauges of this service's lists and items. */
export async function observeFeeds(database: Database): Promise<void> {
  const [readers, openGaps, items] = await Promise.all([
    database.query<Observed & { failing: number; behind: number | null }>(
      `select provider, name as feed, coalesce(max(extract(epoch from now() - failing_since)), 0)::float8 as failing,
         max(extract(epoch from now() - from_at)) filter (where lag_sec = $1)::float8 as behind
       from feed group by provider, name`,
      [presentLagSec],
    ),
    database.query<Observed & { count: number }>(
      'select provider, name as feed, count(*)::bigint as count from poll_gap group by provider, name',
    ),
    database.query<Observed & { unread: number; foreign: number }>(
      `select provider, feed, count(*) filter (where state = 'FOREIGN')::bigint as foreign,
         count(*) filter (where ${unreadSql})::bigint as unread
       from item_inbox where state <> 'TAKEN' group by provider, feed`,
    ),
  ]);
  for (const gauge of [failing, behind, gaps, unread, foreign]) gauge.reset();
  for (const reader of readers) {
    const { provider, feed } = reader;
    failing.set(reader.failing, { provider, feed });
    for (const gauge of [gaps, unread, foreign]) gauge.set(0, { provider, feed });
    if (reader.behind !== null) behind.set(reader.behind, { provider, feed });
  }
  for (const { provider, feed, count } of openGaps) gaps.set(count, { provider, feed });
  for (const { provider, feed, ...counts } of items) {
    unread.set(counts.unread, { provider, feed });
    foreign.set(counts.foreign, { provider, feed });
  }
}
