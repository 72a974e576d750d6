import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { FeedOf } from '#src/feed-source.ts';
import { firstFrom, firstLookBackMs, firstPauseMs, lagsOf, lookingBackFromSec } from '#src/windows.ts';
import { providerText } from '#src/provider-text.ts';

/** A row of `feed`; the migration says what its columns mean. */
export interface Reader {
  readonly environment: Environment;
  readonly provider: string;
  readonly name: string;
  readonly lagSec: number;
  readonly from: Date;
  readonly to: Date | null;
  readonly place: string | null;
  readonly pageItems: number | null;
  readonly widthMs: number;
  readonly failingSince: Date | null;
  readonly leaseUntil: Date;
}

/** Longer than a round takes, so that two processes do not read the same list. */
const leaseMs = 60_000;

/**
 * Makes the readers of lists that have none yet, and ends those at distances that the lists have no more. Readers that
 * look back begin spread over the pause that each makes between two rounds: what they find is learned no later than at
 * any other time, and a new database does not have the lists of three months read at once, then or every six hours.
 */
export async function addReaders(
  database: Database,
  feeds: readonly FeedOf[],
  { now, intervalMs }: { readonly now: Date; readonly intervalMs: number },
): Promise<void> {
  const readers = feeds.flatMap(({ environment, provider, source: { name, rereadAfterHours } }) =>
    lagsOf(rereadAfterHours).map((lagSec) => ({ environment, provider, name, lagSec })),
  );
  const keys = [
    readers.map(({ environment }) => environment),
    readers.map(({ provider }) => provider),
    readers.map(({ name }) => name),
    readers.map(({ lagSec }) => lagSec),
  ];
  await database.query(
    `insert into feed (environment, provider, name, lag_sec, from_at, width_ms, due_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::int[], $7::timestamptz[])
     on conflict do nothing`,
    [
      ...[...keys, readers.map(({ lagSec }) => firstFrom(now, lagSec)), readers.map(() => firstLookBackMs)],
      readers.map(({ lagSec }, place) => new Date(now.getTime() + firstPauseMs(lagSec, intervalMs, place))),
    ],
  );
  await database.query(
    `delete from feed where (environment, provider, name) in (select * from unnest($1::text[], $2::text[], $3::text[]))
       and (environment, provider, name, lag_sec) not in (
         select * from unnest($1::text[], $2::text[], $3::text[], $4::int[]))`,
    keys,
  );
}

/** More than any list has readers. */
const readersMax = 1_000;

/**
 * Leases the readers that are due and not leased by another process, those of the present first. Of those that look back
 * it leases as many as there are calls for: the rest stay due and are not written, however many there are.
 *
 * @param callsOf the calls that are left to readers that look back, by list
 */
export async function leaseDue(
  database: Database,
  feeds: readonly FeedOf[],
  callsOf: (feed: FeedOf) => number,
  now: Date,
): Promise<Reader[]> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const ranges = feeds.flatMap((feed) => [
    { feed, from: 0, below: lookingBackFromSec, readers: readersMax },
    { feed, from: lookingBackFromSec, below: null, readers: Math.min(callsOf(feed), readersMax) },
  ]);
  const wanted = ranges.filter(({ readers }) => readers > 0);
  const rows = await database.query<Reader>(
    `update feed set lease_until = $8
     where (environment, provider, name, lag_sec) in (
       select due.* from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[])
         as wanted (environment, provider, name, from_sec, below_sec, readers)
       cross join lateral (
         select environment, provider, name, lag_sec from feed
         where environment = wanted.environment and provider = wanted.provider and name = wanted.name
           and lag_sec >= from_sec and (below_sec is null or lag_sec < below_sec)
           and due_at <= $7 and (lease_until is null or lease_until <= $7)
         order by lag_sec limit readers
         for update skip locked
       ) as due)
     returning environment, provider, name, lag_sec as "lagSec", from_at as "from", to_at as "to", place,
       page_items as "pageItems", width_ms as "widthMs", failing_since as "failingSince", lease_until as "leaseUntil"`,
    [
      wanted.map(({ feed }) => feed.environment),
      wanted.map(({ feed }) => feed.provider),
      wanted.map(({ feed }) => feed.source.name),
      wanted.map(({ from }) => from),
      wanted.map(({ below }) => below),
      wanted.map(({ readers }) => readers),
      ...[now, leaseUntil],
    ],
  );
  return rows.toSorted((one, other) => one.lagSec - other.lagSec);
}

export const ofReader = `environment = $1 and provider = $2 and name = $3 and lag_sec = $4 and lease_until = $5`;

export function keyOfReader({ environment, provider, name, lagSec, leaseUntil }: Reader): readonly unknown[] {
  return [environment, provider, name, lagSec, leaseUntil];
}

/** Ends a lease: the reader is due again at the given time. */
export async function giveBack(database: Database, reader: Reader, dueAt: Date): Promise<void> {
  await database.query(`update feed set lease_until = null, due_at = $6 where ${ofReader}`, [
    ...keyOfReader(reader),
    dueAt,
  ]);
}

/** Remembers that a list cannot be read, and how wide the next window is. */
export async function recordFailure(
  database: Database,
  reader: Reader,
  failure: { readonly cause: string; readonly widthMs: number; readonly keepsWindow: boolean; readonly now: Date },
): Promise<void> {
  const { cause, widthMs, keepsWindow, now } = failure;
  await database.query(
    `update feed set failing_since = coalesce(failing_since, $6), failure = $7, width_ms = $8,
       to_at = case when $9 then to_at end, page_items = case when $9 then page_items end
     where ${ofReader}`,
    [...keyOfReader(reader), now, providerText(cause), widthMs, keepsWindow],
  );
}
