import { openNote, ProofError, readVerifier } from '@gateway/proof';
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

/** The keys with which a checkpoint was signed: an earlier version had no second one. */
const signingKeysSql = `
  select 'first' as name, public_keys ->> $1 as text from checkpoint_key where number = $2
  union all
  select 'second', public_keys ->> $1 from checkpoint_second_key where number = $2 and created_at <= $3`;

/**
 * Verifies the newest checkpoint that is kept, by each of its signatures.
 *
 * @throws ProofError when one of them is wrong or missing
 */
export async function requireRightSignatures(query: Query, shard: ShardName): Promise<void> {
  const newest = await readLastSigned(query, shard);
  if (!newest) return;
  const { signedBy } = openNote(newest.note, (await readKeyTexts(query, shard)).map(readVerifier));
  const params = [shardLabel(shard), newest.keyNumber, newest.signedAt];
  const keys = await query<{ name: string; text: string }>(signingKeysSql, params);
  const missing = keys.find((key) => !signedBy.some(({ text }) => text === key.text));
  if (missing) throw new ProofError(`the checkpoint of ${newest.size} has no signature by the ${missing.name} key`);
}
