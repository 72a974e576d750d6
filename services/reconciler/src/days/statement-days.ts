import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { closeStatementDay, listStatementDays, StatementDay } from '@gateway/contracts/reconciler';
import { type Database, type Queries, queriesIn, type Tx } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { KeptComparisons } from '#src/days/kept-comparisons.ts';
import { statementZone } from '#src/matching/kinds.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import type { LedgerCheckpoint } from '#src/sides/sources.ts';

export interface DaysDependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  /** What the live providers hold, as deposits has compared it last. */
  readonly balances: () => Promise<readonly ProviderBalance[]>;
  /** What the live ledger has signed last. */
  readonly checkpoint: () => Promise<LedgerCheckpoint | null>;
}

/** What others say when a day is closed. */
interface Evidence {
  readonly balances: readonly ProviderBalance[];
  readonly checkpoint: LedgerCheckpoint | null;
}

/** When a day is closed, on the next one. */
const closingTime = '04:00';
/** Under which days close that agree. */
const byTheClock = 'reconciler';

/** The day of an account that is closed next, as it stands. */
export interface NextDay extends Pick<
  StatementDay,
  'provider' | 'currency' | 'day' | 'opening' | 'lines' | 'late' | 'closing'
> {
  /** Of all lines since the first day up to its end. */
  readonly booked: number;
  readonly isFirst: boolean;
  readonly endsAt: Date;
  readonly dueAt: Date;
  /** Until when the statement has been read without a gap; the end of the day where a file covers it. */
  readonly readUntil: Date | null;
  /** By the file that ends with the day. */
  readonly fileClosing: number | null;
  readonly isFile: boolean;
}

const zoned = (day: string, time = '00:00') => `((${day} + 1 + time '${time}') at time zone '${statementZone}')`;

/**
 * The sums of days follow from the lines: what is more than was counted when the day before was closed belongs to the next
 * one. What was booked before the first day is in its opening, also where a file shows it afterwards.
 */
const nextSql = `
  select next.provider, next.currency, next.day::text as day, next.is_first as "isFirst", sums.booked,
    begun.opening, sums.booked - coalesce(last.booked, 0) as lines,
    sums.booked - coalesce(last.booked, 0) - sums.own as late,
    begun.opening + sums.booked - coalesce(last.booked, 0) as closing,
    ${zoned('next.day')} as "endsAt", ${zoned('next.day', closingTime)} as "dueAt", next.kind = 'file' as "isFile",
    case next.kind when 'file' then (select ${zoned('next.day')} from statement_file file
        where (file.provider, file.currency, file.state) = (next.provider, next.currency, 'IMPORTED')
          and next.day between file.from_day and file.to_day limit 1)
      else (select least(min(feed.from_at), (select min(from_at) from poll_gap gap
          where (gap.environment, gap.provider, gap.name) = ('live', next.provider, 'statement')))
        from feed where (feed.environment, feed.provider, feed.name) = ('live', next.provider, 'statement')
          and feed.lag_sec = (select min(lag_sec) from feed first where (first.environment, first.provider, first.name)
            = ('live', next.provider, 'statement'))) end as "readUntil",
    (select (file.summary ->> 'closingCents')::bigint from statement_file file
       where (file.provider, file.currency, file.state) = (next.provider, next.currency, 'IMPORTED')
         and file.to_day = next.day order by file.id desc limit 1) as "fileClosing"
  from (
    select source.provider, source.currency, source.kind, last.day is null as is_first, first.day as first_day,
      coalesce(last.day + 1, first.day) as day
    from statement_source source
      cross join lateral (select (source.compared_from at time zone '${statementZone}')::date as day) as first
      left join lateral (
      select max(day) as day from day_close where (day_close.provider, day_close.currency)
        = (source.provider, source.currency)) as last on true
  ) as next
  left join day_close as last on last.environment = 'live'
    and (last.provider, last.currency, last.day) = (next.provider, next.currency, next.day - 1)
  cross join lateral (
    select coalesce(sum(amount) filter (where line_day.day >= next.first_day), 0)::bigint as booked,
      coalesce(sum(amount) filter (where line_day.day = next.day), 0)::bigint as own,
      coalesce(sum(amount) filter (where line_day.day < next.day), 0)::bigint as before
    from line_day where (line_day.provider, line_day.currency) = (next.provider, next.currency)
      and line_day.day <= next.day
  ) as sums
  cross join lateral (
    select coalesce(last.closing, (select (file.summary ->> 'openingCents')::bigint from statement_file file
       where next.kind = 'file' and (file.provider, file.currency, file.state)
           = (next.provider, next.currency, 'IMPORTED')
         and file.from_day = next.day order by file.id desc limit 1), sums.before) as opening
  ) as begun`;

