import type { Pool } from 'pg';
import { ProofError } from '@gateway/proof';
import { isConnectionError } from '@gateway/runtime';
import type { ChainBreak } from '#src/chain/link.ts';
import { inSnapshot, type Snapshot } from '#src/chain/snapshot.ts';
import { findStrayEntry } from '#src/chain/stray-entries.ts';
import { verifyEnd, verifyLinks, type ChainResult } from '#src/chain/verify-chain.ts';
import { monthOf, readChapters, type Chapter } from '#src/chapters/chapter.ts';
import { readDetached } from '#src/chapters/month-file.ts';
import type { Query } from '#src/proof/tree-store.ts';
import { beginning, openChapter, type Base } from '#src/reconciliation/chapter-base.ts';
import { LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import { shards, type ShardName } from '#src/shards.ts';

/**
 * Recomputes all links of a chapter, and with their postings the balances at its end from those at the end of the chapter
 * before. Memory is that of the balances.
 *
 * @returns the first place that is not as it was written; null when the chapter is sound
 */
async function verifyChapter(
  snapshot: Snapshot,
  shard: ShardName,
  chapter: Chapter,
  before: Chapter | undefined,
): Promise<ChainBreak | null> {
  const sums = new LedgerSums();
  const at = (sequence: number, problem: string) => ({ sequence, problem });
  let from: Base;
  let end: Base;
  try {
    from = before ? await openChapter(snapshot, shard, before, sums) : beginning();
    end = await openChapter(snapshot, shard, chapter);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return at(chapter.lastLink, error.message);
  }
  const { tree } = from;
  const walked = await verifyLinks(
    snapshot,
    shard,
    (link) => {
      sums.add(link);
      tree.append(Buffer.from(link.hash, 'hex'));
    },
    from,
    chapter.lastLink,
  );
  if (walked.firstBreak) return walked.firstBreak;
  const { sequence, hash } = walked.end;
  if (sequence < end.sequence) return at(sequence + 1, `result ${sequence + 1} is missing`);
  if (hash !== end.hash) return at(sequence, `result ${sequence} is not the last one of chapter ${chapter.month}`);
  if (!Buffer.from(tree.root).equals(end.tree.root)) return at(sequence, `the tree is not that of the links`);
  const [finding] = [...sums.sumToZero.texts, ...sums.entriesEqualPostings.texts];
  if (finding !== undefined) return at(sequence, finding);
  if (!sums.balancesHash().equals(chapter.balancesHash))
    return at(sequence, `the postings do not add up to the balances that chapter ${chapter.month} was closed with`);
  const stray = await findStrayEntry(snapshot, shard, { from, through: end, entries: sums.entryCount });
  return stray === undefined ? null : at(sequence, `entry ${stray} belongs to no result`);
}

/** A chapter whose partitions are in a file, and not in the database. */
export interface AbsentChapter {
  readonly month: string;
  readonly sha256: string;
}

/**
 * Recomputes the whole chain, chapter by chapter, and what follows the last one. Each is read in a snapshot of its own, so
 * that none is open for long.
 */
export async function verifyWholeChain(
  pool: Pool,
  shard: ShardName,
  onAbsent: (chapter: AbsentChapter) => void,
): Promise<ChainResult> {
  const read = await inSnapshot(pool, async (snapshot) => {
    const query: Query = (text, params) => snapshot.query(text, params);
    return { chapters: await readClosed(query, shard), detached: await readDetached(query) };
  });
  const { chapters } = read;
  for (const [index, chapter] of chapters.entries()) {
    const before = chapters[index - 1];
    const absent = read.detached.find(({ month }) => isOf(chapter, before, month));
    if (absent) {
      onAbsent({ month: chapter.month, sha256: absent.sha256 });
      continue;
    }
    const firstBreak = await inSnapshot(pool, (snapshot) => verifyChapter(snapshot, shard, chapter, before));
    if (firstBreak) return { links: firstBreak.sequence - 1, firstBreak };
  }
  const last = chapters.at(-1);
  return await inSnapshot(pool, async (snapshot) => {
    const base = last ? await openChapter(snapshot, shard, last) : beginning();
    return await verifyEnd(snapshot, shard, base);
  });
}

/** Whether a month may have links of a chapter: those behind the end of the one before, up to its own end. */
function isOf(chapter: Chapter, before: Chapter | undefined, month: string): boolean {
  const isBehind = !before || (month > before.month && month >= monthOf(before.lastAt.getTime()));
  return isBehind && month <= monthOf(chapter.lastAt.getTime());
}

const walkedSql = `
  update chapter set walked_at = clock_timestamp(), problem = $4,
    verified_at = case when $4::text is null then clock_timestamp() else verified_at end
  where environment = $1 and shard = $2 and month = $3`;

const walkOrderSql = `
  select month, problem is not null as "isUnsound" from chapter where environment = $1 and shard = $2
  order by walked_at nulls first, month`;

/**
 * Recomputes one chapter of each shard: one that was never recomputed, else the one for which that is longest ago. With one
 * a night all of them have their turn. What is found stays until the chapter is found to be sound; for that it is recomputed
 * again in the nights after, beside the one whose turn it is, so that it holds up no other.
 */
export async function walkNextChapters(pool: Pool): Promise<void> {
  for (const shard of shards) {
    for (const month of await readNextToWalk(pool, shard)) {
      const problem = await problemOf(pool, shard, month);
      await pool.query(walkedSql, [shard.environment, shard.shard, month, problem]);
    }
  }
}

async function readNextToWalk(pool: Pool, shard: ShardName): Promise<readonly string[]> {
  return await inSnapshot(pool, async (snapshot) => {
    const query: Query = (text, params) => snapshot.query(text, params);
    const chapters = await readClosed(query, shard);
    const detached = await readDetached(query);
    const order = await query<{ month: string; isUnsound: boolean }>(walkOrderSql, [shard.environment, shard.shard]);
    const present = order.filter(({ month }) => {
      const index = chapters.findIndex((each) => each.month === month);
      const [chapter, before] = [chapters[index], chapters[index - 1]];
      return chapter && !detached.some((each) => isOf(chapter, before, each.month));
    });
    const next = [present[0], present.find(({ isUnsound }) => isUnsound)].flatMap((each) => (each ? [each.month] : []));
    return [...new Set(next)];
  });
}

/** A chapter that cannot be read, as on a disk with a fault, is unsound. Without a connection nothing is known of it. */
async function problemOf(pool: Pool, shard: ShardName, month: string): Promise<string | null> {
  try {
    return await inSnapshot(pool, async (snapshot) => {
      const chapters = await readClosed((text, params) => snapshot.query(text, params), shard);
      const index = chapters.findIndex((each) => each.month === month);
      const chapter = chapters[index];
      if (!chapter) return null;
      return (await verifyChapter(snapshot, shard, chapter, chapters[index - 1]))?.problem ?? null;
    });
  } catch (error) {
    if (isConnectionError(error)) throw error;
    return `it cannot be verified: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function readClosed(query: Query, shard: ShardName): Promise<Chapter[]> {
  return (await readChapters(query, shard)).filter(({ isClosed }) => isClosed);
}
