import type { FeedPage } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { askWithin } from '#src/ask.ts';
import type { FeedOf } from '#src/feed-source.ts';
import { knownTo, storeRows, type Reading } from '#src/read-feed.ts';
import { firstHalf, lookingBackFromSec, presentLagSec, shareLeft } from '#src/windows.ts';

const gapsMax = 5;
const pagesMax = 20;
const roundTimeoutMs = 20_000;
/** Longer than a round takes, so that two processes do not read the same gap. */
const leaseMs = 60_000;
/** A gap of which pages could be read goes on with the next round, and one that got no call. */
const soonMs = 5_000;
const retryMs = 3_600_000;
/** A place that has been refused for so long counts as one that the provider knows no more. */
const placeKeptMs = 2 * retryMs;
/** Of one skip at a time: each costs a call an hour, however long the part is that the provider does not answer. */
const skippedPartsMax = 128;

/** The first gap of a window, by its place: it stands for the others, since the whole window is read again. */
interface Gap {
  readonly environment: Environment;
  readonly provider: string;
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  readonly place: string;
  /** The next page of the window, or null at its beginning; and since when it has been that. */
  readonly retryPlace: string | null;
  readonly placedAt: Date | null;
  readonly leaseUntil: Date;
}

/**
 * Reads the windows once more of which a part could not be parsed; what can be now is kept page by page, and a window
 * that was read to its end has no gap any more. Bounded by pages, time and the calls of the provider that are left to
 * what is not urgent; the next round goes on from there.
 */
export async function retryGaps(reading: Reading, feeds: readonly FeedOf[]): Promise<void> {
  const { database, logger, now } = reading;
  for (let gaps = 0; gaps < gapsMax; gaps += 1) {
    const gap = await leaseGap(database, now());
    if (!gap) return;
    const { environment, provider, name, from, to, retryPlace: place } = gap;
    const feed = feeds.find((each) => isOf(gap, each));
    try {
      if (feed) await retryGap(reading, feed, gap);
      else await giveBack(reading, gap, { place, dueInMs: retryMs, isAttempt: false });
    } catch (error) {
      // Its lease ends by itself, and the other gaps are not held up by it.
      logger.error({ err: error, environment, provider, feed: name, from, to }, 'a gap of a list could not be retried');
    }
  }
}

function isOf(gap: Gap, { environment, provider, source }: FeedOf): boolean {
  return environment === gap.environment && provider === gap.provider && source.name === gap.name;
}

/** The gap that is due first and not leased by another process, if there is one. */
async function leaseGap(database: Database, now: Date): Promise<Gap | undefined> {
  const [gap] = await database.query<Gap>(
    `update poll_gap set lease_until = $2
     where (environment, provider, name, from_at, to_at, place) in (
       select environment, provider, name, from_at, to_at, place from poll_gap as gap
       where next_attempt_at <= $1 and (lease_until is null or lease_until <= $1) and not exists (
         select from poll_gap as former
         where (former.environment, former.provider, former.name, former.from_at, former.to_at)
           = (gap.environment, gap.provider, gap.name, gap.from_at, gap.to_at) and former.place < gap.place)
       order by next_attempt_at limit 1 for update of gap skip locked)
     returning environment, provider, name, from_at as "from", to_at as "to", place, retry_place as "retryPlace",
       placed_at as "placedAt", lease_until as "leaseUntil"`,
    [now, new Date(now.getTime() + leaseMs)],
  );
  return gap;
}

/** The whole window: places may have moved since, and what is known already is not kept twice. */
async function retryGap(reading: Reading, feed: FeedOf, gap: Gap): Promise<void> {
  const { from, to } = gap;
  const signal = AbortSignal.timeout(roundTimeoutMs);
  const key = { environment: gap.environment, provider: gap.provider, feed: gap.name };
  let place = gap.retryPlace;
  let pages = 0;
  for (; pages < pagesMax && !signal.aborted; pages += 1) {
    if (!reading.budget.take(gap.provider, shareLeft(lookingBackFromSec))) break;
    const question = { from, to, place, pageItems: null };
    const page = await askWithin(reading.budget, feed, question, { signal, ...knownTo(reading, key) });
    if (page.kind !== 'page') return await endFailed(reading, gap, afterFailure(reading, gap, { page, place, pages }));
    if (!(await storePage(reading, gap, page)) || page.next === null) return;
    place = page.next;
  }
  await giveBack(reading, gap, { place, dueInMs: soonMs, isAttempt: pages > 0 });
}

interface Rest {
  readonly place: string | null;
  readonly dueInMs: number;
  readonly isAttempt: boolean;
}

