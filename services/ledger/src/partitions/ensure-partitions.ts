import { monthsFrom, partitionsOf, type Partition } from '#src/partitions/months.ts';

/** Besides the current month; with three, a service that cannot create partitions for weeks keeps writing. */
const monthsAhead = 3;

/** Any value, the same for all instances: two that make the same partition at once would collide in the catalog. */
const partitionLock = 7_470_002;

/** Runs a script of several statements as one transaction. */
export type RunScript = (script: string) => Promise<unknown>;

/**
 * Creates the partitions of this month and the next ones, unless they exist. The month is PostgreSQL's, so that a
 * process whose clock is wrong creates no partition for rows that it must not write.
 */
export async function ensurePartitions(run: RunScript, atMs: number): Promise<void> {
  const partitions = monthsFrom(atMs, monthsAhead + 1).flatMap(partitionsOf);
  await run([`select pg_advisory_xact_lock(${partitionLock})`, ...partitions.map(attachStatement)].join(';\n'));
}

/** Made on its own and attached: unlike `partition of`, that waits for no reader and holds up no writer. */
function attachStatement({ parent, table, from, to }: Partition): string {
  return `do $$ begin
    if to_regclass('${table}') is null then
      create table ${table} (like ${parent} including all);
      alter table ${parent} attach partition ${table} for values from (${from}) to (${to});
    end if;
  end $$`;
}
