import { setTimeout as delay } from 'node:timers/promises';
import { Client, type QueryResult } from 'pg';
import type { Stack } from '@gateway/local-stack';
import type { BenchOptions } from '../benchmark.ts';
import { untilQuiet } from '../machine/cpu.ts';

/** The database, and its role. */
export const role = 'gateway_reconciler';
/** What becomes of an event is compared when it is a minute old. */
const deliveriesMs = 65_000;
const deliveriesQuickMs = 1_000;
const caughtUpPollMs = 100;
const caughtUpMaxMs = 120_000;

/** What came last is compared with deliveries too. */
export async function settled({ quick }: BenchOptions): Promise<void> {
  await delay(quick ? deliveriesQuickMs : deliveriesMs);
  await untilQuiet();
}

/** Places come first, as with the readers. */
const forgetRead = `update reading set place = 'null' where name in ('ledger test.0', 'deliveries test');
  truncate fact, match`;

/**
 * Has it read all that was decided once more, as after a rebuild.
 *
 * @returns how many deposits these are
 */
export async function readAnew(stack: Stack, options: BenchOptions): Promise<number> {
  const url = stack.databaseUrls[role];
  const deposits = await count(url, `select count(*) from fact where environment = 'test' and side = 'L'`);
  await asked(url, forgetRead);
  await caughtUp(stack, options);
  return deposits;
}

/** The ledger is read up to its end, and with it what became of the events of what is old enough. */
export async function caughtUp(stack: Stack, { quick }: BenchOptions): Promise<void> {
  const { [role]: own, gateway_ledger: ledger } = stack.databaseUrls;
  const decided = await count(ledger, `select max(sequence) from result where environment = 'test'`);
  const place = (name: string) =>
    `select coalesce((select (place ->> 'sequence')::bigint from reading where name = '${name}'), 0)`;
  const old = quick
    ? 0
    : await count(own, `select coalesce(max(sequence), 0) from fact where environment = 'test' and side = 'L'`);
  const until = performance.now() + caughtUpMaxMs;
  while ((await count(own, place('ledger test.0'))) < decided) await pause(until);
  while ((await count(own, place('deliveries test'))) < old) await pause(until);
}

async function pause(until: number): Promise<void> {
  if (performance.now() > until) throw new Error('the reconciler did not catch up');
  await delay(caughtUpPollMs);
}

export async function count(url: string | undefined, sql: string): Promise<number> {
  const { rows } = await asked(url, sql);
  return Number(Object.values(rows[0] ?? {})[0]);
}

async function asked(url: string | undefined, sql: string): Promise<QueryResult<Record<string, string>>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Record<string, string>>(sql);
  } finally {
    await client.end();
  }
}
