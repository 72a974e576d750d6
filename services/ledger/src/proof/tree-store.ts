import { hash } from 'node:crypto';
import type { Database } from '@gateway/persistence';
import { edgeOf, hashBytes, nodesOf, nodeOfTile, ProofError, tileOf } from '@gateway/proof';
import type { NodeLookup, Stretch, Tile, TilePlace } from '@gateway/proof';
import type { ShardName } from '#src/shards.ts';

/** Runs one statement: a database, an open transaction or a snapshot. */
export type Query = <Row extends object>(text: string, params: readonly unknown[]) => Promise<Row[]>;

/** Prepared under a name of their own: planning over every month's partition costs more than most of the reads. */
export function preparedQuery(database: Database): Query {
  return (text, params) => database.query(text, params, `proof-${hash('md5', text, 'hex')}`);
}

/** How far a tree has followed its chain. */
export interface TreePlace {
  readonly size: number;
  /** The last link that is in the tree; 64 zeros where there is none. */
  readonly chainHash: Buffer;
  readonly decidedAt: Date;
}

const placeColumns = 'size, chain_hash as "chainHash", decided_at as "decidedAt"';

/** With `lock` until the end of the transaction it stays as it is. */
export async function readPlace(
  query: Query,
  { environment, shard }: ShardName,
  lock: 'for update' | '' = '',
): Promise<TreePlace> {
  const [place] = await query<TreePlace>(
    `select ${placeColumns} from tree_head where environment = $1 and shard = $2 ${lock}`,
    [environment, shard],
  );
  if (!place) throw new ProofError(`${environment}.${shard} has no tree`);
  return place;
}

interface TileRow extends TilePlace {
  readonly hashes: Buffer;
}

/** The tiles of shard $2 that are there of those asked for; `levels` and `indexes`: the parameters that say which. */
export const tilesSql = (levels: string, indexes: string) => `
  select t.level, t.index, t.hashes from unnest(${levels}::smallint[], ${indexes}::bigint[]) as asked(level, index)
  cross join lateral (
    select level, index, hashes from tree_tile
    where environment = $1 and shard = $2 and level = asked.level and index = asked.index offset 0
  ) t`;

/** The tiles that are there of those asked for. */
export async function readTiles(
  query: Query,
  { environment, shard }: ShardName,
  places: readonly TilePlace[],
): Promise<Tile[]> {
  if (places.length === 0) return [];
  const [levels, indexes] = [places.map(({ level }) => level), places.map(({ index }) => index)];
  return await query<TileRow>(tilesSql('$3', '$4'), [environment, shard, levels, indexes]);
}

/** The tiles with which a tree of this size grows. Those that another process has let grow since have it as their start. */
export async function readEdge(query: Query, shard: ShardName, size: number): Promise<Tile[]> {
  const edge = edgeOf(size);
  const tiles = await readTiles(query, shard, edge);
  return tiles.map((tile) => {
    const width = edge.find(({ level }) => level === tile.level)?.width ?? 0;
    return { ...tile, hashes: tile.hashes.subarray(0, width * hashBytes) };
  });
}

/**
 * Reads the nodes of some stretches with one statement.
 * @throws ProofError from the lookup where a tile is not there
 */
export async function readNodes(query: Query, shard: ShardName, stretches: readonly Stretch[]): Promise<NodeLookup> {
  return nodesFrom(await readTiles(query, shard, tilesOf(stretches)));
}

/** The tiles that have the nodes of some stretches. */
export function tilesOf(stretches: readonly Stretch[]): TilePlace[] {
  return [...new Map(stretches.flatMap(nodesOf).map((node) => [keyOf(tileOf(node)), tileOf(node)])).values()];
}

/** @throws ProofError from the lookup where a tile is not there */
export function nodesFrom(found: readonly Tile[]): NodeLookup {
  const tiles = new Map(found.map((tile) => [keyOf(tile), tile]));
  return (node) => {
    const place = tileOf(node);
    const tile = tiles.get(keyOf(place));
    if (!tile) throw new ProofError(`tile ${keyOf(place)} is missing`);
    return nodeOfTile(tile, node);
  };
}

function keyOf({ level, index }: TilePlace): string {
  return `${level}/${index}`;
}

/**
 * Changed tiles and the new place, together or not at all: nothing is written where another process has moved the place
 * since it was read. $3 the size before, $4 … $6 the place, $7 … $9 the tiles.
 */
const growSql = `
  with moved as (
    update tree_head set size = $4, chain_hash = $5, decided_at = $6
    where environment = $1 and shard = $2 and size = $3 returning environment, shard
  )
  insert into tree_tile (environment, shard, level, index, width, hashes)
  select m.environment, m.shard, t.level, t.index, length(t.hashes) / 32, t.hashes
  from moved m, unnest($7::smallint[], $8::bigint[], $9::bytea[]) as t(level, index, hashes)
  on conflict (environment, shard, level, index) do update set width = excluded.width, hashes = excluded.hashes
  returning 1`;

/** @returns whether it was written */
export async function writeTree(
  query: Query,
  { environment, shard }: ShardName,
  sizeBefore: number,
  place: TreePlace,
  tiles: readonly Tile[],
): Promise<boolean> {
  const written = await query(growSql, [
    environment,
    shard,
    sizeBefore,
    place.size,
    place.chainHash,
    place.decidedAt,
    tiles.map(({ level }) => level),
    tiles.map(({ index }) => index),
    tiles.map(({ hashes }) => Buffer.from(hashes)),
  ]);
  return written.length > 0;
}
