import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import type { Database } from '@gateway/persistence';

const dayMs = 86_400_000;
/** Whole days that are kept beside the one that goes on (api.md 8). */
const keptDays = { live: 7, test: 30 } as const satisfies Record<Environment, number>;
/** Any number: who holds the lock makes and drops partitions, the others wait. */
const partitionLock = 7_219_401;

/** Days that are ready before they begin: for so long nothing is lost while they cannot be made. */
const daysAhead = 3;
const lockTimeout = '1s';

/**
 * Makes the partitions of today and of the days ahead, and drops those whose time is up: a day is dropped as a table, and no
 * row is deleted. A row goes to the day of its id. Who reads the log for long is waited for no longer than a second, since
 * all others wait behind.
 */
export async function keepPartitions(database: Database, now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / dayMs);
  await changePartitions(database, (existing, environment) =>
    Array.from({ length: daysAhead + 1 }, (_, ahead) => today + ahead)
      .filter((day) => !existing.has(partitionOf(environment, day)))
      .map((day) => creationOf(environment, day)),
  );
  await changePartitions(database, (existing, environment) =>
    [...existing]
      .filter((name) => name.startsWith(`request_log_${environment}_`))
      .filter((name) => name < partitionOf(environment, today - keptDays[environment]))
      .map((name) => `drop table ${name}`),
  );
}

async function changePartitions(
  database: Database,
  statementsFor: (existing: ReadonlySet<string>, environment: Environment) => readonly string[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.sql(`select pg_advisory_xact_lock($1)`, [partitionLock]);
    await tx.sql(`set local lock_timeout = '${lockTimeout}'`);
    const rows = await tx.sql<{ name: string }>(
      `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_class parent on parent.oid = i.inhparent
       where parent.relname in ('request_log_live', 'request_log_test')`,
    );
    const existing = new Set(rows.map(({ name }) => name));
    for (const environment of ['live', 'test'] as const) {
      for (const statement of statementsFor(existing, environment)) await tx.sql(statement);
    }
  });
}

function creationOf(environment: Environment, day: number): string {
  const [from, to] = [day, day + 1].map((each) => idLowerBound('request', each * dayMs));
  return `create table ${partitionOf(environment, day)} partition of request_log_${environment} for values from ('${from}') to ('${to}')`;
}

/** `request_log_live_20261126`: names in the order of their days. */
function partitionOf(environment: Environment, day: number): string {
  return `request_log_${environment}_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
