import { RowArrays, type Tx } from '@gateway/persistence';
import type { Line } from '#src/matching/items.ts';
import { statementZone } from '#src/matching/kinds.ts';

type SourceKind = 'list' | 'file';

interface Source {
  readonly provider: string;
  readonly currency: string;
  readonly kind: SourceKind;
}

/**
 * Notes how the statement of an account comes from now on. A list is compared from its first start on; files are from the first
 * one, which notes it itself.
 */
export async function beginSource(tx: Tx, source: Source, now: Date): Promise<void> {
  const { provider, currency, kind } = source;
  const [known] = await tx.sql<{ kind: SourceKind }>(
    'select kind from statement_source where provider = $1 and currency = $2 for update',
    [provider, currency],
  );
  if (known && known.kind !== kind) await changeSource(tx, source, known.kind, now);
  if (known || kind === 'file') return;
  await tx.sql(
    `insert into statement_source (provider, currency, kind, compared_from) values ($1, $2, 'list', $3)
     on conflict do nothing`,
    [provider, currency, now],
  );
}

/**
 * From which day on the statement comes otherwise. A day on which the list has had a line stays the list's. The list has whole
 * days from the next one on, so that the files of the days before are still to come; where no file has come since it was
 * there last, it was never gone.
 */
const fromDaySql: Readonly<Record<SourceKind, string>> = {
  file: `coalesce((select max(day) + 1 from line_day where provider = $1 and currency = $2), today.day)`,
  list: `coalesce((
      select max(from_day) from statement_period as period where provider = $1 and currency = $2 and kind = 'file'
        and not exists (select from statement_file file where (file.provider, file.currency, file.state)
          = ($1, $2, 'IMPORTED') and file.to_day >= period.from_day)
        and from_day > '-infinity'), today.day + 1)`,
};

async function changeSource(tx: Tx, { provider, currency, kind }: Source, was: SourceKind, now: Date): Promise<void> {
  await tx.sql(
    `insert into statement_period (provider, currency, from_day, kind) values ($1, $2, '-infinity', $3)
     on conflict do nothing`,
    [provider, currency, was],
  );
  const [from] = await tx.sql<{ day: string }>(
    `select (${fromDaySql[kind]})::text as day
     from (select ($3::timestamptz at time zone '${statementZone}')::date as day) as today`,
    [provider, currency, now],
  );
  await tx.sql(
    `delete from statement_period
     where provider = $1 and currency = $2 and from_day >= $3::date and from_day > '-infinity'`,
    [provider, currency, from?.day],
  );
  await tx.sql('insert into statement_period (provider, currency, from_day, kind) values ($1, $2, $3::date, $4)', [
    provider,
    currency,
    from?.day,
    kind,
  ]);
  await tx.sql('update statement_source set kind = $3 where provider = $1 and currency = $2', [
    provider,
    currency,
    kind,
  ]);
}

const bookedArrays = new RowArrays<'currency' | 'lineKey' | 'bookedAt'>([
  ['currency', 'text'],
  ['lineKey', 'text'],
  ['bookedAt', 'timestamptz'],
]);

/** Without those of days that a file has: it has them too. */
export async function ofListedDays(tx: Tx, provider: string, lines: readonly Line[]): Promise<readonly Line[]> {
  if (lines.length === 0) return lines;
  const [period] = await tx.sql('select from statement_period where provider = $1 limit 1', [provider]);
  if (!period) return lines;
  const listed = await tx.sql<{ currency: string; lineKey: string }>(
    `select item.currency, item."lineKey" from ${bookedArrays.from(3, 'item')}
     where statement_kind($1, item.currency, (item."bookedAt" at time zone $2)::date) = 'list'`,
    [provider, statementZone, ...bookedArrays.parametersOf(lines)],
  );
  const keys = new Set(listed.map(({ currency, lineKey }) => `${currency} ${lineKey}`));
  return lines.filter(({ currency, lineKey }) => keys.has(`${currency} ${lineKey}`));
}
