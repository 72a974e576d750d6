import type { StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { shardLabel, type Shard } from '#src/shards.ts';

/** Where a shard's chain ended when a reconciliation walked it. */
export interface ChainHead {
  readonly shard: string;
  readonly sequence: number;
  readonly hash: string;
}

const headsSql = `
  select head ->> 'hash' as hash, (head ->> 'sequence')::bigint as sequence,
    to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
  from reconciliation cross join lateral json_array_elements(heads) as head
  where head ->> 'shard' = $1 order by sequence, at`;

interface EarlierHead extends Omit<ChainHead, 'shard'> {
  readonly at: string;
}

/**
 * The ends of a chain at earlier reconciliations. A chain that was cut, and perhaps continued from there, has no broken
 * link; only these ends, and the logs, show that it was another chain before.
 */
export class EarlierHeads {
  readonly #shard: string;
  readonly #waiting: EarlierHead[];
  #missing: EarlierHead | undefined;
  #last: Pick<StoredLink, 'sequence' | 'hash'> | undefined;

  private constructor(shard: string, heads: EarlierHead[]) {
    this.#shard = shard;
    this.#waiting = heads;
  }

  static async read(snapshot: Snapshot, shard: Shard): Promise<EarlierHeads> {
    const label = shardLabel(shard);
    return new EarlierHeads(label, await snapshot.query<EarlierHead>(headsSql, [label]));
  }

  /** To be called with every link, in order. */
  pass({ sequence, hash }: StoredLink): void {
    this.#last = { sequence, hash };
    while ((this.#waiting[0]?.sequence ?? Infinity) <= sequence) {
      const head = this.#waiting.shift();
      if (head && (head.sequence !== sequence || head.hash !== hash)) this.#missing ??= head;
    }
  }

  /** The first end that is missing; null where the chain only grew. Not valid for a chain with a broken link. */
  get problem(): string | null {
    const missing = this.#missing ?? this.#waiting[0];
    return missing ? `result ${missing.sequence} is not the one that was there at ${missing.at}` : null;
  }

  /** Where the chain ends now; undefined for an empty one. */
  get head(): ChainHead | undefined {
    return this.#last && { shard: this.#shard, sequence: this.#last.sequence, hash: this.#last.hash };
  }
}
