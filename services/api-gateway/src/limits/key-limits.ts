import type { Caller, KeySpending, RateLimit } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { TokenBucket, type RateDecision } from '#src/limits/token-bucket.ts';

/** Above this number of keys, those that rest are dropped. */
const restingKeysMax = 10_000;

interface Metered {
  readonly bucket: TokenBucket;
  limit: RateLimit;
}

/** Requests of a key that another gateway let pass. */
interface SpentElsewhere {
  readonly count: number;
  readonly limit: RateLimit;
  readonly now: number;
}

/** The request rate of each key (api.md 1). Only keys that have authenticated are metered. */
export class KeyLimits {
  readonly #metered = new Map<string, Metered>();
  #spent = new Map<string, number>();
  #onSpent: () => void = () => undefined;

  /** Calls this at the first request that passes after each draining. */
  set onSpent(onSpent: () => void) {
    this.#onSpent = onSpent;
  }

  take({ publicKey, account }: Caller, now: number): RateDecision {
    const metered = this.#meteredFor(publicKey, account.rateLimit, now);
    metered.limit = account.rateLimit;
    const decision = metered.bucket.take(account.rateLimit, now);
    if (!decision.allowed) return decision;
    const isFirst = this.#spent.size === 0;
    this.#spent.set(publicKey, (this.#spent.get(publicKey) ?? 0) + 1);
    if (isFirst) this.#onSpent();
    return decision;
  }

  spentElsewhere(publicKey: string, { count, limit, now }: SpentElsewhere): void {
    this.#meteredFor(publicKey, limit, now).bucket.spend(count);
  }

  /** What has passed here since this was last asked. */
  drainSpent(): KeySpending[] {
    const spent = this.#spent;
    this.#spent = new Map();
    return [...spent].flatMap(([publicKey, count]) => {
      const limit = this.#metered.get(publicKey)?.limit;
      return limit ? [{ publicKey, count, limit }] : [];
    });
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

/** @throws DomainError RATE_LIMITED, with the time after which the next request passes */
export function requireAllowed({ allowed, retryAfterSec }: RateDecision): void {
  if (allowed) return;
  throw new DomainError('RATE_LIMITED', 'the key sends more requests than its limit', { retryAfterSec });
}
