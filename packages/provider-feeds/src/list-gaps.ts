import { z } from 'zod';
import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { feedGapsShown, type FeedGap, type FeedState, type listDepositFeedGaps } from '@gateway/contracts/providers';
import type { Database } from '@gateway/persistence';

/** The parts of lists that could not be parsed, or were skipped, oldest first. */

interface GapRow {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
  readonly place: string;
  readonly cause: string;
  readonly foundAt: Date;
  readonly attempts: number;
  readonly skippedBy: string | null;
}

/** Follows from its key, so that nothing has to be kept for it. */
const idOfGap = `substr(encode(sha256(convert_to(concat_ws(' ', environment, provider, name, extract(epoch from from_at),
  extract(epoch from to_at), place), 'UTF8')), 'hex'), 1, 32)`;
/** Of the pages of one window the one that was tried most counts. */
const gapColumns = `${idOfGap} as id, from_at as "from", to_at as "to", place, cause, found_at as "foundAt", skip_id as "skippedBy",
  max(attempts) over (partition by from_at, to_at) as attempts`;
const inOrder = 'order by from_at, to_at, place';

type GapsOfList = Pick<FeedState, 'environment' | 'provider' | 'feed' | 'gaps' | 'gapCount'>;

/** What each list that has gaps is shown with: as many as can be looked at at once, and how many there are. */
export async function oldestGaps(database: Database): Promise<GapsOfList[]> {
  const rows = await database.query<Omit<GapsOfList, 'gaps'> & GapRow>(
    `select list.*, gap.* from (
       select environment, provider, name as feed, count(*)::integer as "gapCount" from poll_gap
       group by environment, provider, name) as list
     cross join lateral (
       select ${gapColumns} from poll_gap
       where (environment, provider, name) = (list.environment, list.provider, list.feed)
       ${inOrder} limit ${feedGapsShown}) as gap`,
  );
  const lists = Map.groupBy(rows, ({ environment, provider, feed }) => `${environment} ${provider} ${feed}`);
  return [...lists.values()].flatMap((gaps) => {
    const [first] = gaps;
    if (!first) return [];
    const { environment, provider, feed, gapCount } = first;
    return [{ environment, provider, feed, gapCount, gaps: gaps.map(toGap) }];
  });
}

/** @throws ValidationError naming a cursor that no page has had */
export async function listGaps(
  database: Database,
  { environment, provider, feed, limit, cursor }: RequestOf<typeof listDepositFeedGaps>,
): Promise<ReplyOf<typeof listDepositFeedGaps>> {
  const [fromMs, toMs, place] = cursor === undefined ? [null, null, null] : placeOf(cursor);
  const rows = await database.query<GapRow>(
    `select * from (select ${gapColumns} from poll_gap where (environment, provider, name) = ($1, $2, $3)) as gap
     where $4::float8 is null
       or ("from", "to", place) > (to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000), $6)
     order by "from", "to", place limit $7`,
    [environment, provider, feed, fromMs, toMs, place, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { gaps: page.map(toGap), nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

function toGap({ id, from, to, cause, foundAt, attempts, skippedBy }: GapRow): FeedGap {
  const times = { from: from.toISOString(), to: to.toISOString(), foundAt: foundAt.toISOString() };
  return { id, ...times, cause, attempts, skippedBy };
}

/** Milliseconds, of which a database knows no more either. */
const momentSchema = z.int().min(0).max(253_402_300_799_999);
/** The ends of the gap, and its page of the window: together they are its key. */
const placeSchema = z.tuple([momentSchema, momentSchema, z.string().refine((text) => !text.includes('\0'))]);

function cursorOf({ from, to, place }: GapRow): string {
  return Buffer.from(JSON.stringify([from.getTime(), to.getTime(), place])).toString('base64url');
}

function placeOf(cursor: string): z.infer<typeof placeSchema> {
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ValidationError([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  }
}
