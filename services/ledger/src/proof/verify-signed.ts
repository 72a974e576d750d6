import { openCheckpoint, readVerifier } from '@gateway/proof';
import { readLastSigned } from '#src/proof/sign-checkpoint.ts';
import type { Query } from '#src/proof/tree-store.ts';
import { shardLabel, type ShardName } from '#src/shards.ts';

const keysSql = `
  select public_keys ->> $1 as text from (
    select number, public_keys from checkpoint_key union all select number, public_keys from checkpoint_second_key
  ) as key order by number`;

/** The public keys of a shard that the database has, first and second ones. */
export async function readKeyTexts(query: Query, shard: ShardName): Promise<string[]> {
  const rows = await query<{ text: string }>(keysSql, [shardLabel(shard)]);
  return rows.map(({ text }) => text);
}

/**
 * Verifies the newest checkpoint that is kept, by each of its signatures.
 *
 * @throws ProofError when one of them is wrong, or none is by a key of ours
 */
export async function requireRightSignatures(query: Query, shard: ShardName): Promise<void> {
  const newest = await readLastSigned(query, shard);
  if (newest) openCheckpoint(newest.note, (await readKeyTexts(query, shard)).map(readVerifier));
}
