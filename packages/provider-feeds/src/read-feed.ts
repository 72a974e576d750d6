import type { FeedPage, FeedRow, FeedSource } from '@gateway/contracts/providers';
import type { Database, Tx } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { ask, askWithin, type Question } from '#src/ask.ts';
import type { CallBudget } from '#src/call-budget.ts';
import { giveBack, keyOfReader, ofReader, recordFailure, type Reader } from '#src/feed-table.ts';
import { keepItems, type InboxKey } from '#src/item-inbox.ts';
import { pastSkipped } from '#src/skip-feed.ts';
import {
  firstHalf,
  nextWindow,
  pauseMs,
  shareLeft,
  widthMaxMs,
  widthMinMs,
  widthOf,
  type Window,
} from '#src/windows.ts';

const pagesMax = 20;
const roundTimeoutMs = 20_000;
/** Without a call left, and after a failure. */
const soonMs = 5_000;
/** A list that has failed for a while is asked less often. */
const patientAfterMs = 60_000;
const patientMs = 30_000;
/** How a page that cannot be parsed is got past: first in smaller windows, then in smaller pages. */
const smallerPages: Readonly<Record<number, number>> = { 10: 1 };
const smallPageItems = 10;

export interface Reading {
  readonly database: Database;
  readonly budget: CallBudget;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly intervalMs: number;
  /** New items are there. */
  readonly onItems: () => void;
  readonly store: StoreRows;
  readonly known?: KnownItems | undefined;
}

/** Of which items of a list all is known that it says, by the names that they have when they are read. */
export type KnownItems = (key: InboxKey, names: readonly string[]) => Promise<ReadonlySet<string>>;

/** What becomes of the rows of a page at once; those it answers go into the inbox. */
export type StoreRows = (tx: Tx, key: InboxKey, rows: readonly FeedRow[]) => Promise<readonly FeedRow[]>;

/** Every row waits in the inbox to be taken. */
export const keepAll: StoreRows = async (_tx, _key, rows) => rows;

/** Answers how many items of a page are to be taken one by one. */
export async function storeRows(
  reading: Pick<Reading, 'store' | 'now'>,
  tx: Tx,
  key: InboxKey,
  rows: readonly FeedRow[],
): Promise<number> {
  const kept = await reading.store(tx, key, rows);
  return await keepItems((...args) => tx.sql(...args), key, kept, { now: reading.now() });
}

/**
 * A round of one reader: windows that are closed, page after page, each stored with its place before the next is asked
 * for. Bounded by pages and time; the next round goes on from there.
 */
export async function readRound(reading: Reading, leased: Reader, source: FeedSource): Promise<void> {
  const { database, budget, now, intervalMs } = reading;
  const signal = AbortSignal.timeout(roundTimeoutMs);
  let reader = leased;
  let dueInMs = 0;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const window = reader.to ? { from: reader.from, to: reader.to } : nextWindow(reader, now());
    const restMs = pauseMs(reader.lagSec, intervalMs);
    const pausedUntil = new Date(now().getTime() + restMs);
    if (!window) return await giveBack(database, reader, pausedUntil);
    // Narrower than it might be, it reached the present: time that passes while its pages are read is for the next round.
    const closedMs = now().getTime() - reader.lagSec * 1_000;
    const reachesPresent = widthOf(window) < reader.widthMs && closedMs - window.to.getTime() <= restMs;
    if (signal.aborted) break;
    if (!budget.take(reader.provider, shareLeft(reader.lagSec))) {
      dueInMs = soonMs;
      break;
    }
    const question = { ...window, place: reader.place, pageItems: reader.pageItems };
    const { environment, provider, name: feed } = reader;
    const options = { signal, ...knownTo(reading, { environment, provider, feed }) };
    const page = await askWithin(budget, { provider, source }, question, options);
    const restUntil = reachesPresent ? pausedUntil : null;
    const next = await store(reading, reader, { question, page, source, signal, restUntil });
    if (!next) return await giveBack(database, reader, new Date(now().getTime() + afterFailureMs(reader, now())));
    // Behind a skipped part it has the rest of the window to read.
    if (restsBehind(next, restUntil) && next.from >= window.to)
      return page.kind === 'page' ? undefined : await giveBack(database, next, pausedUntil);
    reader = next;
  }
  await giveBack(database, reader, new Date(now().getTime() + dueInMs));
}

