import type { Statement } from '#src/chain/append-link.ts';
import type { Query } from '#src/proof/tree-store.ts';
import { shardLabel, type ShardName } from '#src/shards.ts';

/**
 * A part of a shard's chain that is complete: everything that was decided in a month and before, since the chapter
 * before. It ends where the chain ended when the state was read, some links after the end of the month.
 */
export interface Chapter {
  /** `2026-10` */
  readonly month: string;
  readonly firstLink: number;
  readonly lastLink: number;
  readonly lastHash: Buffer;
  readonly lastAt: Date;
  readonly balancesHash: Buffer;
  readonly referencesHash: Buffer;
  readonly referenceCount: number;
  /** The chain has its link. */
  readonly isClosed: boolean;
  readonly verifiedAt: Date | null;
  readonly problem: string | null;
}

const chaptersSql = `
  select month, first_link as "firstLink", last_link as "lastLink", last_hash as "lastHash", last_at as "lastAt",
    balances_hash as "balancesHash", references_hash as "referencesHash", reference_count as "referenceCount",
    exists (
      select from command c where c.environment = chapter.environment
        and c.id = 'chapter:' || chapter.environment || '.' || chapter.shard || ':' || chapter.month
    ) as "isClosed", verified_at as "verifiedAt", problem
  from chapter where environment = $1 and shard = $2 order by month`;

/** The chapters of a shard, the oldest first; the last one may not be closed yet. */
export async function readChapters(query: Query, { environment, shard }: ShardName): Promise<Chapter[]> {
  return await query<Chapter>(chaptersSql, [environment, shard]);
}

/** What the chain's link says of a chapter. `root`: of the tree over all links up to its last one. */
export function statementOf(shard: ShardName, chapter: Chapter, root: Uint8Array): Statement {
  return {
    kind: 'chapter',
    id: `chapter:${shardLabel(shard)}:${chapter.month}`,
    ...shardOf(shard),
    month: chapter.month,
    firstLink: chapter.firstLink,
    lastLink: chapter.lastLink,
    lastHash: chapter.lastHash.toString('hex'),
    root: Buffer.from(root).toString('hex'),
    balances: chapter.balancesHash.toString('hex'),
    references: chapter.referencesHash.toString('hex'),
    referenceCount: chapter.referenceCount,
  };
}

function shardOf({ environment, shard }: ShardName): ShardName {
  return { environment, shard };
}

/** The first moment after a month, Unix milliseconds. */
export function endOfMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
}

/** The month of a moment: `2026-10`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}
