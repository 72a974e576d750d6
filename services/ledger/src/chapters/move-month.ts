import type { Pool, PoolClient } from 'pg';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { endOfMonth, readChapters } from '#src/chapters/chapter.ts';
import {
  forgetKeptAnswers,
  keepAnswers,
  monthFileId,
  monthlyTables,
  partitionOf,
  readMonth,
  requireMonthForm,
  writeMonth,
  type MonthlyTable,
} from '#src/chapters/month-file.ts';
import { attachPartition, makePartition } from '#src/postgres/partitions.ts';
import type { Query } from '#src/proof/tree-store.ts';
import { shardLabel, shards } from '#src/shards.ts';

/** A month cannot be written into a file, detached or restored as it is; the message says why. */
class MonthError extends Error {}

/**
 * Writes a month that is closed and verified into a file, and stores what the file is; the writers then have the chains
 * name it.
 *
 * @throws MonthError while the chapter of a chain that has it is not closed and verified
 */
export async function dumpMonth(pool: Pool, month: string, out: NodeJS.WritableStream): Promise<string> {
  const { sha256, rows } = await inSnapshot(pool, async (snapshot) => {
    const query: Query = (text, params) => snapshot.query(text, params);
    await requireVerified(query, month);
    return await writeMonth(query, month, out);
  });
  await pool.query(
    `with ended as (
       insert into month_end (environment, shard, sequence, hash)
       select distinct on (environment, shard) environment, shard, sequence, hash from ${partitionOf('result', month)}
       order by environment, shard, sequence desc on conflict do nothing
     )
     insert into month_file (month, sha256, row_count) values ($1, $2, $3) on conflict do nothing`,
    [month, sha256, rows],
  );
  return sha256;
}

const linksSql = `select exists (select from result where environment = $1 and shard = $2 and decided_at >= $3
  and decided_at < $4) as "hasLinks"`;

async function requireVerified(query: Query, month: string): Promise<void> {
  requireMonthForm(month);
  const end = endOfMonth(month);
  const start = Date.UTC(new Date(end - 1).getUTCFullYear(), new Date(end - 1).getUTCMonth(), 1);
  for (const shard of shards) {
    const range = [shard.environment, shard.shard, new Date(start), new Date(end)];
    const [links] = await query<{ hasLinks: boolean }>(linksSql, range);
    if (!links?.hasLinks) continue;
    const chapters = await readChapters(query, shard);
    const own = chapters.filter((each) => each.isClosed && each.lastAt.getTime() >= start);
    const isClosed = own.some((each) => each.month >= month);
    const isSound = own
      .filter((each, index) => index === 0 || each.month <= month)
      .every(({ verifiedAt, problem }) => verifiedAt !== null && problem === null);
    if (!isClosed || !isSound)
      throw new MonthError(`the chapter of ${shardLabel(shard)} that has ${month} is not closed and verified yet`);
  }
}

const filesSql = `
  select sha256 from month_file where month = $1 and ($2::text is null or sha256 = $2) order by written_at desc limit 1`;

/**
 * Takes the partitions of a month out of the tables, without holding up readers or writers. They stay in the database
 * as tables of their own, to be dropped once the file is safe.
 *
 * @throws MonthError when no file of the month is in the chains
 */
export async function detachMonth(pool: Pool, month: string): Promise<void> {
  const { rows } = await pool.query<{ sha256: string }>(filesSql, [month, null]);
  const [file] = rows;
  if (!file) throw new MonthError(`there is no file of ${month}: dump it first`);
  const { rows: stated } = await pool.query<{ environment: string }>('select environment from command where id = $1', [
    monthFileId(month, file.sha256),
  ]);
  const missing = shards.find(({ environment }) => !stated.some((each) => each.environment === environment));
  if (missing)
    throw new MonthError(`the chain of ${shardLabel(missing)} does not name the file yet: it does in a minute or two`);
  const query = queryOf(pool);
  if (await isThere(query, 'result', month)) await keepAnswers(query, month);
  // From here on a verification passes over the month, so that none finds half of it.
  await pool.query('update month_file set detached_at = clock_timestamp() where month = $1 and sha256 = $2', [
    month,
    file.sha256,
  ]);
  for (const table of monthlyTables) {
    const attachment = await attachmentOf(query, table, month);
    if (attachment === 'attached')
      await pool.query(`alter table ${table} detach partition ${partitionOf(table, month)} concurrently`);
    else if (attachment === 'leaving') await finishDetaching(query, table, month);
  }
}

/** `leaving`: a detachment that was interrupted, in which nothing reads the partition and nothing can be attached. */
async function attachmentOf(
  query: Query,
  table: MonthlyTable,
  month: string,
): Promise<'attached' | 'leaving' | 'detached'> {
  const sql = 'select inhdetachpending as "isLeaving" from pg_inherits where inhrelid = to_regclass($1)';
  const [inherits] = await query<{ isLeaving: boolean }>(sql, [partitionOf(table, month)]);
  if (!inherits) return 'detached';
  return inherits.isLeaving ? 'leaving' : 'attached';
}

/** As a partition or as a table of its own. */
async function isThere(query: Query, table: MonthlyTable, month: string): Promise<boolean> {
  const [found] = await query<{ name: string | null }>('select to_regclass($1) as name', [partitionOf(table, month)]);
  return typeof found?.name === 'string';
}

async function finishDetaching(query: Query, table: MonthlyTable, month: string): Promise<void> {
  await query(`alter table ${table} detach partition ${partitionOf(table, month)} finalize`, []);
}

/**
 * Makes the partitions of a month again, from its file where they are gone. All or nothing.
 *
 * @throws MonthError when the file is not the one that the chains name
 */
export async function restoreMonth(pool: Pool, month: string, input?: NodeJS.ReadableStream): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    const query = queryOf(client);
    for (const table of monthlyTables)
      if ((await attachmentOf(query, table, month)) === 'leaving') await finishDetaching(query, table, month);
    if (input) await fill(query, month, input);
    for (const table of monthlyTables)
      if ((await attachmentOf(query, table, month)) === 'detached') await query(attachPartition(table, month), []);
    await forgetKeptAnswers(query, month);
    await client.query('update month_file set detached_at = null where month = $1', [month]);
    await client.query('commit');
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

function queryOf(connection: Pool | PoolClient): Query {
  return async <Row extends object>(text: string, params: readonly unknown[]) =>
    (await connection.query(text, [...params])).rows as Row[];
}

async function fill(query: Query, month: string, input: NodeJS.ReadableStream): Promise<void> {
  for (const table of monthlyTables) {
    if (await isThere(query, table, month))
      throw new MonthError(`${partitionOf(table, month)} is still there: drop it, or attach it without a file`);
    await query(makePartition(table, month), []);
  }
  const { sha256 } = await readMonth(query, month, input);
  const known = await query(filesSql, [month, sha256]);
  if (known.length === 0) throw new MonthError(`no file of ${month} with the SHA-256 ${sha256} was written here`);
}
