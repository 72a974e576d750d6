import type { IdBounds } from '@gateway/contracts/ledger';
import { idLowerBound, idTimeMs, type IdKind } from '@gateway/money';

/**
 * How far a nightly reading of lists has come. The first one reads everything. Each later one reads what was made since the
 * beginning of the month before, and one older month: the next one, until it begins anew with the oldest. So it takes as
 * long in ten years as it does in one. Months are those of UTC, `2026-03`.
 */
export interface RollingReading<After> {
  readonly began: string;
  /** Among the lists; as many as there are where it has ended. */
  readonly list: number;
  readonly after: After | null;
  /** A reading of an earlier version says none: it reads everything. */
  readonly part?: 'all' | 'recent' | 'month';
  /** The older month that is read, or was read last. */
  readonly month?: string | null;
  /** Of the oldest record that was read; left out until a reading of everything has begun. */
  readonly oldest?: string | null;
  /** The first month that is kept: what is older was removed, and is not read. Null where nothing was. */
  readonly keptFrom?: string | null;
}

/** No record is older; an id that claims to be is read with this month, and makes no others. */
const firstMonth = '2026-01';

interface Due {
  readonly lists: number;
  readonly since: Date;
  readonly now: Date;
  /** What is older was removed. */
  readonly keptFrom?: Date | null;
}

/** The next reading, or null while one is under way or has begun since. */
export function nextReading<After>(
  from: RollingReading<After> | null | undefined,
  { lists, since, now, keptFrom = null }: Due,
): RollingReading<After> | null {
  if (from && (from.list < lists || Date.parse(from.began) >= since.getTime())) return null;
  const first = keptFrom && monthOf(keptFrom);
  const begun = { began: now.toISOString(), list: 0, after: null, ...(first ? { keptFrom: first } : {}) } as const;
  if (from?.oldest === undefined) return { ...begun, part: 'all', month: null, oldest: null };
  const oldest = first && from.oldest && from.oldest < first ? first : from.oldest;
  return { ...begun, part: 'recent', month: monthToRead({ ...from, oldest }, now), oldest };
}

function monthToRead({ month, oldest }: RollingReading<unknown>, now: Date): string | null {
  const recent = firstRecent(now);
  if (!oldest || oldest >= recent) return null;
  const next = month ? monthAfter(month) : oldest;
  return next >= recent || next < oldest ? oldest : next;
}

/** Which ids of a kind are read now. The oldest month has everything before it too, unless that was removed. */
export function boundsOf({ part, month, oldest, began, keptFrom }: RollingReading<unknown>, kind: IdKind): IdBounds {
  const start = (of: string) => idLowerBound(kind, Date.parse(`${of}-01T00:00:00.000Z`));
  if (part === 'recent') return { from: start(firstRecent(new Date(began))) };
  const kept = keptFrom ? { from: start(keptFrom) } : {};
  if (part !== 'month' || !month) return kept;
  return { ...(month === oldest ? kept : { from: start(month) }), below: start(monthAfter(month)) };
}

interface PageRead<After> {
  readonly lists: number;
  readonly next: After | null;
  /** Of the records of the page. */
  readonly ids: readonly string[];
}

/** Behind a page: on the next one, in the next list, or with the older month. */
export function behindPage<After>(from: RollingReading<After>, read: PageRead<After>): RollingReading<After> {
  const seen = from.oldest === undefined ? from : { ...from, oldest: oldestOf(from.oldest, read.ids) };
  if (read.next) return { ...seen, after: read.next };
  const list = from.list + 1;
  const hasOlder = list === read.lists && from.part === 'recent' && Boolean(from.month);
  return hasOlder ? { ...seen, part: 'month', list: 0, after: null } : { ...seen, list, after: null };
}

function oldestOf(known: string | null, ids: readonly string[]): string | null {
  const months = ids.flatMap((id) => monthOfId(id) ?? []);
  return months.reduce<string | null>((oldest, month) => (oldest && oldest <= month ? oldest : month), known);
}

/** Null of what is no id: its record is read like any other. */
function monthOfId(id: string): string | null {
  try {
    const month = monthOf(new Date(idTimeMs(id)));
    return month < firstMonth ? firstMonth : month;
  } catch {
    return null;
  }
}

/** The month before: what is made on its first day is recent for 28 days at least. */
function firstRecent(now: Date): string {
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)));
}

function monthAfter(month: string): string {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  return monthOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1)));
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 'yyyy-mm'.length);
}