/** What a page of a list need not ask about. */
export function knownTo({ known }: Reading, key: InboxKey) {
  return known ? { known: (names: readonly string[]) => known(key, names) } : {};
}

function afterFailureMs({ failingSince }: Reader, now: Date): number {
  return failingSince && now.getTime() - failingSince.getTime() > patientAfterMs ? patientMs : soonMs;
}

type Sql = (text: string, params: readonly unknown[]) => Promise<readonly unknown[]>;

interface Answer {
  readonly question: Question;
  readonly page: FeedPage;
  readonly source: FeedSource;
  readonly signal: AbortSignal;
  /** When the list is read again, if this window reaches the present. */
  readonly restUntil: Date | null;
}

/** Whether a round ends behind the page: there is none left up to the present. */
function restsBehind({ to }: Reader, restUntil: Date | null): restUntil is Date {
  return restUntil !== null && to === null;
}

/** The reader as it goes on, or null when this round ends here. */
async function store(reading: Reading, reader: Reader, answer: Answer): Promise<Reader | null> {
  const { question, page, restUntil } = answer;
  if (page.kind === 'page') return await storePage(reading, reader, { question, page, restUntil });
  if (page.kind === 'unavailable' && page.listed) return await stayWithin(reading, reader, question);
  const past = await pastSkipped(reading.database, reader, question);
  if (past?.isBehind) return await stayWithin(reading, past.reader, past.reader);
  if (past) return past.reader;
  switch (page.kind) {
    case 'unavailable': {
      // A smaller window may be answered in time; one that has been read in part keeps its place.
      const keepsWindow = question.place !== null;
      const widthMs = keepsWindow ? reader.widthMs : Math.max(widthMinMs, Math.floor(widthOf(question) / 2));
      return await fail(reading, reader, { cause: page.cause, widthMs, keepsWindow });
    }
    case 'unreadable':
      return await getPast(reading, reader, answer, page);
  }
}

/** Stores the rows with the place behind them, and ends the lease where the round ends there: mostly without a row, at rest. */
async function storePage(
  reading: Reading,
  reader: Reader,
  { question, page, restUntil }: Pick<Answer, 'question' | 'restUntil'> & { page: Extract<FeedPage, { kind: 'page' }> },
): Promise<Reader | null> {
  const { database } = reading;
  const { environment, provider, name } = reader;
  const next = behind(reader, question, page.next);
  const until = restsBehind(next, restUntil) ? restUntil : null;
  if (page.rows.length === 0) return (await moveOn(database.query.bind(database), next, until)) ? next : null;
  const stored = await database.transaction(async (tx) => {
    const key = { environment, provider, feed: name };
    const isNew = await storeRows(reading, tx, key, page.rows);
    return { isOurs: await moveOn((...args) => tx.sql(...args), next, until), isNew: isNew > 0 };
  });
  if (stored.isNew) reading.onItems();
  return stored.isOurs ? next : null;
}

/** A page that took longer than a round: it goes on with the same window, whatever was listed for it is not listed again. */
async function stayWithin(
  { database }: Reading,
  reader: Reader,
  { to, place, pageItems }: Pick<Reader, 'to' | 'place' | 'pageItems'>,
): Promise<Reader | null> {
  const staying = { ...reader, to, place, pageItems };
  return (await moveOn(database.query.bind(database), staying)) ? staying : null;
}

/** The reader behind a page: on the next one, or at the end of the window, with a wider one to come. */
function behind(reader: Reader, { to, pageItems }: Question, place: string | null): Reader {
  if (place !== null) return { ...reader, to, place, pageItems };
  const widthMs = Math.min(reader.widthMs * 2, widthMaxMs(reader.lagSec));
  return { ...reader, from: to, to: null, place: null, pageItems: null, widthMs };
}

