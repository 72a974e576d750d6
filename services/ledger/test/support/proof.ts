import type { Database } from '@gateway/persistence';
import { SecretBox } from '@gateway/runtime';
import { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { ChainFollower } from '#src/proof/follow-chain.ts';
import { signTree, type Statement } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery } from '#src/proof/tree-store.ts';

export const testShard = { environment: 'test', shard: 0 };

/** What a ledger does for its proof, by hand. */
export interface ProofByHand {
  readonly keys: CheckpointKeys;
  /** Follows the chain to its end. */
  readonly follow: () => Promise<void>;
  readonly sign: () => Promise<Statement | null>;
}

export async function proofOf(database: Database): Promise<ProofByHand> {
  const keys = new CheckpointKeys(database, new SecretBox([Buffer.alloc(32, 1)]));
  await keys.ensureOne('pay.example.com', new Date());
  const follower = new ChainFollower(preparedQuery(database), testShard, 3);
  const follow = async () => {
    while ((await follower.follow()).isBehind);
  };
  return { keys, follow, sign: () => signTree({ database, keys, now: () => Date.now() }, testShard) };
}
