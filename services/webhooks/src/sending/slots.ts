import type { Pool } from '#src/lanes/claim.ts';

/** Calls under way at the same time, by budget (`domain/webhooks.md` 9.4). */
export interface Budgets {
  readonly fast: number;
  readonly suspect: number;
  readonly slow: number;
}

export const budgetsDefault: Budgets = { fast: 384, suspect: 128, slow: 2_048 };

/** A call that takes this long leaves its budget: a waiting socket is cheap, the place of a quick call is not. */
const slowAfterMs = 1_000;

export interface Slot {
  readonly takenAtMs: number;
  budget: Pool | 'slow';
}

/** Who may start a call. Calls of receivers that answer at once never wait for those of receivers that do not. */
export class Slots {
  readonly #budgets: Budgets;
  /** In the order they were taken, so that the oldest come first. */
  readonly #taken: Readonly<Record<keyof Budgets, Set<Slot>>> = {
    fast: new Set(),
    suspect: new Set(),
    slow: new Set(),
  };

  constructor(budgets: Budgets = budgetsDefault) {
    this.#budgets = budgets;
  }

  /** As many slots as there are of those wanted. */
  takeUpTo(pool: Pool, wanted: number, nowMs: number): Slot[] {
    const count = Math.max(Math.min(this.free(pool), wanted), 0);
    return Array.from({ length: count }, () => this.take(pool, nowMs));
  }

  free(budget: keyof Budgets): number {
    return this.#budgets[budget] - this.#taken[budget].size;
  }

  inUse(budget: keyof Budgets): number {
    return this.#taken[budget].size;
  }

  take(pool: Pool, nowMs: number): Slot {
    const slot: Slot = { takenAtMs: nowMs, budget: pool };
    this.#taken[pool].add(slot);
    return slot;
  }

  release(slot: Slot): void {
    this.#taken[slot.budget].delete(slot);
  }

  /** Moves calls that have become slow, as far as there is room for them. */
  moveSlow(nowMs: number): void {
    for (const pool of ['fast', 'suspect'] as const) {
      for (const slot of this.#taken[pool]) {
        if (nowMs - slot.takenAtMs < slowAfterMs || this.free('slow') <= 0) break;
        this.#taken[pool].delete(slot);
        slot.budget = 'slow';
        this.#taken.slow.add(slot);
      }
    }
  }
}