/**
 * False when the lease has passed to another process: then this page is discarded.
 *
 * @param restUntil ends the lease: the reader is due again at that time
 */
async function moveOn(sql: Sql, reader: Reader, restUntil: Date | null = null): Promise<boolean> {
  const { from, to, place, pageItems, widthMs } = reader;
  const moved = await sql(
    `update feed set from_at = $6, to_at = $7, place = $8, page_items = $9, width_ms = $10, failing_since = null,
       failure = null, due_at = coalesce($11::timestamptz, due_at),
       lease_until = case when $11::timestamptz is null then lease_until end
     where ${ofReader} returning 1`,
    [...keyOfReader(reader), from, to, place, pageItems, widthMs, restUntil],
  );
  return moved.length === 1;
}

async function fail(
  { database, logger, now }: Reading,
  reader: Reader,
  failure: { readonly cause: string; readonly widthMs: number; readonly keepsWindow: boolean },
): Promise<null> {
  const { environment, provider, name, lagSec } = reader;
  logger.warn({ environment, provider, feed: name, lagSec, cause: failure.cause }, 'a list could not be read');
  await recordFailure(database, reader, { ...failure, now: now() });
  return null;
}

/**
 * A page that cannot be parsed: its window is halved, then read in smaller pages, so that what can be read is taken.
 * The part that is left becomes a gap and is read again every hour, unless nothing of the list can be parsed at all.
 */
async function getPast(
  reading: Reading,
  reader: Reader,
  { question, source, signal }: Answer,
  page: Extract<FeedPage, { kind: 'unreadable' }>,
): Promise<Reader | null> {
  const half = question.pageItems === null ? firstHalf(question) : null;
  if (half) return { ...reader, to: half.to, place: null, pageItems: null, widthMs: widthOf(half) };
  const pageItems = question.pageItems === null ? smallPageItems : smallerPages[question.pageItems];
  if (pageItems !== undefined) return { ...reader, to: question.to, place: null, pageItems };
  if (!(await isReadableElsewhere(source, question, signal))) {
    return await fail(reading, reader, { cause: page.cause, widthMs: reader.widthMs, keepsWindow: false });
  }
  return await leaveGap(reading, reader, question, page);
}

/** Whether the provider answers with pages at all: of a moment before and of the one behind. */
async function isReadableElsewhere(source: FeedSource, { from, to }: Window, signal: AbortSignal): Promise<boolean> {
  const before = { from: new Date(from.getTime() - widthMinMs), to: from };
  const after = { from: to, to: new Date(to.getTime() + widthMinMs) };
  for (const window of [before, after]) {
    const page = await ask(source, { ...window, place: null, pageItems: null }, { signal });
    if (page.kind === 'page') return true;
  }
  return false;
}

async function leaveGap(
  { database, logger, now }: Reading,
  reader: Reader,
  question: Question,
  page: Extract<FeedPage, { kind: 'unreadable' }>,
): Promise<Reader | null> {
  const { environment, provider, name } = reader;
  const { from, to, place } = question;
  const next = behind(reader, question, page.next ?? null);
  logger.error({ environment, provider, feed: name, from, to, cause: page.cause }, 'a part of a list cannot be read');
  const isOurs = await database.transaction(async (tx) => {
    // Where the list does not say how it goes on, the rest of the window is in the gap too.
    await tx.sql(
      `insert into poll_gap (environment, provider, name, from_at, to_at, place, page_items, cause, found_at, next_attempt_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9::timestamptz + interval '1 hour') on conflict do nothing`,
      [environment, provider, name, from, to, place ?? '', question.pageItems, page.cause.replaceAll('\0', ' '), now()],
    );
    return await moveOn((...args) => tx.sql(...args), next);
  });
  return isOurs ? next : null;
}
