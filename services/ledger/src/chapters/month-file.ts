import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Statement } from '#src/chain/append-link.ts';
import type { Append } from '#src/chapters/close-chapter.ts';
import type { Query } from '#src/proof/tree-store.ts';
import type { ShardName } from '#src/shards.ts';

/** The two tables that are partitioned by month. */
export const monthlyTables = ['result', 'entry'] as const;
export type MonthlyTable = (typeof monthlyTables)[number];

/** By which the rows of a partition are read and written, in this order. */
const keys: Readonly<Record<MonthlyTable, readonly string[]>> = {
  result: ['environment', 'shard', 'sequence', 'decided_at'],
  entry: ['environment', 'account_id', 'currency', 'id'],
};

/** Rows in memory at a time. */
const pageRows = 2_000;

const monthForm = /^[0-9]{4}-(?:0[1-9]|1[0-2])$/;

export function requireMonthForm(month: string): void {
  if (!monthForm.test(month)) throw new Error(`${month} is not a month: write it as 2026-10`);
}

/** `result_2026_10`. The month becomes a part of statements, so its form is checked. */
export function partitionOf(table: MonthlyTable, month: string): string {
  requireMonthForm(month);
  return `${table}_${month.replace('-', '_')}`;
}

/** All rows of a month as lines of JSON, each under the name of its table; the first line says which month it is. */
async function* linesOf(query: Query, month: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ month })}\n`;
  for (const table of monthlyTables) {
    const columns = keys[table].join(', ');
    const values = keys[table].map((column) => `(page.key ->> '${column}')`);
    const casts = { environment: 'text', shard: 'smallint', sequence: 'bigint', decided_at: 'timestamptz' };
    const typed = keys[table].map((column, index) => {
      const type = (casts as Readonly<Record<string, string>>)[column] ?? 'text';
      return `${values[index] ?? ''}::${type}`;
    });
    const sql = `
      select row_to_json(r)::text as line from ${partitionOf(table, month)} r
      where $1::json is null or (${columns}) > (select ${typed.join(', ')} from (select $1::json as key) page)
      order by ${columns} limit ${pageRows}`;
    for (let last: string | null = null; ;) {
      const rows: { line: string }[] = await query<{ line: string }>(sql, [last]);
      if (rows.length === 0) break;
      yield rows.map(({ line }) => `{"${table}":${line}}\n`).join('');
      last = rows.at(-1)?.line ?? null;
    }
  }
}

/** Passes bytes on and hashes them. */
function hashing(): { readonly stream: Transform; readonly digest: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}

/**
 * Writes the results and entries of a month, compressed. To be called in a snapshot.
 *
 * @returns the SHA-256 of what was written, and the number of rows
 */
export async function writeMonth(
  query: Query,
  month: string,
  out: NodeJS.WritableStream,
): Promise<{ readonly sha256: string; readonly rows: number }> {
  let rows = -1;
  const counted = async function* () {
    for await (const lines of linesOf(query, month)) {
      rows += lines.split('\n').length - 1;
      yield lines;
    }
  };
  const hashed = hashing();
  await pipeline(Readable.from(counted()), createGzip(), hashed.stream, out, { end: false });
  return { sha256: hashed.digest(), rows };
}

/**
 * Puts the rows of a file into the partitions of its month, which are there and empty.
 *
 * @returns the SHA-256 of what was read, and the number of rows
 * @throws Error when it is the file of another month
 */
export async function readMonth(
  query: Query,
  month: string,
  input: NodeJS.ReadableStream,
): Promise<{ readonly sha256: string; readonly rows: number }> {
  const hashed = hashing();
  const unzipped = createGunzip();
  const reading = pipeline(input, hashed.stream, unzipped);
  let rows = 0;
  const store = async (table: MonthlyTable, lines: readonly string[]) => {
    const name = partitionOf(table, month);
    await query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [
      `[${lines.join(',')}]`,
    ]);
    rows += lines.length;
  };
  let page: { table: MonthlyTable; lines: string[] } | undefined;
  let isFirst = true;
  for await (const line of createInterface({ input: unzipped, crlfDelay: Infinity })) {
    if (isFirst) requireMonth(line, month);
    isFirst &&= false;
    const table = monthlyTables.find((each) => line.startsWith(`{"${each}":`));
    if (!table) continue;
    if (page && (page.table !== table || page.lines.length >= pageRows)) {
      await store(page.table, page.lines);
      page = undefined;
    }
    page ??= { table, lines: [] };
    page.lines.push(line.slice(`{"${table}":`.length, -1));
  }
  if (page) await store(page.table, page.lines);
  await reading;
  return { sha256: hashed.digest(), rows };
}

function requireMonth(firstLine: string, month: string): void {
  const { month: ofFile } = JSON.parse(firstLine) as { readonly month?: string };
  if (ofFile !== month) throw new Error(`this is the file of ${String(ofFile)}, not of ${month}`);
}

const keepAnswersSql = (partition: string) => `
  insert into kept_answer (environment, id, outcome, refusal, balances, amounts, hash)
  select environment, command_id, outcome, refusal, balances, amounts, hash from ${partition}
  on conflict (environment, id) do update set outcome = excluded.outcome, refusal = excluded.refusal,
    balances = excluded.balances, amounts = excluded.amounts, hash = excluded.hash`;

/** Keeps the answers of a month that is to be detached: a command that is sent again gets the one that it had. */
export async function keepAnswers(query: Query, month: string): Promise<void> {
  await query(keepAnswersSql(partitionOf('result', month)), []);
}

const forgetAnswersSql = (partition: string) => `
  delete from kept_answer k using ${partition} r where k.environment = r.environment and k.id = r.command_id`;

/** Of a month that is a partition again: its answers are there. */
export async function forgetKeptAnswers(query: Query, month: string): Promise<void> {
  await query(forgetAnswersSql(partitionOf('result', month)), []);
}

/** What the chains say of a file. */
function statementOfFile({ environment, shard }: ShardName, month: string, sha256: string): Statement {
  return { kind: 'month-file', id: monthFileId(month, sha256), environment, shard, month, sha256 };
}

export function monthFileId(month: string, sha256: string): string {
  return `month-file:${month}:${sha256}`;
}

const unstatedSql = `
  select month, sha256 from month_file f
  where not exists (select from command where environment = $1 and id = 'month-file:' || f.month || ':' || f.sha256)
  order by written_at`;

/** Has the chain name each file once. */
export async function stateMonthFiles(query: Query, append: Append, shard: ShardName): Promise<void> {
  for (const { month, sha256 } of await query<{ month: string; sha256: string }>(unstatedSql, [shard.environment])) {
    await append(async (session) => {
      const open = await session<{ month: string; sha256: string }>(unstatedSql, [shard.environment]);
      const isOpen = open.some((each) => each.month === month && each.sha256 === sha256);
      return isOpen ? statementOfFile(shard, month, sha256) : undefined;
    });
  }
}

const detachedSql = `
  select month, sha256 from month_file f
  where detached_at is not null
    and exists (select from command where id = 'month-file:' || f.month || ':' || f.sha256)
    and not exists (
      select from pg_inherits
      where inhrelid = to_regclass('result_' || replace(f.month, '-', '_')) and not inhdetachpending
    )`;

/**
 * Months whose partitions are not in the database, with the file that has them. A row that says so does not make it true:
 * what is there is verified, and what is not there has a file that the chain names.
 */
export async function readDetached(query: Query): Promise<{ month: string; sha256: string }[]> {
  return await query(detachedSql, []);
}
