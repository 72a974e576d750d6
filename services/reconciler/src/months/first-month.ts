import type { Database } from '@gateway/persistence';
import { statementZone } from '#src/matching/kinds.ts';
import { lockAllMatching } from '#src/matching/lock-matching.ts';

/** Providers are asked about a payment for up to 91 days, and lists are read again for as long: nothing of that is removed. */
const monthsKeptMin = 6;

/** The first month that is kept. */
export interface FirstMonth {
  /** `2026-05`. */
  readonly month: string;
  /** Its beginning, where days of statements begin. */
  readonly beginsAt: Date;
}

/** @throws Error when the text is no month, or one that is too young */
export async function firstMonthOf(database: Database, month: string, now: Date): Promise<FirstMonth> {
  if (!/^[0-9]{4}-(?:0[1-9]|1[0-2])$/.test(month)) throw new Error(`${month} is not a month: write it as 2026-05`);
  const [row] = await database.query<{ beginsAt: Date; isOld: boolean; last: string }>(
    `select $1::timestamp at time zone $2 as "beginsAt", $1::timestamp <= last.month as "isOld",
       to_char(last.month, 'YYYY-MM') as last
     from (select date_trunc('month', $3::timestamptz at time zone $2) - make_interval(months => $4) as month) as last`,
    [`${month}-01`, statementZone, now, monthsKeptMin],
  );
  if (!row?.isOld) throw new Error(`${monthsKeptMin} whole months are kept at least: the first is ${row?.last ?? ''}`);
  return { month, beginsAt: row.beginsAt };
}

/** What keeps the months before from being removed, with the beginning of the first that is kept as `$1`. */
const obstaclesSql = `
  select 'days of ' || provider || ' ' || currency || ' are not closed up to there' as obstacle
  from statement_source as source where compared_from < $1 and not exists (select from day_close
    where (day_close.provider, day_close.currency) = (source.provider, source.currency)
      and day >= ($1::timestamptz at time zone '${statementZone}')::date - 1)
  union all select count(*) || ' exceptions from before are open' from exception
  where state in ('OPEN', 'PROPOSED') and opened_at < $1 having count(*) > 0
  union all select count(*) || ' matches from before wait' from match
  where state = 'waiting' and first_seen_at < $1 having count(*) > 0
  union all select count(*) || ' matches from before are not explained' from match
  where state in ('unexplained', 'proposed') and first_seen_at < $1 having count(*) > 0
  union all select 'lines are being matched anew' where exists (select from line where subject is null)
  union all select name || ' is read from its beginning' from reading
  where name like 'ledger %' and (place = 'null' or name like 'ledger live.%'
    and (place ->> 'decidedAtMs')::bigint < extract(epoch from $1::timestamptz) * 1000)`;

/**
 * Says for good that what is older may be gone, so that no reader enters it once more. It never goes back.
 *
 * @throws Error naming what is not ended yet
 */
export async function beginAt(database: Database, first: FirstMonth): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.sql(lockAllMatching);
    const found = await tx.sql<{ obstacle: string }>(obstaclesSql, [first.beginsAt]);
    const obstacles = found.map(({ obstacle }) => obstacle).join('; ');
    if (obstacles !== '') throw new Error(`nothing is removed before ${first.month}: ${obstacles}`);
    await tx.sql(
      `insert into kept_months (kept_from) values ($1)
       on conflict (id) do update set kept_from = greatest(kept_months.kept_from, excluded.kept_from)`,
      [first.beginsAt],
    );
  });
}
