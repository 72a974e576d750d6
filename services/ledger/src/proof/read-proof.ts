import { hash } from 'node:crypto';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { getCheckpoint, getConsistency, getReceipt, getTile, listCheckpointKeys } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { idTimeMs, isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { consistencyProof, hashOf, inclusionProof, isIncluded, leafHash, ProofError } from '@gateway/proof';
import { genesisHash, linkText } from '#src/chain/link.ts';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { readLink } from '#src/chain/walk-chain.ts';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { readLastSigned, type SignedStatement } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery, readNodes, readPlace, readTiles, type Query } from '#src/proof/tree-store.ts';
import { shards, type ShardName } from '#src/shards.ts';

const placeSql = `
  select e.shard, e.sequence from balance b join entry e on e.environment = b.environment
    and e.account_id = b.account_id and e.currency = b.currency and e.id = $3
  where b.environment = $1 and b.account_id = $2`;

/** Where the link before is in a month that was detached, its end is kept. */
const previousSql = `
  select encode(hash, 'hex') as hash from result
  where environment = $1 and shard = $2 and sequence = $3 and decided_at <= timestamptz 'epoch' + $4 * interval '1 ms'
  union all
  select encode(hash, 'hex') from month_end where environment = $1 and shard = $2 and sequence = $3
  limit 1`;

/**
 * The proof of one entry, verified before it leaves: one that does not hold is an error here, not a merchant's find.
 * @throws NotFoundError when the account has no such entry
 */
export async function readReceipt(
  database: Database,
  { environment, accountId, entryId }: RequestOf<typeof getReceipt>,
): Promise<ReplyOf<typeof getReceipt>> {
  const query = preparedQuery(database);
  const [place] = isId('ledgerEntry', entryId)
    ? await query<{ shard: number; sequence: number }>(placeSql, [environment, accountId, entryId])
    : [];
  if (!place) throw new NotFoundError('transaction');
  const { sequence } = place;
  const shard = { environment, shard: place.shard };
  const signed = await readSigned(query, shard, sequence);
  if (!signed || signed.size < sequence) return { receipt: null };
  const [link, nodes] = await Promise.all([
    readText(query, shard, sequence, idTimeMs(entryId)),
    readNodes(query, shard, inclusionProof(sequence - 1, signed.size)),
  ]);
  const hashes = inclusionProof(sequence - 1, signed.size).map((stretch) => hashOf(stretch, nodes));
  requireProven(link, sequence - 1, signed, hashes);
  return { receipt: { link, index: sequence - 1, hashes: hashes.map(base64), checkpoint: signed.note } };
}

/** The newest checkpoint that a witness has signed, where it has the link and is not a day old; else the newest of all. */
async function readSigned(query: Query, shard: ShardName, sequence: number): Promise<SignedStatement | null> {
  const [cosigned] = await query<SignedStatement & { cosignature: Buffer }>(cosignedSql, [
    shard.environment,
    shard.shard,
  ]);
  if (!cosigned || cosigned.size < sequence) return await readLastSigned(query, shard);
  return { ...cosigned, note: cosigned.note + cosigned.cosignature.toString() };
}

const cosignedSql = `
  select c.size, c.root, c.chain_hash as "chainHash", n.note, a.answer as cosignature
  from (
    select environment, shard, size, answer, done_at from anchor
    where environment = $1 and shard = $2 and target = 'witness' and answer is not null order by period desc limit 1
  ) a join checkpoint c using (environment, shard, size) cross join lateral (
    select note from checkpoint_note
    where environment = a.environment and shard = a.shard and size = a.size order by key_number desc limit 1
  ) n where a.done_at > now() - interval '1 day'`;

async function readText(query: Query, shard: ShardName, sequence: number, decidedAtMs: number): Promise<string> {
  const previousParams = [shard.environment, shard.shard, sequence - 1, decidedAtMs];
  const [link, previous] = await Promise.all([
    readLink({ query }, shard, sequence, decidedAtMs),
    sequence === 1 ? [{ hash: genesisHash }] : query<{ hash: string }>(previousSql, previousParams),
  ]);
  if (!link || !previous[0]) throw new ProofError(`link ${sequence} is not there`);
  const requestHash = requestHashOf(canonicalRequest(link.request));
  return linkText(previous[0].hash, { ...link, ...shard, requestHash });
}

function requireProven(link: string, index: number, tree: SignedStatement, hashes: readonly Uint8Array[]): void {
  const leaf = leafHash(hash('sha256', link, 'buffer'));
  if (!isIncluded({ leaf, index, tree, hashes }))
    throw new ProofError(`link ${index + 1} is not in the tree that was signed`);
}

/** @throws NotFoundError when there is no such shard */
export async function readCheckpoint(
  database: Database,
  request: RequestOf<typeof getCheckpoint>,
): Promise<ReplyOf<typeof getCheckpoint>> {
  requireShard(request);
  const query = preparedQuery(database);
  const last = await readLastSigned(query, request);
  if (!last) return { checkpoint: null };
  const cosigned = await readSigned(query, request, last.size);
  return { checkpoint: (cosigned ?? last).note };
}

/** @throws NotFoundError when there is no such tile */
export async function readTile(
  database: Database,
  { environment, shard, level, index }: RequestOf<typeof getTile>,
): Promise<ReplyOf<typeof getTile>> {
  const [tile] = await readTiles(preparedQuery(database), { environment, shard }, [{ level, index }]);
  if (!tile) throw new NotFoundError('tile');
  return { hashes: base64(tile.hashes) };
}

/** @throws ValidationError when the sizes are not those of trees that are there */
export async function readConsistency(
  database: Database,
  { environment, shard, from, to }: RequestOf<typeof getConsistency>,
): Promise<ReplyOf<typeof getConsistency>> {
  requireShard({ environment, shard });
  const query = preparedQuery(database);
  const { size } = await readPlace(query, { environment, shard });
  if (to > size) throw new ValidationError([{ path: 'to', message: `is larger than the tree, which has ${size}` }]);
  if (from > to) throw new ValidationError([{ path: 'from', message: 'is larger than `to`' }]);
  return { hashes: await readConsistencyProof(query, { environment, shard }, from, to) };
}

/** The hashes, in base64, of sizes that are there. */
export async function readConsistencyProof(
  query: Query,
  shard: ShardName,
  from: number,
  to: number,
): Promise<string[]> {
  const proof = consistencyProof(from, to);
  const nodes = await readNodes(query, shard, proof);
  return proof.map((stretch) => base64(hashOf(stretch, nodes)));
}

export async function listKeys(keys: CheckpointKeys): Promise<ReplyOf<typeof listCheckpointKeys>> {
  const lists = shards.map(async ({ environment, shard }) => {
    const own = await keys.list({ environment, shard });
    return own.map(({ createdAt, retiredAt, ...key }) => ({
      environment,
      shard,
      ...key,
      createdAt: unixSeconds(createdAt),
      retiredAt: retiredAt && unixSeconds(retiredAt),
    }));
  });
  return { keys: (await Promise.all(lists)).flat() };
}

function requireShard({ environment, shard }: ShardName): void {
  if (!shards.some((one) => one.environment === environment && one.shard === shard)) throw new NotFoundError('shard');
}

function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
