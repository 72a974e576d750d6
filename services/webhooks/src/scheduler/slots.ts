import type { Pool } from '#src/queue/claim.ts';

/** Calls under way at the same time, by budget (webhooks.md 5). */
export interface Budgets {
  readonly fast: number;
  readonly suspect: number;
  readonly slow: number;
}

export const budgetsDefault: Budgets = { fast: 384, suspect: 128, slow: 2_048 };

/** What of each budget the calls of one account may take, through all of its endpoints and callback URLs. */
const accountShare = 1 / 4;

/** A call that takes this long leaves its budget: a waiting socket is cheap, the place of a quick call is not. */
const slowAfterMs = 1_000;

export interface Slot {
  readonly takenAtMs: number;
  /** Environment and account whose call it is; none of places kept for deliveries that are about to be written. */
  readonly owner: string | null;
  budget: Pool | 'slow';
}

/**
 * Who may start a call. Calls of receivers that answer at once never wait for those of receivers that do not, and those of
 * one account leave room for everybody else's.
 */
export class Slots {
  readonly #budgets: Budgets;
  /** In the order they were taken, so that the oldest come first. */
  readonly #taken: Readonly<Record<keyof Budgets, Set<Slot>>> = {
    fast: new Set(),
    suspect: new Set(),
    slow: new Set(),
  };
  /** How many of each budget an account has, while it has any. */
  readonly #byOwner: Readonly<Record<keyof Budgets, Map<string, number>>> = {
    fast: new Map(),
    suspect: new Map(),
    slow: new Map(),
  };

  constructor(budgets: Budgets = budgetsDefault) {
    this.#budgets = budgets;
  }

  /** As many slots as there are of those wanted. */
  takeUpTo(pool: Pool, wanted: number, nowMs: number): Slot[] {
    const count = Math.max(Math.min(this.free(pool), wanted), 0);
    return Array.from({ length: count }, () => this.take(pool, nowMs, null));
  }

  /** How many more calls of an account the budget has room for, as long as it has any. */
  freeOf(budget: keyof Budgets, owner: string): number {
    return this.#shareOf(budget) - (this.#byOwner[budget].get(owner) ?? 0);
  }

  /** Accounts that have their whole share of the budget. */
  ownersAtShare(budget: keyof Budgets): string[] {
    return [...this.#byOwner[budget].keys()].filter((owner) => this.freeOf(budget, owner) <= 0);
  }

  free(budget: keyof Budgets): number {
    return this.#budgets[budget] - this.#taken[budget].size;
  }

  inUse(budget: keyof Budgets): number {
    return this.#taken[budget].size;
  }

  take(pool: Pool, nowMs: number, owner: string | null): Slot {
    const slot: Slot = { takenAtMs: nowMs, owner, budget: pool };
    this.#add(slot);
    return slot;
  }

  release(slot: Slot): void {
    this.#remove(slot);
  }

  /** Moves calls that have become slow, as far as there is room for them. */
  moveSlow(nowMs: number): void {
    for (const pool of ['fast', 'suspect'] as const) {
      for (const slot of this.#taken[pool]) {
        if (nowMs - slot.takenAtMs < slowAfterMs || this.free('slow') <= 0) break;
        if (slot.owner !== null && this.freeOf('slow', slot.owner) <= 0) continue;
        this.#remove(slot);
        slot.budget = 'slow';
        this.#add(slot);
      }
    }
  }

  #shareOf(budget: keyof Budgets): number {
    return Math.max(Math.floor(this.#budgets[budget] * accountShare), 1);
  }

  #add(slot: Slot): void {
    this.#taken[slot.budget].add(slot);
    this.#count(slot, 1);
  }

  #remove(slot: Slot): void {
    if (this.#taken[slot.budget].delete(slot)) this.#count(slot, -1);
  }

  #count({ owner, budget }: Slot, change: 1 | -1): void {
    if (owner === null) return;
    const counts = this.#byOwner[budget];
    const count = (counts.get(owner) ?? 0) + change;
    if (count > 0) counts.set(owner, count);
    else counts.delete(owner);
  }
}
