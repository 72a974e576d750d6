import type { Caller, RateLimit } from '@gateway/contracts';
import { TokenBucket, type RateDecision } from '#src/limits/token-bucket.ts';

/** Above this number of keys, those that rest are dropped. */
const restingKeysMax = 10_000;

interface Metered {
  readonly bucket: TokenBucket;
  limit: RateLimit;
}

/** The request rate of each key (api.md 1). Only keys that have authenticated are metered. */
export class KeyLimits {
  readonly #metered = new Map<string, Metered>();

  take({ publicKey, account }: Caller, now: number): RateDecision {
    const metered = this.#meteredFor(publicKey, account.rateLimit, now);
    metered.limit = account.rateLimit;
    return metered.bucket.take(account.rateLimit, now);
  }

  #meteredFor(publicKey: string, limit: RateLimit, now: number): Metered {
    const known = this.#metered.get(publicKey);
    if (known) return known;
    if (this.#metered.size >= restingKeysMax) this.#dropResting(now);
    const metered = { bucket: new TokenBucket(limit, now), limit };
    this.#metered.set(publicKey, metered);
    return metered;
  }

  #dropResting(now: number): void {
    for (const [publicKey, { bucket, limit }] of this.#metered) {
      if (bucket.isFull(limit, now)) this.#metered.delete(publicKey);
    }
  }
}
