import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import type { Database } from '@gateway/persistence';

const dayMs = 86_400_000;
/** Whole days that are kept beside the one that goes on (api.md 8). */
const keptDays = { live: 7, test: 30 } as const satisfies Record<Environment, number>;
/** Any number: who holds the lock makes and drops partitions, the others wait. */
const partitionLock = 7_219_401;

/**
 * Makes the partitions of today and tomorrow, and drops those whose time is up: a day is dropped as a table, and no row is
 * deleted. A row goes to the day of its id.
 */
export async function keepPartitions(database: Database, now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / dayMs);
  await database.transaction(async (tx) => {
    await tx.sql(`select pg_advisory_xact_lock($1)`, [partitionLock]);
    const rows = await tx.sql<{ name: string }>(
      `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_class parent on parent.oid = i.inhparent
       where parent.relname in ('request_log_live', 'request_log_test')`,
    );
    const existing = new Set(rows.map(({ name }) => name));
    for (const environment of ['live', 'test'] as const) {
      for (const day of [today, today + 1]) {
        const name = partitionOf(environment, day);
        if (existing.has(name)) continue;
        const [from, to] = [day, day + 1].map((each) => idLowerBound('request', each * dayMs));
        await tx.sql(
          `create table ${name} partition of request_log_${environment} for values from ('${from}') to ('${to}')`,
        );
      }
      for (const name of existing) {
        const isOver =
          name.startsWith(`request_log_${environment}_`) &&
          name < partitionOf(environment, today - keptDays[environment]);
        if (isOver) await tx.sql(`drop table ${name}`);
      }
    }
  });
}

/** `request_log_live_20261126`: names in the order of their days. */
function partitionOf(environment: Environment, day: number): string {
  return `request_log_${environment}_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
