import { GrowingRoot, leafHash, openCheckpoint, ProofError, readVerifier } from '@gateway/proof';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { verifyEnd, type ChainResult } from '#src/chain/verify-chain.ts';
import { readNodes, type Query } from '#src/proof/tree-store.ts';
import { readKeyTexts } from '#src/proof/verify-signed.ts';
import { shardLabel, shards, type Shard } from '#src/shards.ts';

export interface VerifiedBehind extends ChainResult {
  readonly shard: Shard;
  /** The size of the checkpoint: results up to it were not read again. */
  readonly from: number;
}

const endSql = `select hash, round(extract(epoch from decided_at) * 1000)::bigint as "decidedAtMs" from result where environment = $1 and shard = $2 and sequence = $3`;
const stateSql = `select size, root from checkpoint where environment = $1 and shard = $2 order by size desc limit 1`;

/**
 * Verifies what was decided since a checkpoint, in a time that does not depend on what is before it. The checkpoint is
 * evidence for that: its root has to be the one of the tree, and the tree's last record the link that the rest follows.
 * A row before it that was changed without the tree is found by a walk over the whole chain alone.
 *
 * @param keys texts of public keys that were kept outside; without any, those in the database are trusted
 * @throws ProofError when the checkpoint is not signed by a key, or contradicts the tree
 */
export async function verifyBehind(snapshot: Snapshot, note: string, keys: readonly string[]): Promise<VerifiedBehind> {
  const shard = shards.find((one) => note.split('\n')[0]?.endsWith(`/ledger/${shardLabel(one)}`));
  if (!shard) throw new ProofError('the checkpoint is of no shard of this ledger');
  const query: Query = (text, params) => snapshot.query(text, params);
  const known = keys.length > 0 ? keys : await readKeyTexts(query, shard);
  const { size, root } = openCheckpoint(note, known.map(readVerifier));
  const nodes = await readNodes(query, shard, [
    { start: 0, end: size },
    { start: size - 1, end: size },
  ]);
  const tree = new GrowingRoot(size, nodes);
  const [end] = await query<{ hash: Buffer; decidedAtMs: number }>(endSql, [shard.environment, shard.shard, size]);
  if (!Buffer.from(tree.root).equals(root))
    throw new ProofError(`the tree of ${size} results is not the one that was signed`);
  if (!end || !leafHash(end.hash).equals(nodes({ level: 0, index: size - 1 }))) {
    throw new ProofError(`result ${size} is not the last one of the tree that was signed`);
  }
  const [stated] = await query<{ size: number; root: Buffer }>(stateSql, [shard.environment, shard.shard]);
  const problems: string[] = [];
  const visit = ({ hash }: { readonly hash: string }) => {
    tree.append(Buffer.from(hash, 'hex'));
    if (tree.size !== stated?.size || stated.root.equals(Buffer.from(tree.root))) return;
    problems.push(`the tree of ${tree.size} results is not the one that was stated`);
  };
  const from = { sequence: size, hash: end.hash.toString('hex'), decidedAtMs: end.decidedAtMs };
  const result = await verifyEnd(snapshot, shard, from, visit);
  const [problem] = problems;
  const firstBreak = result.firstBreak ?? (problem === undefined ? null : { sequence: stated?.size ?? size, problem });
  return { ...result, firstBreak, shard, from: size };
}
