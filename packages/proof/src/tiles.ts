import { hashBytes, leafHash, nodeHash, ProofError } from '#src/hash.ts';
import type { TreeNode } from '#src/tree.ts';

/** Hashes of a full tile (C2SP tlog-tiles). */
const tileHashes = 256;
/** Levels of the tree that one tile spans. */
const tileHeight = 8;

/** Where a tile stands: its hashes are nodes of the tree's level `8 * level`, from `256 * index` on. */
export interface TilePlace {
  readonly level: number;
  readonly index: number;
}

export interface Tile extends TilePlace {
  /** As many hashes as the tree has there, 256 at most. */
  readonly hashes: Uint8Array;
}

/** The tile that has a node, or those below it. */
export function tileOf({ level, index }: TreeNode): TilePlace {
  const tileLevel = Math.floor(level / tileHeight);
  return { level: tileLevel, index: Math.floor((index * 2 ** (level % tileHeight)) / tileHashes) };
}

/** The hash of a node out of the tile that `tileOf` names. */
export function nodeOfTile(tile: Tile, { level, index }: TreeNode): Uint8Array {
  const width = 2 ** (level % tileHeight);
  const first = (index * width) % tileHashes;
  if (tile.hashes.length < (first + width) * hashBytes) {
    throw new ProofError(`tile ${tile.level}/${tile.index} is too short`);
  }
  return subtreeHash(tile.hashes, first, width);
}

function subtreeHash(hashes: Uint8Array, first: number, width: number): Uint8Array {
  if (width === 1) return hashes.subarray(first * hashBytes, (first + 1) * hashBytes);
  const half = width / 2;
  return nodeHash(subtreeHash(hashes, first, half), subtreeHash(hashes, first + half, half));
}

/** The last tile of each level of a tree, where it has some: what is needed for the tree to grow. */
export function edgeOf(size: number): (TilePlace & { readonly width: number })[] {
  const edge: (TilePlace & { readonly width: number })[] = [];
  for (let [level, nodes] = [0, size]; nodes > 0; level += 1, nodes = Math.floor(nodes / tileHashes)) {
    const width = nodes % tileHashes;
    if (width > 0) edge.push({ level, index: Math.floor(nodes / tileHashes), width });
  }
  return edge;
}

/**
 * Appends records to a tree.
 *
 * @param edge the tiles that `edgeOf` names for the tree's size
 * @param records of 32 bytes each, one behind the other
 * @returns the tiles that are new or have grown, each once, in its new form
 */
export function growTiles(size: number, edge: readonly Tile[], records: Uint8Array): Tile[] {
  if (records.length % hashBytes !== 0) throw new ProofError('a record has 32 bytes');
  const grown = new Set<GrowingTile>();
  const last = new Map<number, GrowingTile>();
  for (const { level, index, width } of edgeOf(size)) {
    const tile = edge.find((stored) => stored.level === level && stored.index === index);
    if (tile?.hashes.length !== width * hashBytes) {
      throw new ProofError(`tile ${level}/${index} does not belong to a tree of ${size}`);
    }
    last.set(level, new GrowingTile(tile));
  }
  const append = (level: number, index: number, hash: Uint8Array): void => {
    const tile = last.get(level) ?? new GrowingTile({ level, index: Math.floor(index / tileHashes), hashes: noHashes });
    if (tile.width === 0) last.set(level, tile);
    tile.append(hash);
    grown.add(tile);
    if (tile.width < tileHashes) return;
    last.delete(level);
    append(level + 1, tile.index, subtreeHash(tile.hashes, 0, tileHashes));
  };
  for (let at = 0, index = size; at < records.length; at += hashBytes, index += 1) {
    append(0, index, leafHash(records.subarray(at, at + hashBytes)));
  }
  return [...grown].map(({ level, index, hashes }) => ({ level, index, hashes }));
}

const noHashes = new Uint8Array();

class GrowingTile implements Tile {
  readonly level: number;
  readonly index: number;
  readonly #bytes = Buffer.alloc(tileHashes * hashBytes);
  width: number;

  constructor({ level, index, hashes }: Tile) {
    this.level = level;
    this.index = index;
    this.#bytes.set(hashes);
    this.width = hashes.length / hashBytes;
  }

  append(hash: Uint8Array): void {
    this.#bytes.set(hash, this.width * hashBytes);
    this.width += 1;
  }

  get hashes(): Buffer {
    return this.#bytes.subarray(0, this.width * hashBytes);
  }
}