interface Refused {
  readonly page: Exclude<FeedPage, { kind: 'page' }>;
  readonly place: string | null;
  /** How many pages were read in this round before. */
  readonly pages: number;
}

/**
 * A place that was reached in this round is tried once more. One from an earlier round may be unknown to the provider by
 * now: answered with what is no page, or refused for hours, it is given up, and the window begins anew.
 */
function afterFailure({ now }: Reading, { placedAt }: Gap, { page, place, pages }: Refused): Rest {
  const isUnderWay = page.kind === 'unavailable' && page.listed !== undefined;
  if (pages > 0 || isUnderWay) return { place, dueInMs: soonMs, isAttempt: true };
  const isKept = page.kind === 'unavailable' && placedAt && now().getTime() - placedAt.getTime() < placeKeptMs;
  return { place: isKept ? place : null, dueInMs: retryMs, isAttempt: true };
}

/**
 * A skip may be wider than what cannot be read of it: its gap is halved where it does not begin to be readable, so that what
 * readers leave out is at last no more than that.
 */
async function endFailed(reading: Reading, gap: Gap, rest: Rest): Promise<void> {
  const beginsAnew = rest.place === null && rest.dueInMs === retryMs;
  const half = beginsAnew ? firstHalf(gap) : null;
  if (half && (await halve(reading, gap, half.to))) return;
  await giveBack(reading, gap, rest);
}

/**
 * Replaces a gap by its halves, both due soon. False for one that no skip has left, where the skip is in as many parts as may
 * be, and while the list cannot be read at the present either: then nothing follows from a failure about its window.
 */
async function halve({ database, now }: Reading, gap: Gap, middle: Date): Promise<boolean> {
  const halves = await database.query(
    `with whole as (
       delete from poll_gap where ${ofGap} and skip_id is not null
         and (select count(*) from poll_gap as part where part.skip_id = poll_gap.skip_id) < $8
         and exists (select from feed where (feed.environment, feed.provider, feed.name) = ($1, $2, $3)
           and feed.lag_sec = $9 and feed.failing_since is null)
       returning *)
     insert into poll_gap (environment, provider, name, from_at, to_at, cause, found_at, attempts, next_attempt_at, skip_id)
     select environment, provider, name, half.from_at, half.to_at, cause, found_at, attempts + 1, $10::timestamptz, skip_id
     from whole cross join lateral (values (from_at, $11::timestamptz), ($11::timestamptz, to_at)) as half (from_at, to_at)
     on conflict (environment, provider, name, from_at, to_at, place)
       do update set skip_id = coalesce(poll_gap.skip_id, excluded.skip_id)
     returning 1`,
    [...keyOfGap(gap), skippedPartsMax, presentLagSec, new Date(now().getTime() + soonMs), middle],
  );
  return halves.length > 0;
}

/** Keeps a page and the place behind it at once. False when the lease has passed: then this page is discarded. */
async function storePage(reading: Reading, gap: Gap, page: Extract<FeedPage, { kind: 'page' }>): Promise<boolean> {
  const { database, logger, now, onItems } = reading;
  const { environment, provider, name, from, to } = gap;
  const stored = await database.transaction(async (tx) => {
    const isOurs = await tx.sql(`update poll_gap set retry_place = $8, placed_at = $9 where ${ofGap} returning 1`, [
      ...keyOfGap(gap),
      page.next,
      now(),
    ]);
    if (isOurs.length === 0) return null;
    const kept = await storeRows(reading, tx, { environment, provider, feed: name }, page.rows);
    if (page.next === null) {
      await tx.sql(
        'delete from poll_gap where environment = $1 and provider = $2 and name = $3 and from_at = $4 and to_at = $5',
        [environment, provider, name, from, to],
      );
    }
    return kept;
  });
  if (stored === null) return false;
  if (stored > 0) onItems();
  if (page.next === null) logger.info({ environment, provider, feed: name, from, to }, 'a gap of a list has been read');
  return true;
}

const ofGap = `environment = $1 and provider = $2 and name = $3 and from_at = $4 and to_at = $5 and place = $6
  and lease_until = $7`;

function keyOfGap({ environment, provider, name, from, to, place, leaseUntil }: Gap): readonly unknown[] {
  return [environment, provider, name, from, to, place, leaseUntil];
}

/** Ends a lease: the gap is due again after the given time. */
async function giveBack({ database, now }: Reading, gap: Gap, { place, dueInMs, isAttempt }: Rest): Promise<void> {
  await database.query(
    `update poll_gap set lease_until = null, next_attempt_at = $8, retry_place = $9, attempts = attempts + $10
     where ${ofGap}`,
    [...keyOfGap(gap), new Date(now().getTime() + dueInMs), place, isAttempt ? 1 : 0],
  );
}
