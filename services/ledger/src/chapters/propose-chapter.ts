import type { Pool } from 'pg';
import { monthOf } from '#src/chapters/chapter.ts';
import { BalancesHash, hashReferences, keepBalances, readKeptBalances } from '#src/chapters/kept-balances.ts';
import type { Query } from '#src/proof/tree-store.ts';
import type { ShardName } from '#src/shards.ts';

/** Behind the end of a month: no writer's clock is as far from PostgreSQL's, so that nothing more is decided in it. */
const marginMs = 60_000;

/** The end of the chain, where something was decided before $3 that no chapter has. */
const dueSql = `
  select coalesce(c.last_link, 0) + 1 as "firstLink", s.head_sequence as "lastLink", s.head_hash as "lastHash",
    to_timestamp(s.decided_at_ms / 1000.0)::timestamptz(3) as "lastAt"
  from shard s left join lateral (
    select last_link from chapter where environment = s.environment and shard = s.shard order by month desc limit 1
  ) c on true
  where s.environment = $1 and s.shard = $2 and exists (
    select from result where environment = $1 and shard = $2 and sequence > coalesce(c.last_link, 0)
      and decided_at < $3
  )`;

interface ChapterEnd {
  readonly firstLink: number;
  readonly lastLink: number;
  readonly lastHash: Buffer;
  readonly lastAt: Date;
}

/**
 * Stores the chapter of the month that has ended, without its link. All of it is read in one snapshot, beside the writer,
 * which waits for nothing: the balances and references are those behind the link at which the chain ended then.
 *
 * @param atMs PostgreSQL's time
 * @returns whether there is one
 */
export async function proposeChapter(pool: Pool, shard: ShardName, atMs: number): Promise<boolean> {
  const started = new Date(atMs - marginMs);
  const monthStart = new Date(Date.UTC(started.getUTCFullYear(), started.getUTCMonth(), 1));
  return await inOneMoment(pool, async (query) => {
    const [end] = await query<ChapterEnd>(dueSql, [shard.environment, shard.shard, monthStart]);
    if (!end) return false;
    await keepBalances(query, shard, end.lastLink);
    const balances = new BalancesHash();
    for await (const page of readKeptBalances(query, shard, end.lastLink)) balances.add(page);
    const references = await hashReferences(query, shard);
    await query(
      `insert into chapter (environment, shard, month, first_link, last_link, last_hash, last_at, balances_hash,
         references_hash, reference_count)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[shard.environment, shard.shard, monthOf(monthStart.getTime() - 1)],
        ...[end.firstLink, end.lastLink, end.lastHash, end.lastAt],
        ...[balances.digest(), references.hash, references.count],
      ],
    );
    return true;
  });
}

/** One transaction that sees a single moment. Two of them that store the same chapter end with one. */
async function inOneMoment<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await client.query("set local statement_timeout = 0; set local plan_cache_mode = 'force_custom_plan'");
    const result = await work(async <Row extends object>(text: string, params: readonly unknown[]) => {
      return (await client.query(text, [...params])).rows as Row[];
    });
    await client.query('commit');
    return result;
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}