export async function nextDays(source: Queries): Promise<NextDay[]> {
  return await source.query<NextDay>(nextSql);
}

/** Closes the days that are due, have been read to their end, and agree with what the provider holds. */
export async function closeDays(
  dependencies: DaysDependencies,
  comparisons: KeptComparisons = new KeptComparisons(),
): Promise<void> {
  const { database, now } = dependencies;
  let closed = true;
  while (closed) {
    const due = (await nextDays(database)).filter(
      ({ dueAt, endsAt, readUntil }) => dueAt <= now() && readUntil !== null && readUntil >= endsAt,
    );
    closed = false;
    if (due.length === 0) return;
    const evidence = { balances: await dependencies.balances(), checkpoint: await dependencies.checkpoint() };
    for (const next of due) {
      const balances = comparisons.for(next, evidence.balances);
      const closes = await closeDay(dependencies, next, { ...evidence, balances }, byTheClock);
      closed ||= closes !== undefined;
    }
  }
}

/** By an operator, as it stands. @throws NotFoundError, DomainError as the contract says */
export async function closeByHand(
  dependencies: DaysDependencies,
  { provider, currency, day, operator }: RequestOf<typeof closeStatementDay>,
): Promise<ReplyOf<typeof closeStatementDay>> {
  const { database, now } = dependencies;
  const asked = { provider, currency, day };
  const known = await readDay(database, asked);
  if (known?.state === 'CLOSED') return { day: known };
  const next = (await nextDays(database)).find((each) => each.provider === provider && each.currency === currency);
  if (!next) throw new NotFoundError('statement day');
  if (next.day !== day) throw new DomainError('INVALID_STATE', `the day that is closed next is ${next.day}`);
  if (next.endsAt > now()) throw new DomainError('INVALID_STATE', 'the day is not over');
  // Without an answer it is closed all the same, and says that nothing was known.
  const withoutAnswer =
    <T>(otherwise: T) =>
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return otherwise;
    };
  const balances = await dependencies.balances().catch(withoutAnswer([]));
  const checkpoint = await dependencies.checkpoint().catch(withoutAnswer(null));
  await closeDay(dependencies, asked, { balances, checkpoint }, operator);
  const closed = await readDay(database, asked);
  if (closed?.state !== 'CLOSED') throw new DomainError('INVALID_STATE', 'the day cannot be closed as it stands');
  return { day: closed };
}

type DayKey = Pick<StatementDay, 'provider' | 'currency' | 'day'>;

/** Under the lock of matching: no line comes in between. */
async function closeDay(
  { database, logger, now }: DaysDependencies,
  { provider, currency, day }: DayKey,
  { balances, checkpoint }: Evidence,
  closedBy: string,
): Promise<NextDay | undefined> {
  return await database.transaction(async (tx) => {
    await lockMatching(tx, [{ environment: 'live' }]);
    const next = (await nextDays(queriesIn(tx))).find(
      (each) => each.provider === provider && each.currency === currency && each.day === day,
    );
    if (!next) return undefined;
    const held = await balanceAtEnd(tx, next, balances);
    // The first day begins with what the provider then held.
    const opening = next.isFirst && held.kind === 'known' ? held.amount - next.lines : next.opening;
    const closing = opening + next.lines;
    const agrees = held.kind === 'none' || (held.kind === 'known' && held.amount === closing);
    if (!agrees && closedBy === byTheClock) return undefined;
    await tx.sql(
      `insert into day_close (provider, currency, day, opening, lines, late, closing, booked, provider_balance,
         unexplained_plus, unexplained_minus, closed_at, closed_by, checkpoint_size, checkpoint_root)
       select $1, $2, $3::date, $4, $5, $6, $7, $8, $9, coalesce(sum(amount) filter (where amount > 0), 0),
         coalesce(-sum(amount) filter (where amount < 0), 0), $10, $11, $12, $13
       from exception where environment = 'live' and state in ('OPEN', 'PROPOSED') and provider = $1 and currency = $2`,
      [
        ...[provider, currency, day, opening, next.lines, next.late, closing, next.booked],
        ...[held.kind === 'known' ? held.amount : null, now(), closedBy],
        ...[checkpoint?.size ?? null, checkpoint?.root ?? null],
      ],
    );
    tx.afterCommit(() => logger.info({ provider, currency, day, closing, closedBy }, 'a day of a statement is closed'));
    return next;
  });
}

