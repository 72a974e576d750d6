import type { RateLimit } from '@gateway/contracts/accounts';
import { TokenBucket } from '#src/limits/token-bucket.ts';

/** Bytes that an account may have in the log of an environment: so many at once, and so many more a second. */
const quota: RateLimit = { burst: 16 * 1_024 * 1_024, perSecond: 2 * 1_024 };
/** What succeeded leaves this much to what was refused, which is what people look for. */
const keptForRefusals = quota.burst / 2;
/** Above this number of accounts, those that rest are dropped. */
const restingMax = 10_000;

interface Counted {
  readonly accountId: string;
  readonly environment: string;
  readonly status: number;
  /** That its row takes. */
  readonly bytes: number;
}

/**
 * How much of the log each account fills, by environment: a program in a loop fills its own part, and neither the disk nor the
 * time in which the requests of others are written. Each gateway counts for itself. Times are monotonic milliseconds.
 */
export class LogQuota {
  readonly #buckets = new Map<string, TokenBucket>();

  /** Whether a request is still logged, which then is counted. */
  take({ accountId, environment, status, bytes }: Counted, now: number): boolean {
    const bucket = this.#bucketOf(`${environment} ${accountId}`, now);
    const { allowed, remaining } = bucket.take(quota, now);
    if (!allowed || (status < 400 && remaining < keptForRefusals)) return false;
    bucket.spend(bytes);
    return true;
  }

  #bucketOf(name: string, now: number): TokenBucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    if (this.#buckets.size >= restingMax) this.#dropResting(now);
    const bucket = new TokenBucket(quota, now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #dropResting(now: number): void {
    for (const [name, bucket] of this.#buckets) if (bucket.isFull(quota, now)) this.#buckets.delete(name);
  }
}
