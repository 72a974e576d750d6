import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import type { skipDepositFeed } from '@gateway/contracts/providers';
import type { Database, Tx } from '@gateway/persistence';
import type { Reader } from '#src/feed-table.ts';
import { providerText } from '#src/provider-text.ts';
import type { Window } from '#src/windows.ts';

type SkipRequest = RequestOf<typeof skipDepositFeed>;

/**
 * Lets the readers of a list that fail between two moments go on behind them. What they leave out becomes gaps of a day at
 * most, each read again every hour until it can be: nothing is given up. A repetition under the same approval changes nothing.
 *
 * @throws NotFoundError for a list that is not read here
 * @throws DomainError INVALID_STATE where no reader fails between the two
 */
export async function skipFeed(database: Database, request: SkipRequest, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const readers = await lockReaders(tx, request);
    if (readers.length === 0) throw new NotFoundError('feed');
    if (await isSkipped(tx, request)) return;
    const failing = readers.filter(({ isFailing, from }) => isFailing && isWithin(from, request));
    if (failing.length === 0) throw new DomainError('INVALID_STATE', 'no reader of the list fails in that part');
    await leaveGaps(tx, request, now);
    await moveReaders(tx, request, now);
  });
}

interface LockedReader {
  readonly from: Date;
  readonly isFailing: boolean;
}

async function lockReaders(tx: Tx, { environment, provider, feed }: SkipRequest): Promise<LockedReader[]> {
  return await tx.sql<LockedReader>(
    `select from_at as "from", failing_since is not null as "isFailing" from feed
     where environment = $1 and provider = $2 and name = $3 order by lag_sec for update`,
    [environment, provider, feed],
  );
}

async function isSkipped(tx: Tx, { approvalId }: SkipRequest): Promise<boolean> {
  // Kept with the list, and not with its gaps, which are gone once they could be read.
  const [known] = await tx.sql('select 1 from feed_skip where id = $1', [approvalId]);
  return known !== undefined;
}

function isWithin(at: Date, { from, until }: SkipRequest): boolean {
  return at >= new Date(from) && at < new Date(until);
}

async function leaveGaps(tx: Tx, request: SkipRequest, now: Date): Promise<void> {
  const { environment, provider, feed, from, until, approvalId, reason } = request;
  await tx.sql(
    `insert into feed_skip (id, environment, provider, name, from_at, to_at, reason, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [approvalId, environment, provider, feed, from, until, reason, now],
  );
  await tx.sql(
    `insert into poll_gap (environment, provider, name, from_at, to_at, place, cause, found_at, next_attempt_at, skip_id)
     select $1, $2, $3, part, least(part + interval '1 day', $5::timestamptz), '', $6, $7,
       $7::timestamptz + interval '1 hour', $8
     from generate_series($4::timestamptz, $5::timestamptz - interval '1 millisecond', interval '1 day') as part
     on conflict (environment, provider, name, from_at, to_at, place)
       do update set cause = excluded.cause, skip_id = excluded.skip_id`,
    [environment, provider, feed, from, until, providerText(reason), now, approvalId],
  );
}

/** A process that is reading there discards its page: the lease is gone. */
async function moveReaders(
  tx: Tx,
  { environment, provider, feed, from, until }: SkipRequest,
  now: Date,
): Promise<void> {
  await tx.sql(
    `update feed set from_at = $5, to_at = null, place = null, page_items = null, failing_since = null, failure = null,
       due_at = $6, lease_until = null
     where environment = $1 and provider = $2 and name = $3 and failing_since is not null
       and from_at >= $4 and from_at < $5`,
    [environment, provider, feed, from, until, now],
  );
}

/**
 * Where a window failed of which a part is skipped: what stands before that part is read first, and a reader that has come to
 * it goes on behind it. Every reader comes to it once more, each at its distance; where it can read the part, nothing is skipped.
 */
export async function pastSkipped(
  database: Database,
  reader: Reader,
  { from, to }: Window,
): Promise<{ readonly reader: Reader; readonly isBehind: boolean } | null> {
  const { environment, provider, name } = reader;
  const [gap] = await database.query<Window>(
    `select from_at as "from", to_at as "to" from poll_gap
     where environment = $1 and provider = $2 and name = $3 and skip_id is not null and from_at < $5 and to_at > $4
     order by from_at limit 1`,
    [environment, provider, name, from, to],
  );
  if (!gap) return null;
  const whole = { place: null, pageItems: null };
  if (gap.from > from) return { reader: { ...reader, to: gap.from, ...whole }, isBehind: false };
  return { reader: { ...reader, from: gap.to, to: null, ...whole }, isBehind: true };
}
