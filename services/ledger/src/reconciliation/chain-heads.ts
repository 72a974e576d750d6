import type { GrowingRoot } from '@gateway/proof';
import type { StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { Base } from '#src/reconciliation/chapter-base.ts';
import { shardLabel, type Shard } from '#src/shards.ts';

/** Where a shard's chain ended when a reconciliation walked it. */
export interface ChainHead {
  readonly shard: string;
  readonly sequence: number;
  readonly hash: string;
  /** Of the tree over all links up to this one, in hexadecimal digits. */
  readonly root: string;
}

/**
 * The ends at earlier reconciliations, and the newest tree that was stated for signing. Each tree that is stated contains
 * all that were stated before, so the newest one is evidence for all of them.
 */
const headsSql = `
  select head ->> 'hash' as hash, (head ->> 'sequence')::bigint as sequence, head ->> 'root' as root, finished_at as at
  from reconciliation cross join lateral json_array_elements(heads) as head
  where head ->> 'shard' = $1
  union all (
    select encode(chain_hash, 'hex'), size, encode(root, 'hex'), at from checkpoint
    where environment = $2 and shard = $3 order by size desc limit 1
  ) order by sequence, at`;

interface EarlierHead extends Pick<ChainHead, 'sequence' | 'hash'> {
  /** Null where it was recorded before there were trees. */
  readonly root: string | null;
  readonly at: Date;
}

/**
 * The ends of a chain at earlier moments. A chain that was cut, and perhaps continued from there, or that was rewritten
 * with all its hashes, has no broken link; only these ends, and the logs, show that it was another chain before.
 */
export class EarlierHeads {
  readonly #shard: string;
  readonly #waiting: EarlierHead[];
  readonly #tree: GrowingRoot;
  #problem: string | undefined;
  #last: Pick<StoredLink, 'sequence' | 'hash'> | undefined;

  private constructor(shard: string, heads: EarlierHead[], base: Base) {
    this.#shard = shard;
    this.#waiting = heads;
    this.#tree = base.tree;
    if (base.sequence > 0) this.#reach(base);
  }

  /** Those behind a base, and the one that is there: the chapters before it were compared when they were verified. */
  static async read(snapshot: Snapshot, shard: Shard, base: Base): Promise<EarlierHeads> {
    const label = shardLabel(shard);
    const params = [label, shard.environment, shard.shard];
    const heads = await snapshot.query<EarlierHead>(headsSql, params);
    return new EarlierHeads(
      label,
      heads.filter(({ sequence }) => sequence >= base.sequence),
      base,
    );
  }

  /** To be called with every link, in order. */
  pass({ sequence, hash }: StoredLink): void {
    this.#tree.append(Buffer.from(hash, 'hex'));
    this.#reach({ sequence, hash });
  }

  #reach({ sequence, hash }: Pick<StoredLink, 'sequence' | 'hash'>): void {
    this.#last = { sequence, hash };
    while ((this.#waiting[0]?.sequence ?? Infinity) <= sequence) {
      const head = this.#waiting.shift();
      if (head) this.#problem ??= this.#compare(head, { sequence, hash });
    }
  }

  #compare(head: EarlierHead, link: Pick<StoredLink, 'sequence' | 'hash'>): string | undefined {
    if (head.sequence !== link.sequence || head.hash !== link.hash) return missing(head);
    if (head.root === null || head.root === this.#root) return undefined;
    return `the tree of ${head.sequence} results is not the one that was there at ${timeOf(head)}`;
  }

  /** The first end that is missing; null where the chain only grew. Not valid for a chain with a broken link. */
  get problem(): string | null {
    const [behind] = this.#waiting;
    return this.#problem ?? (behind ? missing(behind) : null);
  }

  /** Where the chain ends now; undefined for an empty one. */
  get head(): ChainHead | undefined {
    return this.#last && { shard: this.#shard, ...this.#last, root: this.#root };
  }

  get #root(): string {
    return Buffer.from(this.#tree.root).toString('hex');
  }
}

function missing(head: EarlierHead): string {
  return `result ${head.sequence} is not the one that was there at ${timeOf(head)}`;
}

function timeOf({ at }: EarlierHead): string {
  return at.toISOString().replace(/[.]\d+/, '');
}
