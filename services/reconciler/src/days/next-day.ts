import type { StatementDay } from '@gateway/contracts/reconciler';
import type { Queries } from '@gateway/persistence';
import { statementZone } from '#src/matching/kinds.ts';

/** When a day is closed, on the next one. */
const closingTime = '04:00';

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
  /** Until when the statement has been read without a gap; the end of the day where a file covers it that came after it. */
  readonly readUntil: Date | null;
  /** By the file that ends with the day and came after it. */
  readonly fileClosing: number | null;
  readonly isFile: boolean;
}

const zoned = (day: string, time = '00:00') => `((${day} + 1 + time '${time}') at time zone '${statementZone}')`;

const startOf = (day: string) => `(${day}::timestamp at time zone '${statementZone}')`;

/** A file that came while its last day was under way has a part of it, with which it agrees by itself. */
const isOfWholeDay = `file.received_at >= ${zoned('next.day')}`;

/**
 * The sums of days follow from the lines: what is more than was counted when the day before was closed belongs to the next
 * one. What was booked before the first day is in its opening, also where a file shows it afterwards. A part of the statement
 * that is missing keeps its day open, and none after it: operators who close that day answer for it.
 */
export const nextSql = `
  select next.provider, next.currency, next.day::text as day, next.is_first as "isFirst", sums.booked,
    begun.opening, sums.booked - coalesce(last.booked, 0) as lines,
    sums.booked - coalesce(last.booked, 0) - sums.own as late,
    begun.opening + sums.booked - coalesce(last.booked, 0) as closing,
    ${zoned('next.day')} as "endsAt", ${zoned('next.day', closingTime)} as "dueAt", next.kind = 'file' as "isFile",
    case next.kind when 'file' then (select ${zoned('next.day')} from statement_file file
        where (file.provider, file.currency, file.state) = (next.provider, next.currency, 'IMPORTED')
          and next.day between file.from_day and file.to_day and ${isOfWholeDay} limit 1)
      else (select least(min(feed.from_at), (select min(from_at) from poll_gap gap
          where (gap.environment, gap.provider, gap.name) = ('live', next.provider, 'statement')
            and gap.to_at > ${startOf('next.day')}))
        from feed where (feed.environment, feed.provider, feed.name) = ('live', next.provider, 'statement')
          and feed.lag_sec = (select min(lag_sec) from feed first where (first.environment, first.provider, first.name)
            = ('live', next.provider, 'statement'))) end as "readUntil",
    (select (file.summary ->> 'closingCents')::bigint from statement_file file
       where (file.provider, file.currency, file.state) = (next.provider, next.currency, 'IMPORTED')
         and file.to_day = next.day and ${isOfWholeDay} order by file.id desc limit 1) as "fileClosing"
  from (
    select source.provider, source.currency,
      statement_kind(source.provider, source.currency, coalesce(last.day + 1, first.day)) as kind,
      last.day is null as is_first, first.day as first_day,
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
