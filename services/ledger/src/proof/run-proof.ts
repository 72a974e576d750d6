import { ProofError } from '@gateway/proof';
import { level, type Logger } from '@gateway/runtime';
import type { DueWorker } from '@gateway/persistence';
import { ChainFollower } from '#src/proof/follow-chain.ts';
import { signTree, type SigningDependencies } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery } from '#src/proof/tree-store.ts';
import { shardLabel, type Shard } from '#src/shards.ts';

/** Between two rounds under load, so that each has many links: the tree is at most a second behind. */
const roundsApartMs = 900;

const refused = level(
  'gateway_ledger_proof_refused',
  'Whether the tree or its signature is refused since the chain or the tree is not what was stated',
  ['shard'],
);

export interface ProofOptions extends SigningDependencies {
  readonly logger: Logger;
  /** Of changed trees; a checkpoint covers a link at most this long after it was decided. */
  readonly checkpointIntervalMs: number;
}

export interface ProofWorker extends DueWorker {
  /** To be called when this process has acquired the shard: what is there is signed in the next round. */
  readonly leaseBegan: () => void;
}

/**
 * Lets a shard's tree grow and signs it. It runs where the shard's writer runs, so that one process does the work; that
 * two of them may overlap while the shard changes hands is harmless: each round of the slower one writes nothing.
 */
export function proofWorker(options: ProofOptions, shard: Shard, isWriting: () => boolean): ProofWorker {
  const proof = new Proof(options, shard);
  const { environment, shard: number } = shard;
  return {
    leaseBegan: () => proof.leaseBegan(),
    name: `proof ${shardLabel(shard)}`,
    firstDue: `(select case when s.head_sequence > t.size then to_timestamp(0) end
      from shard s join tree_head t using (environment, shard)
      where environment = '${environment}' and shard = ${number})`,
    work: async () => {
      if (isWriting()) return await proof.round();
      // What was refused here is for the process that writes now to find.
      refused.set(0, { shard: shardLabel(shard) });
      return undefined;
    },
  };
}

class Proof {
  readonly #options: ProofOptions;
  readonly #shard: Shard;
  readonly #follower: ChainFollower;
  #roundAtMs = -Infinity;
  /** When it was signed last, and of which size; a process that starts signs what there is. */
  #signedAtMs = -Infinity;
  #signedSize = -1;

  constructor(options: ProofOptions, shard: Shard) {
    this.#options = options;
    this.#shard = shard;
    this.#follower = new ChainFollower(preparedQuery(options.database), shard);
  }

  /** The writer before may have died between a decision and its checkpoint, which no later decision need ask for. */
  leaseBegan(): void {
    this.#signedAtMs = -Infinity;
    this.#signedSize = -1;
  }

  /** @returns the milliseconds until the next round, `true` for at once; nothing while there is nothing to do */
  async round(): Promise<number | boolean | undefined> {
    const sinceMs = performance.now() - this.#roundAtMs;
    if (sinceMs < roundsApartMs / 2) return roundsApartMs - sinceMs;
    try {
      const { size, links, isBehind } = await this.#follower.follow();
      refused.set(0, { shard: shardLabel(this.#shard) });
      if (isBehind) return true;
      this.#roundAtMs = performance.now();
      const waitMs = await this.#sign(size);
      return links > 0 ? Math.min(waitMs ?? Infinity, roundsApartMs) : waitMs;
    } catch (error) {
      if (error instanceof ProofError) refused.set(1, { shard: shardLabel(this.#shard) });
      throw error;
    }
  }

  /** @returns the milliseconds until the tree is to be signed; nothing when it is */
  async #sign(size: number): Promise<number | undefined> {
    if (size === this.#signedSize) return undefined;
    const waitMs = this.#signedAtMs + this.#options.checkpointIntervalMs - performance.now();
    if (waitMs > 0) return waitMs;
    const statement = await signTree(this.#options, this.#shard);
    this.#signedSize = statement?.size ?? 0;
    this.#signedAtMs = performance.now();
    return undefined;
  }
}
