import { hash } from 'node:crypto';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { getCheckpoint, getConsistency, getReceipt, getTile, listCheckpointKeys } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { idTimeMs, isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { consistencyProof, hashOf, inclusionProof, isIncluded, leafHash, ProofError } from '@gateway/proof';
import type { NodeLookup, Stretch, TilePlace } from '@gateway/proof';
import { genesisHash, linkText } from '#src/chain/link.ts';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { readLinkWith } from '#src/chain/walk-chain.ts';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { readLastSigned, requireSameTree, type SignedStatement } from '#src/proof/sign-checkpoint.ts';
import {
  nodesFrom,
  preparedQuery,
  readNodes,
  readPlace,
  readTiles,
  tilesOf,
  tilesSql,
  type Query,
} from '#src/proof/tree-store.ts';
import { shards, type ShardName } from '#src/shards.ts';

/**
 * The newest tree that a witness has signed less than a day ago, with at least so many links; else the newest of all that
 * are signed.
 */
const signedSql = (shard: string, least: string) => `
  select size, root, "chainHash", note, cosignature from (
    select 1 as rank, c.size, c.root, c.chain_hash as "chainHash", n.note, a.answer as cosignature
    from (
      select environment, shard, size, answer, done_at from anchor
      where environment = $1 and shard = ${shard} and target = 'witness' and answer is not null
      order by period desc limit 1
    ) a join checkpoint c using (environment, shard, size) cross join lateral (
      select note from checkpoint_note
      where environment = a.environment and shard = a.shard and size = a.size order by key_number desc limit 1
    ) n where a.done_at > now() - interval '1 day' and a.size >= ${least}
    union all
    select 2, c.size, c.root, c.chain_hash, n.note, null
    from (
      select environment, shard, size, note from checkpoint_note where environment = $1 and shard = ${shard}
      order by size desc, key_number desc limit 1
    ) n join checkpoint c using (environment, shard, size)
  ) as either order by rank limit 1`;

/** An entry of the account, and what is signed of its shard. */
const placeSql = `
  select place.shard, place.sequence, signed.* from (
    select e.shard, e.sequence from balance b join entry e on e.environment = b.environment
      and e.account_id = b.account_id and e.currency = b.currency and e.id = $3
    where b.environment = $1 and b.account_id = $2
  ) place left join lateral (${signedSql('place.shard', 'place.sequence')}) signed on true`;

type SignedRow = SignedStatement & { readonly cosignature: Buffer | null };
type PlaceRow = { readonly shard: number; readonly sequence: number } & { [M in keyof SignedRow]: SignedRow[M] | null };

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
    ? await query<PlaceRow>(placeSql, [environment, accountId, entryId])
    : [];
  if (!place) throw new NotFoundError('transaction');
  const { sequence } = place;
  if (place.size === null || place.size < sequence) return { receipt: null };
  const signed = withCosignature(place as SignedRow);
  const path = inclusionProof(sequence - 1, signed.size);
  const at = { sequence, decidedAtMs: idTimeMs(entryId) };
  const { link, nodes } = await readEvidence(query, { environment, shard: place.shard }, at, path);
  const hashes = path.map((stretch) => hashOf(stretch, nodes));
  requireProven(link, sequence - 1, signed, hashes);
  return { receipt: { link, index: sequence - 1, hashes: hashes.map(base64), checkpoint: signed.note } };
}

/** The newest checkpoint that a witness has signed, where it has the link and is not a day old; else the newest of all. */
async function readSigned(query: Query, shard: ShardName, sequence: number): Promise<SignedStatement | null> {
  const [signed] = await query<SignedRow>(signedSql('$2', '$3'), [shard.environment, shard.shard, sequence]);
  return signed ? withCosignature(signed) : null;
}

function withCosignature({ cosignature, ...signed }: SignedRow): SignedStatement {
  requireSameTree(signed);
  return cosignature ? { ...signed, note: signed.note + cosignature.toString() } : signed;
}

/** Where the link before is in a month that was detached, its end is kept. Tiles are asked for by their places. */
const evidenceSql = `
  (select encode(hash, 'hex') from (
      select hash from result where environment = $1 and shard = $2 and sequence = $3 - 1 and decided_at <= r.decided_at
      union all
      select hash from month_end where environment = $1 and shard = $2 and sequence = $3 - 1
      limit 1
    ) before) as previous,
  (select coalesce(json_agg(json_build_object('level', level, 'index', index, 'hashes', encode(hashes, 'hex'))), '[]')
    from (${tilesSql('$7', '$8')}) tile) as tiles`;

interface EvidenceRow {
  readonly previous: string | null;
  readonly tiles: readonly (TilePlace & { readonly hashes: string })[];
}

/** The text of a link and the nodes that lead from it to the root, in one statement. */
async function readEvidence(
  query: Query,
  shard: ShardName,
  at: { readonly sequence: number; readonly decidedAtMs: number },
  path: readonly Stretch[],
): Promise<{ readonly link: string; readonly nodes: NodeLookup }> {
  const places = tilesOf(path);
  const params = [places.map(({ level }) => level), places.map(({ index }) => index)];
  const found = await readLinkWith<EvidenceRow>({ query }, shard, at, { columns: evidenceSql, params });
  const previous = at.sequence === 1 ? genesisHash : found?.more.previous;
  if (!found || typeof previous !== 'string') throw new ProofError(`link ${at.sequence} is not there`);
  const { link, more } = found;
  const requestHash = requestHashOf(canonicalRequest(link.request));
  const tiles = more.tiles.map((tile) => ({ ...tile, hashes: Buffer.from(tile.hashes, 'hex') }));
  return { link: linkText(previous, { ...link, ...shard, requestHash }), nodes: nodesFrom(tiles) };
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
  return { checkpoint: ((await readSigned(query, request, last.size)) ?? last).note };
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
    return own.map(({ createdAt, retiredAt, second, ...key }) => ({
      environment,
      shard,
      ...key,
      createdAt: unixSeconds(createdAt),
      retiredAt: retiredAt && unixSeconds(retiredAt),
      second: second && { ...second, createdAt: unixSeconds(second.createdAt) },
    }));
  });
  return { keys: (await Promise.all(lists)).flat() };
}

function requireShard({ environment, shard }: ShardName): void {
  if (!shards.some((one) => one.environment === environment && one.shard === shard)) throw new NotFoundError('shard');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
