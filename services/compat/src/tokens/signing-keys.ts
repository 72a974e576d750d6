import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { accessTokenLifetimeSec } from '#src/tokens/access-token.ts';
import { SigningKey } from '#src/tokens/signing-key.ts';

/** As many as the digest of HS256 has (RFC 7518, 3.2). */
const secretBytes = 32;
/** How long one key signs: 30 days. */
const signingPeriodMs = 30 * 86_400_000;

export interface TokenKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/**
 * The keys of access tokens, shared by all replicas through the database. They are read for every token, never cached:
 * a key that is retired or removed stops working everywhere at once.
 */
export class SigningKeys {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    this.#database = database;
    this.#box = box;
  }

  /** Makes the first key. Replicas that start together agree on one: the database holds at most one that signs. */
  async ensureOne(now: Date): Promise<void> {
    const id = randomUUID();
    const sealed = this.#box.seal(randomBytes(secretBytes).toString('base64url'), purposeOf(id));
    await this.#database.query(
      `insert into signing_key (id, sealed, created_at) values ($1, $2, $3)
       on conflict ((true)) where retired_at is null do nothing`,
      [id, sealed, now],
    );
  }

  /**
   * Puts a new key in the place of one that has signed for long enough, and removes those whose tokens have all
   * expired. Replicas may all do so at once: one of them replaces the key, and there is one that signs at any time.
   *
   * @returns whether this call replaced it
   */
  async rotateWhenDue(now: Date): Promise<boolean> {
    const createdBefore = new Date(now.getTime() - signingPeriodMs);
    const retiredBefore = new Date(now.getTime() - accessTokenLifetimeSec * 1_000);
    return await this.#database.transaction(async (tx) => {
      await tx.sql('delete from signing_key where retired_at <= $1', [retiredBefore]);
      const retired = await tx.sql(
        'update signing_key set retired_at = $1 where retired_at is null and created_at <= $2 returning id',
        [now, createdBefore],
      );
      if (retired.length === 0) return false;
      const id = randomUUID();
      const sealed = this.#box.seal(randomBytes(secretBytes).toString('base64url'), purposeOf(id));
      await tx.sql('insert into signing_key (id, sealed, created_at) values ($1, $2, $3)', [id, sealed, now]);
      return true;
    });
  }

  /** The key that signs new tokens. */
  async current(): Promise<TokenKey> {
    return this.#opened(await this.#database.reader().findOneOrFail(SigningKey, { retiredAt: null }));
  }

  /** The key of that id as long as a token it signed can still be in force. */
  async find(id: string, now: Date): Promise<TokenKey | undefined> {
    const retiredAfter = new Date(now.getTime() - accessTokenLifetimeSec * 1_000);
    const inForce = { $or: [{ retiredAt: null }, { retiredAt: { $gt: retiredAfter } }] };
    const found = await this.#database.reader().findOne(SigningKey, { id, ...inForce });
    return found ? this.#opened(found) : undefined;
  }

  #opened({ id, sealed }: { readonly id: string; readonly sealed: string }): TokenKey {
    return { id, secret: Buffer.from(this.#box.open(sealed, purposeOf(id)), 'base64url') };
  }
}

function purposeOf(keyId: string): string {
  return `signing-key:${keyId}`;
}
