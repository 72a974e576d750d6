import type { RateLimit } from '@gateway/contracts/accounts';

/** What is answered to a caller about its limit, and whether the request may go on. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Most requests that can be made at once. */
  readonly limit: number;
  /** Requests that can still be made at once. */
  readonly remaining: number;
  /** Seconds until the whole burst is there again. */
  readonly resetSec: number;
  /** Seconds until the next request may be made; 0 when it may be made now. */
  readonly retryAfterSec: number;
}

/** Lets `burst` requests pass at once and `perSecond` on average. Times are monotonic milliseconds. */
export class TokenBucket {
  #tokens: number;
  #refilledAt: number;

  constructor(limit: RateLimit, now: number) {
    this.#tokens = limit.burst;
    this.#refilledAt = now;
  }

  /** Takes one token. The limit is passed each time: it may have been changed since the last request. */
  take({ perSecond, burst }: RateLimit, now: number): RateDecision {
    const refilled = this.#tokens + ((now - this.#refilledAt) * perSecond) / 1_000;
    this.#tokens = Math.min(burst, refilled);
    this.#refilledAt = now;
    const allowed = this.#tokens >= 1;
    if (allowed) this.#tokens -= 1;
    return {
      allowed,
      limit: burst,
      remaining: Math.max(0, Math.floor(this.#tokens)),
      resetSec: Math.ceil((burst - this.#tokens) / perSecond),
      retryAfterSec: this.#tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - this.#tokens) / perSecond)),
    };
  }

  /** Whole seconds until a token is there; 0 when there is one. Takes none. */
  waitSec({ perSecond, burst }: RateLimit, now: number): number {
    const tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) * perSecond) / 1_000);
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond));
  }

  /** Takes tokens for requests that have passed elsewhere; a bucket that owes lets nothing pass until it is refilled. */
  spend(count: number): void {
    this.#tokens -= count;
  }

  /** True when a new bucket would be the same. */
  isFull({ perSecond, burst }: RateLimit, now: number): boolean {
    return this.#tokens + ((now - this.#refilledAt) * perSecond) / 1_000 >= burst;
  }
}
