import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  callHistoryDays,
  callHistoryMax,
  type CallSlot,
  type getDepositCallHistory,
} from '@gateway/contracts/providers';
import type { Database, SqlMigration, Tx } from '@gateway/persistence';

const hourMs = 3_600_000;

export interface Counted {
  readonly provider: string;
  readonly operation: string;
  readonly at: Date;
  calls: number;
  failed: number;
  readonly durations: number[];
}

/** Of a service that calls providers; behind its tables of the last day, of which it begins. */
export const callHourMigration: SqlMigration = {
  name: 'kit-call-figures-0002',
  sql: `
    -- Calls of a provider that began in an hour of UTC, of all operations and processes together.
    create table provider_call_hour (
      provider text collate "C" not null,
      hour timestamptz(0) not null,
      calls bigint not null,
      failed bigint not null,
      durations integer[] not null,
      primary key (provider, hour)
    );
    create index provider_call_hour_by_time on provider_call_hour (hour);
    insert into provider_call_hour (provider, hour, calls, failed, durations)
    select provider, hour, calls, failed, durations from (
      select provider, date_trunc('hour', at, 'UTC') as hour, sum(calls) as calls, sum(failed) as failed
      from provider_call group by 1, 2) counted
    cross join lateral (
      select array_agg(count order by nth) as durations from (
        select nth, sum(count)::integer as count
        from provider_call cross join unnest(provider_call.durations) with ordinality as each (count, nth)
        where provider_call.provider = counted.provider and date_trunc('hour', provider_call.at, 'UTC') = counted.hour
        group by nth) buckets) summed;
  `,
};

/** What an upsert of counts leaves in `durations`: those of `known` and `excluded` together, bucket by bucket. */
export const addedDurations = `(
      select array_agg(coalesce(was, 0) + coalesce(more, 0) order by nth)
      from unnest(known.durations, excluded.durations) with ordinality as each (was, more, nth))`;

const addSql = `
  insert into provider_call_hour as known (provider, hour, calls, failed, durations)
  select provider, hour, calls, failed, durations::integer[]
  from unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::text[])
    as counted (provider, hour, calls, failed, durations)
  on conflict (provider, hour) do update set
    calls = known.calls + excluded.calls, failed = known.failed + excluded.failed, durations = ${addedDurations}`;

/** Adds what was counted to the hours, and drops those that are no longer kept. @param rows in the order of their providers and times */
export async function addHours(tx: Tx, rows: readonly Counted[], now: Date): Promise<void> {
  const hours = new Map<string, Counted>();
  for (const { provider, at, calls, failed, durations } of rows) {
    const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs);
    const name = `${provider} ${hour.getTime()}`;
    const known = hours.get(name) ?? { provider, operation: '', at: hour, calls: 0, failed: 0, durations: [] };
    for (const [nth, count] of durations.entries()) known.durations[nth] = (known.durations[nth] ?? 0) + count;
    hours.set(name, { ...known, calls: known.calls + calls, failed: known.failed + failed });
  }
  // In one order, so that two processes never wait for each other.
  const sums = [...hours.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  await tx.sql(addSql, [
    sums.map(({ provider }) => provider),
    sums.map(({ at }) => at),
    sums.map(({ calls }) => calls),
    sums.map(({ failed }) => failed),
    sums.map(({ durations }) => `{${durations.join(',')}}`),
  ]);
  const keptMs = callHistoryDays * 24 * hourMs;
  await tx.sql('delete from provider_call_hour where hour < $1', [new Date(now.getTime() - keptMs)]);
}

const historySql = `
  with slot as (
    select provider, date_trunc($4, hour, $5) as at, calls, failed, durations from provider_call_hour
    where provider = any($1::text[]) and hour >= to_timestamp($2) and hour < to_timestamp($3)
  ), bucket as (
    select provider, at, nth, sum(count)::integer as count
    from slot cross join unnest(durations) with ordinality as each (count, nth) group by 1, 2, 3
  ), spread as (
    select provider, at, array_agg(count order by nth) as durations from bucket group by 1, 2
  )
  select provider, extract(epoch from at)::bigint as at, sum(calls)::integer as calls, sum(failed)::integer as failed,
         spread.durations
  from slot join spread using (provider, at) group by provider, at, spread.durations
  order by at, provider limit ${callHistoryMax + 1}`;

/**
 * The calls of these providers by the hour or the day, as the processes of this service have written them, the first first.
 *
 * @throws ValidationError naming `from` when it would be more than an answer has
 */
export async function readCallHistory(
  database: Database,
  { providers, from, to, by, zone }: RequestOf<typeof getDepositCallHistory>,
): Promise<ReplyOf<typeof getDepositCallHistory>> {
  const slots = await database.query<CallSlot>(historySql, [providers, from, to, by, zone]);
  if (slots.length > callHistoryMax) {
    throw new ValidationError([{ path: 'from', message: 'must be later, or by a day' }]);
  }
  return { slots };
}
