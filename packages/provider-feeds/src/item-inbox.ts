import { createHash } from 'node:crypto';
import type { FeedRow } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { backoffMs } from '@gateway/runtime';
import type { InboxItem, ItemOutcome, ItemState } from '#src/feed-source.ts';
import { providerText } from '#src/provider-text.ts';

/** Whose items they are. */
export interface InboxKey {
  readonly environment: Environment;
  readonly provider: string;
  readonly feed: string;
}

/** Runs a statement: the database on its own, or an open transaction. */
type Run = <Row extends object>(text: string, params?: readonly unknown[]) => Promise<Row[]>;

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long a claim of an item lasts; then another process may claim it. */
const leaseMs = minuteMs;
const retries = { firstMs: 5 * secondMs, maxMs: 15 * minuteMs };
/** The record of an item is created within this time, or the item is foreign. */
const foreignAfterMs = 10 * minuteMs;
/** An item that our own question does not confirm within this time is left to operators. */
const unconfirmedAfterMs = dayMs;
/** How long an item that is foreign or unconfirmed is retried from time to time. */
const lookedAtForMs = 7 * dayMs;
/** Longer than closed days are read again, so that what was taken is known. */
const takenKeptDays = 100;
const keyCharactersMax = 200;

/**
 * Stores items to be applied. A known item stays as it is, unless `reopens` says that it was reported again: then an
 * item that was applied, or given up, is tried again. Answers how many are to be applied.
 */
export async function keepItems(
  run: Run,
  { environment, provider, feed }: InboxKey,
  rows: readonly FeedRow[],
  { now, reopens = false }: { readonly now: Date; readonly reopens?: boolean },
): Promise<number> {
  if (rows.length === 0) return 0;
  const kept = await run(
    `insert into item_inbox (environment, provider, feed, key, raw, state, first_seen, next_attempt_at)
     select $1, $2, $3, row.key, row.raw, 'WAITING', $4, $4
     from unnest($5::text[], $6::text[]) as row (key, raw)
     ${reopens ? reopening : 'on conflict do nothing'} returning key`,
    [environment, provider, feed, now, rows.map(({ key }) => storedKey(key)), rows.map(({ raw }) => textOf(raw))],
  );
  return kept.length;
}

const reopening = `on conflict (environment, provider, feed, key) do update
  set state = 'WAITING', raw = excluded.raw, cause = null, attempts = 0, is_retry = false, done_at = null,
    first_seen = excluded.first_seen, next_attempt_at = excluded.next_attempt_at
  where item_inbox.state in ('TAKEN', 'FOREIGN', 'UNCONFIRMED', 'DISMISSED')`;

/** What PostgreSQL cannot hold, or no index, is named by its digest. */
function storedKey(key: string): string {
  const fits = key.length <= keyCharactersMax && key.isWellFormed() && !key.includes('\0');
  return fits ? key : createHash('sha256').update(JSON.stringify(key)).digest('hex');
}

/** JSON escapes what PostgreSQL does not take in a text. */
function textOf(raw: unknown): string {
  return JSON.stringify(raw) ?? 'null';
}

interface ItemRow extends Omit<InboxItem, 'raw'> {
  readonly raw: string;
}

/** Takes the items that are due, those never tried first; they come again when nothing becomes of them. */
export async function claimItems(database: Database, now: Date, limit: number): Promise<InboxItem[]> {
  const rows = await database.query<ItemRow>(
    `update item_inbox as item set attempts = attempts + 1, is_retry = true, next_attempt_at = $2
     where (environment, provider, feed, key) in (
       select environment, provider, feed, key from item_inbox where next_attempt_at <= $1
       order by is_retry, next_attempt_at limit $3 for update skip locked)
     returning environment, provider, feed, key, raw, first_seen as "firstSeen", attempts`,
    [now, new Date(now.getTime() + leaseMs), limit],
  );
  return rows.map(({ raw, ...row }) => ({ ...row, raw: JSON.parse(raw) as unknown }));
}

/** What an attempt came to: an outcome, or the error it ended with. */
export type AttemptResult = ItemOutcome | { readonly kind: 'failed'; readonly cause: string };

