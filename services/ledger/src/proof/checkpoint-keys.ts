import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { noteSigner, type NoteSigner } from '@gateway/proof';
import type { Database, Tx } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { endorsementsOf, originOf, publicKeysOf, signersOf, type TextsByShard } from '#src/proof/key-texts.ts';
import { shardLabel, type ShardName } from '#src/shards.ts';

/** A key with which one shard's checkpoints are signed, or were until it was replaced. */
export interface PublicKey {
  readonly number: number;
  /** What verifiers are given: name, id and key. */
  readonly text: string;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
  /** A note by the key before it that names this one; null for the first. */
  readonly endorsement: string | null;
  /** The key of ML-DSA-44 that signs beside it; null until it signs, and of one that an earlier version has replaced. */
  readonly second: SecondPublicKey | null;
}

export interface SecondPublicKey {
  readonly text: string;
  readonly createdAt: Date;
  /** A note by the key that it is beside, and by the second key before it where there was one. */
  readonly endorsement: string;
}

/** What signs the checkpoints of a shard. */
interface Signing {
  readonly number: number;
  /** The name of the log. */
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
}

interface KeyRow {
  readonly number: number;
  readonly host: string;
  readonly publicKeys: TextsByShard;
  readonly sealed: string | null;
  readonly endorsements: TextsByShard | null;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
  /** Of the second key; null without one. */
  readonly secondKeys: TextsByShard | null;
  readonly secondSealed: string | null;
  readonly secondEndorsements: TextsByShard | null;
  readonly secondCreatedAt: Date | null;
}

/** A key that was just made. */
interface NewKey {
  readonly number: number;
  readonly host: string;
  readonly privateKey: KeyObject;
  readonly now: Date;
}

const keysSql = `
  select number, host, k.public_keys as "publicKeys", k.sealed, k.endorsements, k.created_at as "createdAt",
    k.retired_at as "retiredAt", s.public_keys as "secondKeys", s.sealed as "secondSealed",
    s.endorsements as "secondEndorsements", s.created_at as "secondCreatedAt"
  from checkpoint_key k left join checkpoint_second_key s using (number)`;

/**
 * The keys that sign checkpoints, shared by all replicas through the database and read for every signature: a key that
 * was replaced stops signing everywhere.
 */
