import type { ClaimPool } from '#src/queue/claim.ts';

/** Calls that may be under way at once, by pool (webhooks.md 5). */
export interface PermitCounts {
  readonly fast: number;
  readonly suspect: number;
  readonly slow: number;
}
type PermitPool = keyof PermitCounts;

export const permitCountsDefault: PermitCounts = { fast: 384, suspect: 128, slow: 2_048 };

/** The part of each pool that one account may take, through all of its endpoints and callback URLs. */
const accountShare = 1 / 4;
/** A call that takes this long moves to the slow pool: an open socket costs little, a permit of a quick call much. */
const slowAfterMs = 1_000;
/** A waiter goes on waiting while calls end, but not longer than so many times its timeout. */
const waitTimeoutsMax = 4;

export interface Permit {
  readonly acquiredAtMs: number;
  /** Environment and account whose call it is; null for a permit that is reserved for deliveries to be written. */
  readonly accountKey: string | null;
  pool: PermitPool;
}

interface Waiter {
  readonly calls: number;
  readonly resolve: () => void;
  readonly refresh: () => void;
}

/**
 * Semaphores of the calls of this process. Quick calls never wait for slow ones, since these move to a pool of their own,
 * and the calls of one account leave permits for all others.
 */
export class PermitPools {
  readonly #counts: PermitCounts;
  /** In the order they were acquired, so that the oldest come first. */
  readonly #acquired: Readonly<Record<PermitPool, Set<Permit>>> = {
    fast: new Set(),
    suspect: new Set(),
    slow: new Set(),
  };
  /** Permits of each account, while it has any. */
  readonly #byAccount: Readonly<Record<PermitPool, Map<string, number>>> = {
    fast: new Map(),
    suspect: new Map(),
    slow: new Map(),
  };
  #waiter: Waiter | undefined;

  constructor(counts: PermitCounts = permitCountsDefault) {
    this.#counts = counts;
  }

  /** As many permits as are left of those wanted. */
  acquireUpTo(pool: ClaimPool, wanted: number, nowMs: number): Permit[] {
    const count = Math.max(Math.min(this.available(pool), wanted), 0);
    return Array.from({ length: count }, () => this.acquire(pool, nowMs, null));
  }

  /** Permits an account may still take of a pool, as long as the pool has any. */
  availableTo(pool: PermitPool, accountKey: string): number {
    return this.#shareOf(pool) - (this.#byAccount[pool].get(accountKey) ?? 0);
  }

  /** Accounts that have their whole share of the pool. */
  accountsAtShare(pool: PermitPool): string[] {
    return [...this.#byAccount[pool].keys()].filter((accountKey) => this.availableTo(pool, accountKey) <= 0);
  }

  available(pool: PermitPool): number {
    return this.#counts[pool] - this.#acquired[pool].size;
  }

  inUse(pool: PermitPool): number {
    return this.#acquired[pool].size;
  }

  acquire(pool: ClaimPool, nowMs: number, accountKey: string | null): Permit {
    const permit: Permit = { acquiredAtMs: nowMs, accountKey, pool };
    this.#add(permit);
    return permit;
  }

  release(permit: Permit): void {
    this.#remove(permit);
  }

  /** Moves calls that have become slow to the slow pool, as far as it has permits for them and for their accounts. */
  moveSlow(nowMs: number): void {
    for (const pool of ['fast', 'suspect'] as const) {
      for (const permit of this.#acquired[pool]) {
        if (nowMs - permit.acquiredAtMs < slowAfterMs || this.available('slow') <= 0) break;
        if (permit.accountKey !== null && this.availableTo('slow', permit.accountKey) <= 0) continue;
        this.#remove(permit);
        permit.pool = 'slow';
        this.#add(permit);
      }
    }
  }

  /** Resolves when so many quick calls could start at once, or when no call has ended for so long. */
  async waitFor(calls: number, timeoutMs: number): Promise<void> {
    if (this.available('fast') >= calls || this.#waiter) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    const latestMs = performance.now() + timeoutMs * waitTimeoutsMax;
    this.#waiter = { calls, resolve, refresh: () => void (performance.now() < latestMs && timer.refresh()) };
    await promise.finally(() => {
      clearTimeout(timer);
      this.#waiter = undefined;
    });
  }

  /** Calls have ended: the waiter may find enough permits, and waits on otherwise. */
  notifyWaiter(): void {
    this.#waiter?.refresh();
    if (this.#waiter && this.available('fast') >= this.#waiter.calls) this.#waiter.resolve();
  }

  #shareOf(pool: PermitPool): number {
    return Math.max(Math.floor(this.#counts[pool] * accountShare), 1);
  }

  #add(permit: Permit): void {
    this.#acquired[permit.pool].add(permit);
    this.#count(permit, 1);
  }

  #remove(permit: Permit): void {
    if (this.#acquired[permit.pool].delete(permit)) this.#count(permit, -1);
  }

  #count({ accountKey, pool }: Permit, change: 1 | -1): void {
    if (accountKey === null) return;
    const counts = this.#byAccount[pool];
    const count = (counts.get(accountKey) ?? 0) + change;
    if (count > 0) counts.set(accountKey, count);
    else counts.delete(accountKey);
  }
}
