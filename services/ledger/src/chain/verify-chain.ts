import { breakOf, genesisHash, type ChainBreak, type StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { findStrayEntry, type Edge } from '#src/chain/stray-entries.ts';
import { walkChain } from '#src/chain/walk-chain.ts';
import type { ShardName } from '#src/shards.ts';

export interface ChainResult {
  /** The number of the last sound link. */
  readonly links: number;
  /** The first place that is not as it was written. */
  readonly firstBreak: ChainBreak | null;
}

/** A link by its number and hash. */
export interface ChainEnd {
  readonly sequence: number;
  readonly hash: string;
}

const headSql = `select head_sequence as sequence, encode(head_hash, 'hex') as hash from shard
  where environment = $1 and shard = $2`;

/**
 * Recomputes every link from its rows and compares the end with the shard's head. Stops at the first break, after which
 * nothing can be verified. `visit` sees each sound link once, in order. `from` is a link that was verified before: those
 * behind it are recomputed.
 */
export async function verifyChain(
  snapshot: Snapshot,
  shard: ShardName,
  visit: Visit = () => undefined,
  from: ChainEnd = genesis,
): Promise<ChainResult> {
  const { end, firstBreak } = await verifyLinks(snapshot, shard, visit, from);
  if (firstBreak) return { links: end.sequence, firstBreak };
  const [head] = await snapshot.query<ChainEnd>(headSql, [shard.environment, shard.shard]);
  return { links: end.sequence, firstBreak: head ? headBreak(end, head) : null };
}

/**
 * The same with the entries: each of those behind `from` is in a link. `visit` sees each sound link.
 *
 * @param from with the time of the link
 */
export async function verifyEnd(
  snapshot: Snapshot,
  shard: ShardName,
  from: ChainEnd & Edge,
  visit: Visit = () => undefined,
): Promise<ChainResult> {
  let entries = 0;
  const counting: Visit = (link) => {
    entries += link.entries.length;
    visit(link);
  };
  const result = await verifyChain(snapshot, shard, counting, from);
  if (result.firstBreak) return result;
  const stray = await findStrayEntry(snapshot, shard, { from, entries });
  if (stray === undefined) return result;
  return { ...result, firstBreak: { sequence: result.links, problem: `entry ${stray} belongs to no result` } };
}

export type Visit = (link: StoredLink) => void;

export const genesis: ChainEnd = { sequence: 0, hash: genesisHash };

/** Recomputes the links behind `from`, up to `through` or as many as there are. `end`: the last one that is sound. */
export async function verifyLinks(
  snapshot: Snapshot,
  shard: ShardName,
  visit: Visit,
  from: ChainEnd,
  through?: number,
): Promise<{ readonly end: ChainEnd; readonly firstBreak: ChainBreak | null }> {
  let end = from;
  for await (const page of walkChain(snapshot, shard, from.sequence, through)) {
    for (const link of page) {
      const firstBreak = breakOf(link, { ...shard, previous: end });
      if (firstBreak) return { end, firstBreak };
      visit(link);
      end = { sequence: link.sequence, hash: link.hash };
    }
  }
  return { end, firstBreak: null };
}

function headBreak(end: ChainEnd, head: ChainEnd): ChainBreak | null {
  if (end.sequence < head.sequence) {
    return { sequence: end.sequence + 1, problem: `result ${end.sequence + 1} is missing at the end of the chain` };
  }
  if (end.sequence === head.sequence && end.hash === head.hash) return null;
  return { sequence: end.sequence, problem: 'the head of the shard is not the end of the chain' };
}
