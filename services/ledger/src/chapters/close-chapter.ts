import type { Database } from '@gateway/persistence';
import { GrowingRoot } from '@gateway/proof';
import type { Logger } from '@gateway/runtime';
import type { Statement } from '#src/chain/append-link.ts';
import { endOfMonth, readChapters, statementOf, type Chapter } from '#src/chapters/chapter.ts';
import { proposeChapter } from '#src/chapters/propose-chapter.ts';
import { readNodes, readPlace, type Query } from '#src/proof/tree-store.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import { shardLabel, type ShardName } from '#src/shards.ts';

/**
 * Appends what `statement` returns as a link, between two batches of decisions. `statement` is called when nothing else is
 * written, with a time before which neither its link nor anything behind it will be dated; nothing is appended where it
 * returns nothing.
 *
 * @returns whether a link was appended
 * @throws when this process does not write the shard, or stops writing it
 */
export type Append = (statement: (query: Query, atMs: number) => Promise<Statement | undefined>) => Promise<boolean>;

export interface ChapterDependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly append: Append;
  /** PostgreSQL's, unless a test has its own. */
  readonly nowMs?: () => Promise<number>;
}

/**
 * Closes the chapter of the last month, once, wherever and however often it is called: a chapter whose link is not in the
 * chain is the one that is closed next, by the process that writes the shard then.
 *
 * @returns whether a link was written
 */
export async function closeChapter(dependencies: ChapterDependencies, shard: ShardName): Promise<boolean> {
  const { database, logger, append, nowMs = () => postgresTimeMs(database.pool) } = dependencies;
  const query: Query = (text, params) => database.query(text, params);
  const readOpen = async () => (await readChapters(query, shard)).find(({ isClosed }) => !isClosed);
  let chapter = await readOpen();
  if (!chapter && (await proposeChapter(database.pool, shard, await nowMs()))) chapter = await readOpen();
  if (!chapter) return false;
  const root = await rootAt(query, shard, chapter.lastLink);
  // The tree is behind the chain, by a second usually: the next call finds it grown.
  if (!root) return false;
  const { month, lastLink } = chapter;
  const isWritten = await append(async (session, atMs) => {
    // The clock by which the chapter was proposed may have been ahead. Times only grow along a chain: behind a link that is
    // dated after the month nothing is dated in it.
    if (atMs < endOfMonth(month)) return undefined;
    const state = await stateOf(session, shard, chapter);
    return state === 'open' ? statementOf(shard, chapter, root) : undefined;
  });
  if (isWritten) logger.info({ shard: shardLabel(shard), month, lastLink }, 'chapter closed');
  else if ((await stateOf(query, shard, chapter)) === 'late') await forget(query, shard, chapter);
  return isWritten;
}

async function rootAt(query: Query, shard: ShardName, size: number): Promise<Uint8Array | undefined> {
  const tree = await readPlace(query, shard);
  if (tree.size < size) return undefined;
  return new GrowingRoot(size, await readNodes(query, shard, [{ start: 0, end: size }])).root;
}

const stateSql = `
  select case
    when exists (select from command where environment = $1 and id = $3) then 'closed'
    when exists (select from result where environment = $1 and shard = $2 and sequence > $4 and decided_at < $5)
      or not exists (select from result where environment = $1 and shard = $2 and sequence = $4 and hash = $6)
      then 'late'
    else 'open' end as state`;

/** `late`: the chain is not the one that was read, or something was decided in the month since. It is read anew then. */
async function stateOf(query: Query, shard: ShardName, chapter: Chapter): Promise<'open' | 'closed' | 'late'> {
  const { id } = statementOf(shard, chapter, Buffer.alloc(0));
  const end = new Date(endOfMonth(chapter.month));
  const params = [shard.environment, shard.shard, id, chapter.lastLink, end, chapter.lastHash];
  const [row] = await query<{ state: 'open' | 'closed' | 'late' }>(stateSql, params);
  return row?.state ?? 'closed';
}

const forgetSql = `
  with gone as (
    delete from chapter where environment = $1 and shard = $2 and last_link = $3 and last_hash = $4 returning last_link
  )
  delete from kept_balance using gone where environment = $1 and shard = $2 and sequence = gone.last_link`;

/** The chapter as it was read, and none that another process has read anew since. */
async function forget(query: Query, { environment, shard }: ShardName, chapter: Chapter): Promise<void> {
  await query(forgetSql, [environment, shard, chapter.lastLink, chapter.lastHash]);
}
