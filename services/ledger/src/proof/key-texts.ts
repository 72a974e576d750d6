import type { KeyObject } from 'node:crypto';
import { noteSigner, signNote, type NoteSigner } from '@gateway/proof';
import { shardLabel, shards, type ShardName } from '#src/shards.ts';

/** A text of each shard, by its label. */
export type TextsByShard = Readonly<Record<string, string>>;

/** The name of a shard's log in every checkpoint. */
export function originOf(host: string, shard: ShardName): string {
  return `${host}/ledger/${shardLabel(shard)}`;
}

/** What a private key signs as, for each shard. */
export function signersOf(host: string, privateKey: KeyObject): ReadonlyMap<string, NoteSigner> {
  return new Map(shards.map((shard) => [shardLabel(shard), noteSigner(originOf(host, shard), privateKey)]));
}

/** What verifiers are given of a key, as it is stored. */
export function publicKeysOf(signers: ReadonlyMap<string, NoteSigner>): string {
  return JSON.stringify(Object.fromEntries([...signers].map(([label, { text }]) => [label, text])));
}

/**
 * Notes by one key that name another, as they are stored. Their second line is no size, so that none can be taken for a
 * checkpoint.
 *
 * @param isSignedByBoth the other one shows that it is held; one of ML-DSA-44 signs checkpoints alone, and shows it there
 */
export function endorsementsOf(
  before: ReadonlyMap<string, NoteSigner>,
  after: ReadonlyMap<string, NoteSigner>,
  isSignedByBoth: boolean,
): string {
  const notes = [...before].flatMap(([label, by]) => {
    const named = after.get(label);
    if (!named) return [];
    const note = signNote(`${by.name}\nnext key\n${named.text}\n`, isSignedByBoth ? [by, named] : [by]);
    return [[label, note] as const];
  });
  return JSON.stringify(Object.fromEntries(notes));
}
