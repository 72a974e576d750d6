import type { Database } from '@gateway/persistence';
import { startLoop, type Logger } from '@gateway/runtime';

const intervalMs = 3_600_000;
/** Days that are ready before they begin. */
const daysAhead = 3;
/** Any value, the same for all replicas. */
const partitionsLock = 7_470_010;

/** Tables whose old days are dropped: bodies after 30, attempts after 90 (webhooks.md 4). */
const partitioned = [
  { table: 'event', keptDays: 30 },
  { table: 'attempt', keptDays: 90 },
] as const;

/** Makes the partitions of the days around now and drops those past their retention, now and every hour. */
export async function keepPartitions(database: Database, logger: Logger): Promise<AsyncDisposable> {
  await updatePartitions(database, logger);
  return startLoop({
    name: 'webhook partitions',
    intervalMs,
    logger,
    work: () => updatePartitions(database, logger),
  });
}

/** The days are those of the database, whose time the rows have. */
async function updatePartitions(database: Database, logger: Logger): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock($1)', [partitionsLock]);
    const [clock] = await tx.sql<{ today: string }>(`select (now() at time zone 'UTC')::date::text as today`);
    if (!clock) throw new Error('the database has no clock');
    for (const { table, keptDays } of partitioned) {
      for (let day = -1; day <= daysAhead; day++) await tx.sql(createPartition(table, shifted(clock.today, day)));
      const existing = await tx.sql<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = $1::regclass`,
        [table],
      );
      const oldest = partitionName(table, shifted(clock.today, -keptDays));
      for (const { name } of existing.filter((partition) => partition.name < oldest)) {
        await tx.sql(`drop table ${name}`);
        logger.info({ partition: name }, 'old webhook records dropped');
      }
    }
  });
}

function createPartition(table: string, day: string): string {
  return `create table if not exists ${partitionName(table, day)} partition of ${table}
    for values from ('${day} 00:00:00+00') to ('${shifted(day, 1)} 00:00:00+00')`;
}

/** `event_d20260131`: names sort as their days do. */
function partitionName(table: string, day: string): string {
  return `${table}_d${day.replaceAll('-', '')}`;
}

function shifted(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
