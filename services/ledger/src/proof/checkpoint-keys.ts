import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { noteSigner, signNote, type NoteSigner } from '@gateway/proof';
import type { Database, Tx } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { shardLabel, shards, type ShardName } from '#src/shards.ts';

/** A key with which one shard's checkpoints are signed, or were until it was replaced. */
export interface PublicKey {
  readonly number: number;
  /** What verifiers are given: name, id and key. */
  readonly text: string;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
  /** A note by the key before it that names this one; null for the first. */
  readonly endorsement: string | null;
}

interface KeyRow {
  readonly number: number;
  readonly host: string;
  readonly publicKeys: Readonly<Record<string, string>>;
  readonly sealed: string | null;
  readonly endorsements: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

const columns = `number, host, public_keys as "publicKeys", sealed, endorsements, created_at as "createdAt",
  retired_at as "retiredAt"`;

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
    const { sealed, signers } = this.#newKey(1, host);
    await this.#database.query(
      `insert into checkpoint_key (number, host, public_keys, sealed, created_at) values (1, $1, $2, $3, $4)
       on conflict (number) do nothing`,
      [host, publicKeysOf(signers), sealed, now],
    );
  }

  /** The key that signs now, for one shard. */
  async signer(shard: ShardName): Promise<{ readonly number: number; readonly signer: NoteSigner }> {
    const key = await this.#inUse((text) => this.#database.query<KeyRow>(text));
    return { number: key.number, signer: noteSigner(originOf(key.host, shard), this.#privateKey(key)) };
  }

  /** All keys of a shard, the oldest first. */
  async list(shard: ShardName): Promise<PublicKey[]> {
    const rows = await this.#database.query<KeyRow>(`select ${columns} from checkpoint_key order by number`);
    return rows.map(({ number, publicKeys, createdAt, retiredAt, endorsements }) => ({
      number,
      text: publicKeys[shardLabel(shard)] ?? '',
      createdAt,
      retiredAt,
      endorsement: endorsements?.[shardLabel(shard)] ?? null,
    }));
  }

  /**
   * Puts a new key in the place of the one that signs, which endorses it and is then forgotten.
   *
   * @param replaces the key it is decided for; nothing changes where another signs by now
   */
  async rotate(now: Date, replaces: number | null = null): Promise<void> {
    await this.#database.transaction(async (tx: Tx) => {
      const old = await this.#lockInUse(tx);
      if (replaces !== null && old.number !== replaces) return;
      const number = old.number + 1;
      const { sealed, signers } = this.#newKey(number, old.host);
      const oldKey = this.#privateKey(old);
      const endorsements = shards.map((shard, index) => {
        const [before, after] = [noteSigner(originOf(old.host, shard), oldKey), signers[index]];
        return [shardLabel(shard), after ? endorsementOf(before, after) : ''];
      });
      await tx.sql('update checkpoint_key set sealed = null, retired_at = $2 where number = $1', [old.number, now]);
      await tx.sql(
        `insert into checkpoint_key (number, host, public_keys, sealed, endorsements, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [number, old.host, publicKeysOf(signers), sealed, JSON.stringify(Object.fromEntries(endorsements)), now],
      );
    });
  }

  /** One that waited for another rotation finds the row retired, and looks again for the key that came in its place. */
  async #lockInUse(tx: Tx): Promise<KeyRow> {
    await tx.sql('lock table checkpoint_key in share row exclusive mode');
    return await this.#inUse((text) => tx.sql<KeyRow>(text));
  }

  async #inUse(query: (text: string) => Promise<KeyRow[]>): Promise<KeyRow> {
    const [key] = await query(`select ${columns} from checkpoint_key where retired_at is null`);
    if (!key) throw new Error('there is no key to sign checkpoints with');
    return key;
  }

  #newKey(number: number, host: string): { readonly sealed: string; readonly signers: readonly NoteSigner[] } {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const signers = shards.map((shard) => noteSigner(originOf(host, shard), privateKey));
    return { sealed: this.#box.seal(pem, purposeOf(number)), signers };
  }

  #privateKey({ number, sealed }: KeyRow): KeyObject {
    if (sealed === null) throw new Error(`key ${number} of checkpoints was replaced`);
    return createPrivateKey(this.#box.open(sealed, purposeOf(number)));
  }
}

/** The name of a shard's log in every checkpoint. */
function originOf(host: string, shard: ShardName): string {
  return `${host}/ledger/${shardLabel(shard)}`;
}

function purposeOf(number: number): string {
  return `checkpoint-key:${number}`;
}

function publicKeysOf(signers: readonly NoteSigner[]): string {
  return JSON.stringify(Object.fromEntries(shards.map((shard, index) => [shardLabel(shard), signers[index]?.text])));
}

/** Its second line is no size, so it cannot be taken for a checkpoint. Both keys sign: the new one shows that it is held. */
function endorsementOf(before: NoteSigner, after: NoteSigner): string {
  return signNote(`${before.name}\nnext key\n${after.text}\n`, [before, after]);
}
