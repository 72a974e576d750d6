import {
  callFiguresHours,
  type CallFigures,
  durationBucketOf,
  durationBuckets,
  type getDepositCallFigures,
} from '@gateway/contracts/providers';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { Database, SqlMigration } from '@gateway/persistence';
import { addedDurations, addHours, callHourMigration, type Counted } from '#src/call-history.ts';

/** Calls are counted by so long. */
const periodMs = 5 * 60_000;
const hourMs = 3_600_000;

/** Tables of a service that calls providers; at the end of its own migrations. */
export const callFigureMigrations: readonly SqlMigration[] = [
  {
    name: 'kit-call-figures-0001',
    sql: `
      -- Calls of a provider that began within five minutes, of all processes together; for a day.
      create table provider_call (
        provider text collate "C" not null,
        operation text collate "C" not null,
        at timestamptz(3) not null,
        calls integer not null,
        failed integer not null,
        durations integer[] not null,
        primary key (provider, operation, at)
      );
      create index provider_call_by_time on provider_call (at);
      -- When a provider sent its last notification that was authentic.
      create table provider_notified (
        provider text collate "C" primary key,
        at timestamptz(3) not null
      );
    `,
  },
  callHourMigration,
];

interface Call {
  readonly provider: string;
  readonly operation: string;
  readonly isFailed: boolean;
  readonly durationMs: number;
  readonly at: Date;
}

/** What is counted of calls until it is written: at most some seconds of it are lost with the process. */
export class CallCounts {
  #counted = new Map<string, Counted>();
  #notified = new Map<string, Date>();

  add({ provider, operation, isFailed, durationMs, at }: Call): void {
    const counted = this.#of(provider, operation, Math.floor(at.getTime() / periodMs) * periodMs);
    counted.calls += 1;
    if (isFailed) counted.failed += 1;
    const bucket = durationBucketOf(durationMs);
    counted.durations[bucket] = (counted.durations[bucket] ?? 0) + 1;
  }

  notified(provider: string, at: Date): void {
    const known = this.#notified.get(provider);
    if (!known || known < at) this.#notified.set(provider, at);
  }

  /**
   * Adds what was counted to the tables, where other processes add theirs. What is not written is counted on; a failure whose
   * answer is lost may have written it, and then it counts twice.
   */
  async write(database: Database, now: Date): Promise<void> {
    const [counted, notified] = [this.#counted, this.#notified];
    if (counted.size === 0 && notified.size === 0) return;
    this.#counted = new Map();
    this.#notified = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...counted.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    const seen = [...notified.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
    try {
      await database.transaction(async (tx) => {
        await tx.sql(addSql, [
          rows.map(({ provider }) => provider),
          rows.map(({ operation }) => operation),
          rows.map(({ at }) => at),
          rows.map(({ calls }) => calls),
          rows.map(({ failed }) => failed),
          rows.map(({ durations }) => `{${durations.join(',')}}`),
        ]);
        await addHours(tx, rows, now);
        await tx.sql(notifiedSql, [seen.map(([provider]) => provider), seen.map(([, at]) => at)]);
        await tx.sql('delete from provider_call where at < $1', [hoursBefore(now, callFiguresHours + 1)]);
      });
    } catch (error) {
      for (const row of rows) this.#takeBack(row);
      for (const [provider, at] of seen) this.notified(provider, at);
      throw error;
    }
  }

  #of(provider: string, operation: string, atMs: number): Counted {
    const key = `${provider} ${operation} ${atMs}`;
    const known = this.#counted.get(key);
    if (known) return known;
    const durations = Array.from({ length: durationBuckets }, () => 0);
    const counted: Counted = { provider, operation, at: new Date(atMs), calls: 0, failed: 0, durations };
    this.#counted.set(key, counted);
    return counted;
  }

  #takeBack({ provider, operation, at, calls, failed, durations }: Counted): void {
    const counted = this.#of(provider, operation, at.getTime());
    counted.calls += calls;
    counted.failed += failed;
    for (const [nth, count] of durations.entries()) counted.durations[nth] = (counted.durations[nth] ?? 0) + count;
  }
}

/**
 * Of this process. Services that share one share these counts too: each call is written once, into the database of whichever
 * writes first, and who reads adds the databases up.
 */
export const callCounts = new CallCounts();

const addSql = `
  insert into provider_call as known (provider, operation, at, calls, failed, durations)
  select provider, operation, at, calls, failed, durations::integer[]
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[])
    as counted (provider, operation, at, calls, failed, durations)
  on conflict (provider, operation, at) do update set
    calls = known.calls + excluded.calls,
    failed = known.failed + excluded.failed,
    durations = ${addedDurations}`;

const notifiedSql = `
  insert into provider_notified as known (provider, at) select * from unnest($1::text[], $2::timestamptz[])
  on conflict (provider) do update set at = greatest(known.at, excluded.at)`;

const countsSql = `
  select operation, sum(calls)::integer as calls, sum(failed)::integer as failed
  from provider_call where provider = $1 and at > $2 group by operation order by operation`;

const durationsSql = `
  select operation, nth::integer - 1 as bucket, sum(count)::integer as count
  from provider_call cross join unnest(durations) with ordinality as each (count, nth)
  where provider = $1 and at > $2 and count > 0 group by operation, nth`;

/** The calls of a provider over the last day, as the processes of this service have written them. */
export async function readCallFigures(
  database: Database,
  provider: string,
  now: Date,
): Promise<ReplyOf<typeof getDepositCallFigures>> {
  const since = [provider, hoursBefore(now, callFiguresHours)];
  const [counts, durations, [notified]] = await Promise.all([
    database.query<Omit<CallFigures, 'durations'>>(countsSql, since),
    database.query<{ operation: string; bucket: number; count: number }>(durationsSql, since),
    database.query<{ at: Date }>('select at from provider_notified where provider = $1', [provider]),
  ]);
  const calls = counts.map((each) => {
    const buckets = Array.from({ length: durationBuckets }, () => 0);
    for (const { operation, bucket, count } of durations) if (operation === each.operation) buckets[bucket] = count;
    return { ...each, durations: buckets };
  });
  return { calls, lastNotificationAt: notified?.at.toISOString() ?? null };
}

function hoursBefore(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * hourMs);
}
