import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import { statementZone } from '#src/matching/kinds.ts';

const sampleIntervalMs = 60_000;
/** When the file of a day is due, on the next one. */
const fileDueTime = '10:00';
/** Days that are looked at: one that is missing for longer is reported with the age of the first of these. */
const lookBackDays = 60;

const overdue = level(
  'gateway_statement_file_overdue_seconds',
  'Since when the file of the oldest day without one is due; 0 while none is missing',
  ['provider', 'currency'],
);

/** Measures what files are missing of providers whose statement comes as files. */
export function sampleMissingFiles(database: Database, logger: Logger, now: () => Date): AsyncDisposable {
  const work = async () => {
    overdue.reset();
    for (const { provider, currency, overdueSec } of await missingFiles(database, now())) {
      overdue.set(overdueSec, { provider, currency });
    }
  };
  return startLoop({ name: 'statement files', intervalMs: sampleIntervalMs, logger, work });
}

interface MissingFile {
  readonly provider: string;
  readonly currency: string;
  readonly overdueSec: number;
}

/** Each provider with a statement, and since when the oldest day without a file is late where it comes as files. */
export async function missingFiles(database: Pick<Database, 'query'>, now: Date): Promise<MissingFile[]> {
  return await database.query<MissingFile>(
    `with day as (
       select source.provider, source.currency,
         statement_kind(source.provider, source.currency, day::date) as kind, day::date as day,
         (day::date + 1 + time '${fileDueTime}') at time zone '${statementZone}' as due_at
       from statement_source source cross join lateral generate_series(
         greatest((source.compared_from at time zone '${statementZone}')::date::timestamp,
           ($1::timestamptz at time zone '${statementZone}')::date::timestamp - interval '${lookBackDays} days'),
         ($1::timestamptz at time zone '${statementZone}')::date::timestamp, interval '1 day') as day)
     select day.provider, day.currency, coalesce(extract(epoch from $1::timestamptz - min(day.due_at) filter (
         where day.kind = 'file' and day.due_at <= $1 and not exists (select from statement_file file
           where file.provider = day.provider and file.currency = day.currency and file.state = 'IMPORTED'
             and day.day between file.from_day and file.to_day))), 0)::double precision as "overdueSec"
     from day group by day.provider, day.currency order by day.provider, day.currency`,
    [now],
  );
}