export class CheckpointKeys {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    this.#database = database;
    this.#box = box;
  }

  /**
   * Makes the first key. The host becomes a part of the name of each log and stays it, whatever the gateway's address is
   * later: proofs are verified against that name.
   */
  async ensureOne(host: string, now: Date): Promise<void> {
    const { privateKey } = generateKeyPairSync('ed25519');
    const first = { number: 1, host, privateKey, now };
    await this.#database.transaction(async (tx) => {
      const made = await tx.sql(
        `insert into checkpoint_key (number, host, public_keys, sealed, created_at) values (1, $1, $2, $3, $4)
         on conflict (number) do nothing returning number`,
        [host, publicKeysOf(signersOf(host, privateKey)), this.#seal(privateKey, purposeOf(1)), now],
      );
      if (made.length > 0) await this.#addSecond(tx, first);
    });
  }

  /** The keys that sign now, for one shard: Ed25519, and ML-DSA-44 beside it. */
  async signers(shard: ShardName): Promise<Signing> {
    const known = await this.#inUse((text) => this.#database.query<KeyRow>(text));
    const key = known.secondSealed === null ? await this.#completed() : known;
    const { number, host, sealed, secondSealed } = key;
    const origin = originOf(host, shard);
    const privateKeys = [this.#open(sealed, purposeOf(number)), this.#open(secondSealed, secondPurposeOf(number))];
    return { number, origin, signers: privateKeys.map((each) => noteSigner(origin, each)) };
  }

  /** All keys of a shard, the oldest first. */
  async list(shard: ShardName): Promise<PublicKey[]> {
    const label = shardLabel(shard);
    const rows = await this.#database.query<KeyRow>(`${keysSql} order by number`);
    return rows.map((row) => ({
      number: row.number,
      text: row.publicKeys[label] ?? '',
      createdAt: row.createdAt,
      retiredAt: row.retiredAt,
      endorsement: row.endorsements?.[label] ?? null,
      second: row.secondCreatedAt && {
        text: row.secondKeys?.[label] ?? '',
        createdAt: row.secondCreatedAt,
        endorsement: row.secondEndorsements?.[label] ?? '',
      },
    }));
  }

  /**
   * Puts a new key in the place of the one that signs, which endorses it and is then forgotten, as the second
   * key does with the one in its place.
   *
   * @param replaces the key it is decided for; nothing changes where another signs by now
   */
  async rotate(now: Date, replaces: number | null = null): Promise<void> {
    await this.#database.transaction(async (tx: Tx) => {
      const old = await this.#lockInUse(tx);
      if (replaces !== null && old.number !== replaces) return;
      const { privateKey } = generateKeyPairSync('ed25519');
      const [number, host] = [old.number + 1, old.host];
      const before = this.#open(old.sealed, purposeOf(old.number));
      const secondBefore =
        old.secondSealed === null ? undefined : this.#open(old.secondSealed, secondPurposeOf(old.number));
      // The new key signs it too, and shows that it is held; a second one shows that by the checkpoints it signs.
      const endorsements = endorsementsOf(host, privateKey, [before, privateKey]);
      const sealed = this.#seal(privateKey, purposeOf(number));
      await tx.sql('update checkpoint_key set sealed = null, retired_at = $2 where number = $1', [old.number, now]);
      await forgetSecond(tx, number);
      await tx.sql(
        `insert into checkpoint_key (number, host, public_keys, sealed, endorsements, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [number, host, publicKeysOf(signersOf(host, privateKey)), sealed, endorsements, now],
      );
      await this.#addSecond(tx, { number, host, privateKey, now }, secondBefore);
    });
  }

  /** The key that signs, with the second one that it may not have from an earlier version. */
  async #completed(): Promise<KeyRow> {
    return await this.#database.transaction(async (tx) => {
      const { number, host, sealed, secondSealed } = await this.#lockInUse(tx);
      const privateKey = this.#open(sealed, purposeOf(number));
      if (secondSealed === null) {
        await forgetSecond(tx, number);
        await this.#addSecond(tx, { number, host, privateKey, now: new Date() });
      }
      return await this.#inUse((text) => tx.sql<KeyRow>(text));
    });
  }

  /** @param before the second key of the one that was replaced, if it had one: who trusts ML-DSA-44 alone goes by it */
  async #addSecond(tx: Tx, { number, host, privateKey, now }: NewKey, before?: KeyObject): Promise<void> {
    const second = generateKeyPairSync('ml-dsa-44').privateKey;
    const publicKeys = publicKeysOf(signersOf(host, second));
    const endorsements = endorsementsOf(host, second, before ? [privateKey, before] : [privateKey]);
    await tx.sql(
      `insert into checkpoint_second_key (number, public_keys, sealed, endorsements, created_at)
       values ($1, $2, $3, $4, $5)`,
      [number, publicKeys, this.#seal(second, secondPurposeOf(number)), endorsements, now],
    );
  }

  /** One that waited for another rotation finds the row retired, and looks again for the key that came in its place. */
  async #lockInUse(tx: Tx): Promise<KeyRow> {
    await tx.sql('lock table checkpoint_key in share row exclusive mode');
    return await this.#inUse((text) => tx.sql<KeyRow>(text));
  }

  async #inUse(query: (text: string) => Promise<KeyRow[]>): Promise<KeyRow> {
    const [key] = await query(`${keysSql} where k.retired_at is null`);
    if (!key) throw new Error('there is no key to sign checkpoints with');
    return key;
  }

  #seal(privateKey: KeyObject, purpose: string): string {
    return this.#box.seal(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), purpose);
  }

  #open(sealed: string | null, purpose: string): KeyObject {
    if (sealed === null) throw new Error(`the key ${purpose} was replaced`);
    return createPrivateKey(this.#box.open(sealed, purpose));
  }
}

/**
 * Second keys before this number sign no more. All of them: a process of an earlier version replaces a key without knowing of the
 * second one.
 */
async function forgetSecond(tx: Tx, number: number): Promise<void> {
  await tx.sql('update checkpoint_second_key set sealed = null where number < $1 and sealed is not null', [number]);
}

function purposeOf(number: number): string {
  return `checkpoint-key:${number}`;
}

function secondPurposeOf(number: number): string {
  return `checkpoint-second-key:${number}`;
}
