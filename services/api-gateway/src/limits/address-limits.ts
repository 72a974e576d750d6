import type { RateLimit } from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { networkOf } from '@gateway/runtime/http';
import { TokenBucket, type RateDecision } from '#src/limits/token-bucket.ts';

/** Above this number of addresses, the one that was silent for longest begins anew. */
const addressesMax = 10_000;

/** The request rate of each address, for what can be asked without a key. Times are monotonic milliseconds. */
export class AddressLimits {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** @throws DomainError RATE_LIMITED, with the time after which the next request passes */
  spend(address: string, now: number): void {
    const { allowed, retryAfterSec } = this.count(address, now);
    if (!allowed) throw tooMany(retryAfterSec);
  }

  /** Like `spend`, for a request that is answered already. */
  count(address: string, now: number): RateDecision {
    const network = networkOf(address);
    const bucket = this.#buckets.get(network) ?? new TokenBucket(this.#limit, now);
    // Set anew, it is the last to be forgotten.
    this.#buckets.delete(network);
    this.#buckets.set(network, bucket);
    const [silent] = this.#buckets.keys();
    if (this.#buckets.size > addressesMax && silent !== undefined) this.#buckets.delete(silent);
    return bucket.take(this.#limit, now);
  }

  /**
   * Asks whether the next request would pass, and spends nothing.
   *
   * @throws DomainError RATE_LIMITED, like `spend`
   */
  require(address: string, now: number): void {
    const waitSec = this.#waitSec(address, now);
    if (waitSec > 0) throw tooMany(waitSec);
  }

  /** Like `require`, for who has something else to do first. */
  allows(address: string, now: number): boolean {
    return this.#waitSec(address, now) === 0;
  }

  #waitSec(address: string, now: number): number {
    return this.#buckets.get(networkOf(address))?.waitSec(this.#limit, now) ?? 0;
  }
}

function tooMany(retryAfterSec: number): DomainError {
  return new DomainError('RATE_LIMITED', 'the address sends more requests than its limit', { retryAfterSec });
}