type Held = { readonly kind: 'known'; readonly amount: number } | { readonly kind: 'none' | 'not yet' };

/** What the provider held when the day ended: its balance, less what was booked between then and the comparison. */
async function balanceAtEnd(tx: Tx, next: NextDay, balances: readonly ProviderBalance[]): Promise<Held> {
  if (next.isFile) return next.fileClosing === null ? { kind: 'none' } : { kind: 'known', amount: next.fileClosing };
  const balance = balances.find(({ provider, currency }) => provider === next.provider && currency === next.currency);
  const heldNow = balance?.held ?? null;
  if (!balance || heldNow === null) return { kind: 'none' };
  const comparedAt = new Date(balance.comparedAt * 1_000);
  if (comparedAt < next.endsAt || next.readUntil === null || next.readUntil < comparedAt) return { kind: 'not yet' };
  const [since] = await tx.sql<{ amount: number }>(
    `select coalesce(sum(amount), 0)::bigint as amount from line
     where environment = 'live' and provider = $1 and currency = $2 and batch_key is null
       and booked_at >= $3 and booked_at <= $4`,
    [next.provider, next.currency, next.endsAt, comparedAt],
  );
  return { kind: 'known', amount: heldNow - (since?.amount ?? 0) };
}

interface DayRow extends Omit<StatementDay, 'closedAt'> {
  readonly closedAt: Date | null;
}

const daysSql = `
  select provider, currency, day::text as day, 'CLOSED' as state, opening, lines, late, closing,
    provider_balance as "providerBalance", unexplained_plus as "unexplainedPlus",
    unexplained_minus as "unexplainedMinus", closed_at as "closedAt", closed_by as "closedBy" from day_close
  union all
  select provider, currency, day, 'OPEN', opening, lines, late, closing, null, 0, 0, null, null from (${nextSql}) as next`;

function toDay({ closedAt, ...row }: DayRow): StatementDay {
  return { ...row, closedAt: closedAt?.toISOString() ?? null };
}

async function readDay(database: Queries, { provider, currency, day }: DayKey): Promise<StatementDay | undefined> {
  const [row] = await database.query<DayRow>(
    `select * from (${daysSql}) as days where (provider, currency, day) = ($1, $2, $3)`,
    [provider, currency, day],
  );
  return row && toDay(row);
}

/** Newest first; a cursor is `<provider>/<currency>/<day>`. @throws ValidationError */
export async function listDays(
  { database }: { readonly database: Queries },
  { limit, cursor, provider }: RequestOf<typeof listStatementDays>,
): Promise<ReplyOf<typeof listStatementDays>> {
  const after = cursor === undefined ? [null, null, null] : placeOf(cursor);
  const rows = await database.query<DayRow>(
    `select * from (${daysSql}) as days where (provider = $1 or $1::text is null)
       and ($4::text is null or day < $4 or (day = $4 and (provider, currency) > ($2, $3)))
     order by day desc, provider, currency limit $5`,
    [provider ?? null, ...after, limit + 1],
  );
  const days = rows.slice(0, limit).map(toDay);
  const last = days.at(-1);
  const nextCursor = rows.length > limit && last ? `${last.provider}/${last.currency}/${last.day}` : null;
  return { days, nextCursor };
}

function placeOf(cursor: string): string[] {
  const [, provider, currency, day] = /^(.+)\/([A-Z]{3,5})\/(\d{4}-\d{2}-\d{2})$/s.exec(cursor) ?? [];
  if (provider === undefined || currency === undefined || day === undefined) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
  }
  return [provider, currency, day];
}
