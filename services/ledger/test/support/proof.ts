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

/** A note whose signature at a place among its lines has another last byte. */
export function withWrongEnd(note: string, place: number): string {
  const end = note.lastIndexOf('\n\n') + 2;
  const lines = note.slice(end, -1).split('\n');
  const [dash, name, base64 = ''] = lines[place]?.split(' ') ?? [];
  const bytes = Buffer.from(base64, 'base64');
  bytes[bytes.length - 1]! ^= 1;
  return `${note.slice(0, end)}${lines.with(place, `${dash} ${name} ${bytes.toString('base64')}`).join('\n')}\n`;
}

/** A note without the signature at a place among its lines. */
export function withoutSignature(note: string, place: number): string {
  const end = note.lastIndexOf('\n\n') + 2;
  const lines = note.slice(end, -1).split('\n');
  return `${note.slice(0, end)}${lines.toSpliced(place, 1).join('\n')}\n`;
}
