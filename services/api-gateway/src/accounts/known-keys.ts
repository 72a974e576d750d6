import type { KnownKey } from '#src/accounts/load-key.ts';

const keysMax = 50_000;
const missingMax = 10_000;
/** Longest time a key is remembered, watched or not. */
const lifetimeMs = 30_000;
/** How long memory may be believed after the database was last asked: the second of a revocation, less a margin. */
const believedMs = 900;
/** How long it is remembered that there is no such key: the same question costs what one about a known key costs. */
const missingMs = 900;
/** After a longer silence a round of watching may have missed changes. */
const silenceMaxMs = 30_000;

interface Remembered {
  readonly key: KnownKey;
  readonly loadedAt: number;
}

/** Keys remembered from the database, believed only while changes are watched for. Times are monotonic ms. */
export class KnownKeys {
  readonly #keys = new Map<string, Remembered>();
  /** When it was asked for keys that do not exist. */
  readonly #missing = new Map<string, number>();
  #confirmedAt = Number.NEGATIVE_INFINITY;

  get(publicKey: string, now: number): KnownKey | undefined {
    const remembered = this.#keys.get(publicKey);
    if (!remembered) return undefined;
    const { key, loadedAt } = remembered;
    const checkedAt = Math.max(loadedAt, this.#confirmedAt);
    return now - checkedAt < believedMs && now - loadedAt < lifetimeMs ? key : undefined;
  }

  /** @param loadedAt when the query began: what changed after it is not in the answer */
  add(key: KnownKey, loadedAt: number): void {
    const { publicKey } = key.caller;
    this.#keys.delete(publicKey);
    this.#keys.set(publicKey, { key, loadedAt });
    if (this.#keys.size <= keysMax) return;
    for (const oldest of this.#keys.keys()) {
      this.#keys.delete(oldest);
      break;
    }
  }

  /** Whether the key was in force when it was last asked for, however long ago; it may have been revoked since. */
  has(publicKey: string): boolean {
    return this.#keys.has(publicKey);
  }

  /** Whether it was found a moment ago that there is no such key in force. */
  isMissing(publicKey: string, now: number): boolean {
    return now - (this.#missing.get(publicKey) ?? Number.NEGATIVE_INFINITY) < missingMs;
  }

  /** @param askedAt when the query began */
  addMissing(publicKey: string, askedAt: number): void {
    this.#keys.delete(publicKey);
    this.#missing.delete(publicKey);
    this.#missing.set(publicKey, askedAt);
    const [oldest] = this.#missing.keys();
    if (this.#missing.size > missingMax && oldest !== undefined) this.#missing.delete(oldest);
  }

  /** What is still here was true at that time: everything that had changed by then has been deleted. */
  confirm(at: number): void {
    if (at - this.#confirmedAt > silenceMaxMs) this.#keys.clear();
    this.#confirmedAt = at;
  }

  /** True when the key or its account has changed since the key was loaded. */
  isOlder(publicKey: string, { keyVersion, accountVersion }: Pick<KnownKey, 'keyVersion' | 'accountVersion'>): boolean {
    const key = this.#keys.get(publicKey)?.key;
    return key !== undefined && (key.keyVersion !== keyVersion || key.accountVersion !== accountVersion);
  }

  delete(publicKey: string): void {
    this.#keys.delete(publicKey);
    this.#missing.delete(publicKey);
  }

  deleteAccount(accountId: string): void {
    for (const [publicKey, { key }] of this.#keys)
      if (key.caller.account.id === accountId) this.#keys.delete(publicKey);
  }
}
