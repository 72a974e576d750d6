import { idLowerBound } from '@gateway/money';

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
function attachStatement(partition: Partition): string {
  return `do $$ begin
    if to_regclass('${partition.table}') is null then
      ${createSql(partition)};
      ${attachSql(partition)};
    end if;
  end $$`;
}

function createSql({ parent, table }: Partition): string {
  return `create table ${table} (like ${parent} including all)`;
}

function attachSql({ parent, table, from, to }: Partition): string {
  return `alter table ${parent} attach partition ${table} for values from (${from}) to (${to})`;
}

/** Makes the table of a month that is to be filled before it is attached. `month`: `2026-10`. */
export function makePartition(parent: Partition['parent'], month: string): string {
  return createSql(partitionIn(parent, month));
}

/** Makes the table of a month a partition again. `month`: `2026-10`. */
export function attachPartition(parent: Partition['parent'], month: string): string {
  return attachSql(partitionIn(parent, month));
}

function partitionIn(parent: Partition['parent'], month: string): Partition {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const found = partitionsOf(monthOf(year, number - 1)).find((each) => each.parent === parent);
  if (!found) throw new Error(`${parent} has no partitions`);
  return found;
}

/** One calendar month in UTC. */
interface Month {
  readonly startMs: number;
  readonly endMs: number;
  /** `2026_11` */
  readonly label: string;
}

/** The month of a moment and the ones after it. */
function monthsFrom(atMs: number, count: number): Month[] {
  const at = new Date(atMs);
  return Array.from({ length: count }, (_, index) => monthOf(at.getUTCFullYear(), at.getUTCMonth() + index));
}

function monthOf(year: number, monthIndex: number): Month {
  const start = new Date(Date.UTC(year, monthIndex, 1));
  const label = `${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
  return { startMs: start.getTime(), endMs: Date.UTC(year, monthIndex + 1, 1), label };
}

/** A partition to be: its table, its parent, and the bounds as SQL literals. They are made here, never input. */
interface Partition {
  readonly parent: 'entry' | 'result';
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

function partitionsOf({ startMs, endMs, label }: Month): Partition[] {
  const time = (ms: number) => `'${new Date(ms).toISOString()}'`;
  const id = (ms: number) => `'${idLowerBound('ledgerEntry', ms)}'`;
  return [
    { parent: 'result', table: `result_${label}`, from: time(startMs), to: time(endMs) },
    { parent: 'entry', table: `entry_${label}`, from: id(startMs), to: id(endMs) },
  ];
}
