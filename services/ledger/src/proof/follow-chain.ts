import { growTiles, hashBytes, ProofError, type Tile } from '@gateway/proof';
import type { ShardName } from '#src/shards.ts';
import { readEdge, readPlace, writeTree, type Query, type TreePlace } from '#src/proof/tree-store.ts';

/**
 * Links of one round: two milliseconds of hashing, for which the writer in the same process waits. A chain that is there
 * already is followed in pages, and the writer has its turn between two of them.
 */
const pageLinksMax = 1_000;

/**
 * The links from the tree's last one on, that one included: if it is not the one the tree has, the chain was rewritten.
 * The time leads to the months that may have them.
 */
const linksSql = `
  select count(*) as links, min(sequence) as first, max(sequence) as last, max(decided_at) as "decidedAt",
    string_agg(hash, ''::bytea order by sequence) as hashes
  from (
    select sequence, decided_at, hash from result
    where environment = $1 and shard = $2 and sequence >= $3 and decided_at >= $4
    order by sequence limit $5
  ) as page`;

interface LinksRow {
  readonly links: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly decidedAt: Date | null;
  readonly hashes: Buffer | null;
}

interface Edge {
  readonly place: TreePlace;
  readonly tiles: readonly Tile[];
}

/**
 * Lets the tree of a shard grow behind its chain. The writer has no work with it: links are read when they are
 * committed. What is kept in memory is read again whenever another process was faster, or something failed.
 */
export class ChainFollower {
  readonly #query: Query;
  readonly #shard: ShardName;
  readonly #pageLinks: number;
  #edge: Edge | undefined;

  constructor(query: Query, shard: ShardName, pageLinks = pageLinksMax) {
    this.#query = query;
    this.#shard = shard;
    this.#pageLinks = pageLinks;
  }

  /**
   * Takes in one page of links.
   * @returns how large the tree is now, and how many links are new; with a full page there may be more
   * @throws ProofError when the chain is not the one that was followed
   */
  async follow(): Promise<{ readonly size: number; readonly links: number; readonly isBehind: boolean }> {
    const before = (this.#edge ??= await this.#read());
    this.#edge = undefined;
    const { place, records } = await this.#readLinks(before.place);
    const links = place.size - before.place.size;
    if (links > 0) {
      const grown = growTiles(before.place.size, before.tiles, records);
      const isWritten = await writeTree(this.#query, this.#shard, before.place.size, place, grown);
      if (!isWritten) return { size: before.place.size, links: 0, isBehind: true };
      this.#edge = { place, tiles: edgeAfter(before.tiles, grown) };
    } else {
      this.#edge = before;
    }
    return { size: place.size, links, isBehind: links >= this.#pageLinks };
  }

  async #read(): Promise<Edge> {
    const place = await readPlace(this.#query, this.#shard);
    return { place, tiles: await readEdge(this.#query, this.#shard, place.size) };
  }

  async #readLinks({ size, chainHash, decidedAt }: TreePlace): Promise<{ place: TreePlace; records: Buffer }> {
    const { environment, shard } = this.#shard;
    const known = size > 0 ? 1 : 0;
    const params = [environment, shard, Math.max(size, 1), decidedAt, this.#pageLinks + known];
    const [row] = await this.#query<LinksRow>(linksSql, params);
    const { first, last, hashes, links } = { ...emptyPage, ...row };
    if (known === 0 && last === null) return { place: { size, chainHash, decidedAt }, records: Buffer.alloc(0) };
    const isWhole = first === Math.max(size, 1) && last === first + links - 1 && hashes?.length === hashBytes * links;
    if (!isWhole || (known === 1 && !hashes.subarray(0, hashBytes).equals(chainHash))) {
      throw new ProofError(`the chain of ${environment}.${shard} has lost or changed links from ${size} on`);
    }
    return {
      place: { size: last, chainHash: hashes.subarray(-hashBytes), decidedAt: row?.decidedAt ?? decidedAt },
      records: hashes.subarray(hashBytes * known),
    };
  }
}

const emptyPage: LinksRow = { links: 0, first: null, last: null, decidedAt: null, hashes: null };

/** The last tile of each level: the one that has grown, else the one before. A full one is harmless. */
function edgeAfter(before: readonly Tile[], grown: readonly Tile[]): Tile[] {
  const last = new Map<number, Tile>();
  for (const tile of [...before, ...grown]) {
    const known = last.get(tile.level);
    if (!known || known.index <= tile.index) last.set(tile.level, tile);
  }
  return [...last.values()];
}
