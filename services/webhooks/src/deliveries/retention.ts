import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { startLoop, type Logger } from '@gateway/runtime';

const intervalMs = 3_600_000;
/** Days that are ready before they begin. */
const daysAhead = 3;
/** Any value, the same for all replicas. */
const partitionsLock = 7_470_010;

interface DailyTable {
  readonly table: string;
  readonly keptDays: number;
  /** The bound of a day's partition: the days of the log are those of the ids. */
  readonly boundOf: (day: string) => string;
}

const byTime = (day: string) => `${day} 00:00:00+00`;
const byId = (day: string) => idLowerBound('event', Date.parse(`${day}T00:00:00Z`));

/** Days for which the event log keeps events of each environment (api.md 8). */
export type EventLogDays = Readonly<Record<Environment, number>>;

/** Tables whose old days are dropped: bodies after 30, attempts after 90 (webhooks.md 4), the event log as configured. */
function dailyTables(eventLogDays: EventLogDays): readonly DailyTable[] {
  return [
    { table: 'event', keptDays: 30, boundOf: byTime },
    { table: 'attempt', keptDays: 90, boundOf: byTime },
    { table: 'event_log_live', keptDays: eventLogDays.live, boundOf: byId },
    { table: 'event_log_test', keptDays: eventLogDays.test, boundOf: byId },
  ];
}

/** Makes the partitions of the days around now and drops those past their retention, now and every hour. */
export async function keepPartitions(
  database: Database,
  logger: Logger,
  eventLogDays: EventLogDays,
): Promise<AsyncDisposable> {
  const tables = dailyTables(eventLogDays);
  await updatePartitions(database, logger, tables);
  return startLoop({
    name: 'webhook partitions',
    intervalMs,
    logger,
    work: () => updatePartitions(database, logger, tables),
  });
}

/** The days are those of the database, whose time the rows have. */
async function updatePartitions(database: Database, logger: Logger, tables: readonly DailyTable[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock($1)', [partitionsLock]);
    const [clock] = await tx.sql<{ today: string }>(`select (now() at time zone 'UTC')::date::text as today`);
    if (!clock) throw new Error('the database has no clock');
    for (const daily of tables) {
      for (let day = -1; day <= daysAhead; day++) await tx.sql(createPartition(daily, shifted(clock.today, day)));
      await dropOldDays(tx, daily, clock.today, logger);
    }
  });
}

async function dropOldDays(tx: Tx, { table, keptDays, boundOf }: DailyTable, today: string, logger: Logger) {
  const existing = await tx.sql<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass`,
    [table],
  );
  const oldestDay = shifted(today, -keptDays);
  const oldest = partitionName(table, oldestDay);
  for (const { name } of existing) {
    if (name === `${table}_beside`) {
      await tx.sql(`delete from ${name} where id < $1`, [boundOf(oldestDay)]);
    } else if (name < oldest) {
      await tx.sql(`drop table ${name}`);
      logger.info({ partition: name }, 'old webhook records dropped');
    }
  }
}

function createPartition({ table, boundOf }: DailyTable, day: string): string {
  return `create table if not exists ${partitionName(table, day)} partition of ${table}
    for values from ('${boundOf(day)}') to ('${boundOf(shifted(day, 1))}')`;
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
