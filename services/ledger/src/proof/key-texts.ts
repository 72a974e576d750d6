import type { KeyObject } from 'node:crypto';
import { noteSigner, signNote, textSigner, type NoteSigner } from '@gateway/proof';
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
 * Notes that name a key, signed by others, as they are stored. Their second line is no size, so that none can be taken for a
 * checkpoint.
 *
 * @param by the private keys that sign them, the first key first
 */
export function endorsementsOf(host: string, named: KeyObject, by: readonly KeyObject[]): string {
  const notes = [...signersOf(host, named)].map(([label, { name, text }]) => {
    const signers = by.map((privateKey) => textSigner(name, privateKey));
    return [label, signNote(`${name}\nnext key\n${text}\n`, signers)] as const;
  });
  return JSON.stringify(Object.fromEntries(notes));
}
