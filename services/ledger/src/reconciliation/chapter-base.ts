import { GrowingRoot, leafHash, ProofError } from '@gateway/proof';
import { canonicalRequest, isJsonObject } from '#src/chain/canonical-request.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { genesis, type ChainEnd } from '#src/chain/verify-chain.ts';
import { readChapters, statementOf, type Chapter } from '#src/chapters/chapter.ts';
import { BalancesHash, readKeptBalances } from '#src/chapters/kept-balances.ts';
import { readNodes, type Query } from '#src/proof/tree-store.ts';
import type { LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import type { ShardName } from '#src/shards.ts';

/** Where a verification begins: the end of a chapter, or of nothing. */
export interface Base extends ChainEnd {
  /** Nothing behind it was decided before, Unix milliseconds. */
  readonly decidedAtMs: number;
  /** Of all links up to it. */
  readonly tree: GrowingRoot;
}

export function beginning(): Base {
  return { ...genesis, decidedAtMs: 0, tree: GrowingRoot.empty() };
}

const linkSql = `
  select r.request from command c join result r on r.environment = c.environment and r.shard = c.shard
    and r.sequence = c.sequence and r.decided_at = c.decided_at
  where c.environment = $1 and c.id = $2`;

/**
 * The end of a chapter as the chain has closed it. What is stored of the chapter, the balances that were kept and the
 * tree have to be those that its link names; `sums` begins with the balances.
 *
 * @throws ProofError naming what differs
 */
export async function openChapter(
  snapshot: Snapshot,
  shard: ShardName,
  chapter: Chapter,
  sums?: LedgerSums,
): Promise<Base> {
  const query: Query = (text, params) => snapshot.query(text, params);
  const name = `chapter ${chapter.month}`;
  const root = await closedRoot(query, shard, chapter);
  const { lastLink: sequence, lastHash, lastAt } = chapter;
  const nodes = await readNodes(query, shard, [
    { start: 0, end: sequence },
    { start: sequence - 1, end: sequence },
  ]);
  const tree = new GrowingRoot(sequence, nodes);
  if (!root.equals(tree.root)) throw new ProofError(`${name}: the tree is not the one that was closed`);
  if (!leafHash(lastHash).equals(nodes({ level: 0, index: sequence - 1 })))
    throw new ProofError(`${name}: its last link is not in the tree`);
  const hash = new BalancesHash();
  for await (const page of readKeptBalances(query, shard, sequence)) {
    hash.add(page);
    sums?.begin(page);
  }
  if (!hash.digest().equals(chapter.balancesHash))
    throw new ProofError(`${name}: the balances that were kept are not those that were closed`);
  return { sequence, hash: lastHash.toString('hex'), decidedAtMs: lastAt.getTime(), tree };
}

async function closedRoot(query: Query, shard: ShardName, chapter: Chapter): Promise<Buffer> {
  const { id } = statementOf(shard, chapter, Buffer.alloc(0));
  const [link] = await query<{ request: unknown }>(linkSql, [shard.environment, id]);
  if (!link) throw new ProofError(`chapter ${chapter.month}: the link that closed it is gone`);
  const request = isJsonObject(link.request) ? link.request : {};
  const root = Buffer.from(String(request['root']), 'hex');
  if (canonicalRequest(request) !== canonicalRequest(statementOf(shard, chapter, root)))
    throw new ProofError(`chapter ${chapter.month} is not the one that its link has closed`);
  return root;
}

/**
 * The end of the last chapter that was verified, with which `sums` begins; the beginning of the chain where there is none.
 *
 * @returns with what is wrong with the chapters, which makes the verification begin at the beginning
 */
export async function readBase(
  snapshot: Snapshot,
  shard: ShardName,
  sums: LedgerSums,
): Promise<{ readonly base: Base; readonly problems: readonly string[] }> {
  const chapters = await readChapters((text, params) => snapshot.query(text, params), shard);
  const problems = chapters.flatMap(({ month, problem }) => (problem === null ? [] : [`chapter ${month}: ${problem}`]));
  const last = chapters.findLast(({ isClosed, verifiedAt, problem }) => isClosed && verifiedAt && problem === null);
  if (!last) return { base: beginning(), problems };
  try {
    return { base: await openChapter(snapshot, shard, last, sums), problems };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    sums.clear();
    return { base: beginning(), problems: [...problems, error.message] };
  }
}
