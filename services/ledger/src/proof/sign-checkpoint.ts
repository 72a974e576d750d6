import {
  consistencyProof,
  hashOf,
  isConsistent,
  parseCheckpoint,
  ProofError,
  rootOf,
  signCheckpoint,
} from '@gateway/proof';
import type { Database, Tx } from '@gateway/persistence';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { readNodes, readPlace, type Query } from '#src/proof/tree-store.ts';
import type { ShardName } from '#src/shards.ts';

/** What is stated of a shard's tree; once it is stored, nothing else is signed for its size. */
export interface Statement {
  readonly size: number;
  readonly root: Buffer;
  readonly chainHash: Buffer;
}

export interface SigningDependencies {
  readonly database: Database;
  readonly keys: CheckpointKeys;
  readonly now: () => number;
}

/**
 * States the tree as it is now, and signs it. The statement is committed before it is signed: a process that dies between
 * the two leaves a statement that the next one signs, or one that stays without a signature, never a signature of which
 * the database knows nothing.
 *
 * @returns what is signed now; null while the chain is empty
 * @throws ProofError when the tree does not contain the one that was stated last; nothing is signed then
 */
export async function signTree(
  { database, keys, now }: SigningDependencies,
  shard: ShardName,
): Promise<Statement | null> {
  const statement = await database.transaction((tx) => stateTree(tx, shard, new Date(now())));
  if (!statement) return null;
  const { number, origin, signers } = await keys.signers(shard);
  const { size, root } = statement;
  const note = signCheckpoint({ origin, size, root, extensions: [] }, signers);
  await database.query(
    `insert into checkpoint_note (environment, shard, size, key_number, note, signed_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [shard.environment, shard.shard, size, number, note, new Date(now())],
  );
  return statement;
}

/** The lock on the tree's place makes processes state one after the other. */
async function stateTree(tx: Tx, shard: ShardName, at: Date): Promise<Statement | null> {
  const query: Query = (text, params) => tx.sql(text, params);
  const { size, chainHash } = await readPlace(query, shard, 'for update');
  const last = await readLastStatement(query, shard);
  const earlier = last ?? { size: 0 };
  if (size < earlier.size) throw new ProofError(`the tree has ${size} links, and ${earlier.size} were stated`);
  const proof = consistencyProof(earlier.size, size);
  const nodes = await readNodes(query, shard, [{ start: 0, end: size }, { start: 0, end: earlier.size }, ...proof]);
  const root = Buffer.from(rootOf(size, nodes));
  const hashes = proof.map((stretch) => hashOf(stretch, nodes));
  if (last && !isConsistent(last, { size, root }, hashes)) {
    throw new ProofError(`the tree of ${size} links does not contain the one of ${last.size} that was stated`);
  }
  if (size === earlier.size) return last;
  await tx.sql(
    `insert into checkpoint (environment, shard, size, root, chain_hash, at) values ($1, $2, $3, $4, $5, $6)`,
    [shard.environment, shard.shard, size, root, chainHash, at],
  );
  return { size, root, chainHash };
}

async function readLastStatement(query: Query, { environment, shard }: ShardName): Promise<Statement | null> {
  const [last] = await query<Statement>(
    `select size, root, chain_hash as "chainHash" from checkpoint where environment = $1 and shard = $2
     order by size desc limit 1`,
    [environment, shard],
  );
  return last ?? null;
}

/** The newest statement that is signed, with its note; of several notes that of the newest key. */
export interface SignedStatement extends Statement {
  readonly note: string;
}

export interface LastSigned extends SignedStatement {
  /** Of the key that has signed it. */
  readonly keyNumber: number;
  readonly signedAt: Date;
}

export async function readLastSigned(query: Query, { environment, shard }: ShardName): Promise<LastSigned | null> {
  const [signed] = await query<LastSigned>(
    `select c.size, c.root, c.chain_hash as "chainHash", n.note, n.key_number as "keyNumber", n.signed_at as "signedAt"
     from checkpoint_note n join checkpoint c using (environment, shard, size)
     where n.environment = $1 and n.shard = $2 order by n.size desc, n.key_number desc limit 1`,
    [environment, shard],
  );
  if (!signed) return null;
  requireSameTree(signed);
  return signed;
}

/** Both are in the database; if they differ, one of them was changed. */
export function requireSameTree(signed: SignedStatement): void {
  const { size, root } = parseCheckpoint(signed.note);
  if (size !== signed.size || !signed.root.equals(root))
    throw new ProofError(`the note of ${signed.size} is of another tree`);
}