export async function recordAttempts(
  database: Database,
  attempts: readonly { readonly item: InboxItem; readonly result: AttemptResult }[],
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ item, result }) => ({ ...item, ...afterAttempt(item, result, now) }));
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  await database.query(
    `update item_inbox as item set state = row.state, cause = row.cause, next_attempt_at = row.next_attempt_at,
       done_at = case when row.state = 'TAKEN' then $8::timestamptz end,
       raw = case when row.state = 'TAKEN' then null else item.raw end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
       as row (environment, provider, feed, key, state, cause, next_attempt_at)
     where item.environment = row.environment and item.provider = row.provider and item.feed = row.feed
       and item.key = row.key and item.state not in ('TAKEN', 'DISMISSED')`,
    [
      ...[column('environment'), column('provider'), column('feed'), column('key')],
      ...[column('state'), column('cause'), column('nextAttemptAt'), now],
    ],
  );
}

interface AfterAttempt {
  readonly state: ItemState;
  readonly cause: string | null;
  readonly nextAttemptAt: Date | null;
}

/** What becomes of an item after an attempt; times are those of the attempt's end. */
function afterAttempt(
  { attempts, firstSeen }: Pick<InboxItem, 'attempts' | 'firstSeen'>,
  result: AttemptResult,
  now: Date,
): AfterAttempt {
  const ageMs = now.getTime() - firstSeen.getTime();
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  const retryMs = backoffMs(attempts - 1, retries);
  switch (result.kind) {
    case 'taken':
      return { state: 'TAKEN', cause: null, nextAttemptAt: null };
    case 'unreadable':
      return { state: 'UNREADABLE', cause: providerText(result.shape), nextAttemptAt: inMs(hourMs) };
    case 'later':
      return { state: 'WAITING', cause: null, nextAttemptAt: inMs(retryMs) };
    case 'failed':
      return { state: 'WAITING', cause: providerText(result.cause), nextAttemptAt: inMs(retryMs) };
    case 'unknown':
    case 'unconfirmed': {
      const isForeign = result.kind === 'unknown';
      const cause = providerText(result.cause);
      const patienceMs = isForeign ? foreignAfterMs : unconfirmedAfterMs;
      if (ageMs < patienceMs) {
        return { state: 'WAITING', cause, nextAttemptAt: inMs(Math.min(retryMs, patienceMs - ageMs)) };
      }
      const state = isForeign ? 'FOREIGN' : 'UNCONFIRMED';
      // As long again as it has been here: 10 minutes, 20, 40 … and no more after a week.
      return { state, cause, nextAttemptAt: ageMs < lookedAtForMs ? inMs(ageMs) : null };
    }
  }
}

/** Items that were taken are forgotten when no reading can bring them again. Answers true when there may be more. */
export async function forgetTaken(database: Database, now: Date, limit: number): Promise<boolean> {
  const before = new Date(now.getTime() - takenKeptDays * dayMs);
  const forgotten = await database.query(
    `delete from item_inbox where (environment, provider, feed, key) in (
       select environment, provider, feed, key from item_inbox where state = 'TAKEN' and done_at < $1 limit $2)
     returning 1`,
    [before, limit],
  );
  return forgotten.length === limit;
}

/**
 * Of a feed whose number of items others decide: more than the bound are not kept open. Those go first that were given
 * up, then the oldest that were tried; what has not been tried stays. Answers how many are gone of each provider.
 */
export async function forgetBeyond(
  database: Database,
  feed: string,
  itemsMax: number,
): Promise<readonly { readonly provider: string; readonly count: number }[]> {
  return await database.query(
    `with ranked as (
       select environment, provider, key, is_retry, row_number() over (
         partition by environment, provider order by state <> 'WAITING', is_retry, first_seen desc) as place
       from item_inbox where feed = $1 and state <> 'TAKEN'),
     gone as (
       delete from item_inbox as item using ranked
       where item.feed = $1 and item.environment = ranked.environment and item.provider = ranked.provider
         and item.key = ranked.key and ranked.place > $2 and ranked.is_retry
       returning item.provider)
     select provider, count(*)::int as count from gone group by provider`,
    [feed, itemsMax],
  );
}
