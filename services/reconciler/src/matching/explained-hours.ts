import { RowArrays, type Tx } from '@gateway/persistence';
import type { StoredLine } from '#src/matching/items.ts';
import { isPromised } from '#src/matching/kinds.ts';
import { recordLineLag } from '#src/matching/observe-matching.ts';

/** Within this time every movement of money is to be explained by all its sides. */
export const promisedSec = 300;

/**
 * For the statement that changes matches: counts those of `decided` whose sides have come to agree at `$1`, under the hour from
 * which they could. A share over hours is one of what happened in them, however late it is explained.
 */
export const countExplainedSql = `
  insert into explained_hour (environment, provider, currency, hour, explained, in_time)
  select environment, provider, currency, date_trunc('hour', explainable_at, 'UTC'), count(*),
    count(*) filter (where $1::timestamptz - explainable_at <= interval '${promisedSec} seconds')
  from decided
  where state = 'matched' and was is distinct from 'matched' and p_items + r_items + l_items > 0
    and ${isPromised('decided')} and explainable_at >= coalesce((select counted_from from explained_since), '-infinity')
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (environment, provider, currency, hour) do update
    set explained = explained_hour.explained + excluded.explained, in_time = explained_hour.in_time + excluded.in_time`;

type Counted = Pick<StoredLine, 'provider' | 'currency' | 'lineKey' | 'source' | 'bookedAt' | 'receivedAt'>;

const lineArrays = new RowArrays<'provider' | 'currency' | 'bookedAt' | 'receivedAt'>([
  ['provider', 'text'],
  ['currency', 'text'],
  ['bookedAt', 'timestamptz'],
  ['receivedAt', 'timestamptz'],
]);

const countLinesSql = `
  insert into explained_hour (environment, provider, currency, hour, lines, late_lines)
  select 'live', provider, currency, date_trunc('hour', "bookedAt", 'UTC'), count(*),
    count(*) filter (where "receivedAt" - "bookedAt" > interval '${promisedSec} seconds')
  from ${lineArrays.from(1, 'item')} group by 2, 3, 4 order by 2, 3, 4
  on conflict (environment, provider, currency, hour) do update
    set lines = explained_hour.lines + excluded.lines, late_lines = explained_hour.late_lines + excluded.late_lines`;

interface Changes {
  readonly before: readonly Counted[];
  readonly after: readonly { readonly stored: StoredLine }[];
}

/**
 * Counts the lines that came, and those that their provider showed too late for what they are about to be explained in time.
 * What is in a file comes with the file.
 */
export async function countLines(tx: Tx, { before, after }: Changes): Promise<void> {
  const came = after.map(({ stored }) => stored);
  recordLineLag(came);
  const earlier = new Set(before.map(nameOf));
  const counted = came.filter((line) => line.source === 'list' && !earlier.has(nameOf(line)));
  if (counted.length > 0) await tx.sql(countLinesSql, lineArrays.parametersOf(counted));
}

function nameOf({ provider, currency, lineKey }: Counted): string {
  return `${provider} ${currency} ${lineKey}`;
}
