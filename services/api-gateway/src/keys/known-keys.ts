import type { KnownKey } from '#src/keys/load-key.ts';

const keysMax = 50_000;
/** Longest time a key is remembered, watched or not. */
const lifetimeMs = 30_000;
/** How long memory may be believed after the database was last asked: the second of a revocation, less a margin. */
const believedMs = 900;
/** After a longer silence a round of watching may have missed changes. */
const silenceMaxMs = 30_000;

interface Remembered {
  readonly key: KnownKey;
  readonly loadedAt: number;
}

/** Keys remembered from the database, believed only while somebody keeps watching for changes. Times are monotonic ms. */
export class KnownKeys {
  readonly #keys = new Map<string, Remembered>();
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
  }

  deleteAccount(accountId: string): void {
    for (const [publicKey, { key }] of this.#keys)
      if (key.caller.account.id === accountId) this.#keys.delete(publicKey);
  }
}
