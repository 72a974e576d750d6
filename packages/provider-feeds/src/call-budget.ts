/** However many calls a page took. */
const madeUpMinutesMax = 5;
/**
 * A call that lists so many items costs nothing of the budget: each item has taken a call of its own when it was made, so
 * that reading them never is what a provider has most of.
 */
const itemsPerCall = 25;
/** Calls that are given back in a minute, at most so many times the budget: a list that never ends is read no faster. */
const givenBackTimes = 50;

interface Left {
  readonly calls: number;
  /** How many more may be given back. */
  readonly returnable: number;
  readonly atMs: number;
}

/**
 * How many questions a provider is asked by lists and open items, per process. The budget may delay a reading, and skips
 * none: who gets no call asks again at the next round. It bounds calls that bring little, of which there are as many on a
 * quiet day; those that bring full pages follow from how much is paid.
 */
export class CallBudget {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #left = new Map<string, Left>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Takes a call, if there is one left.
   *
   * @param shareLeft of the calls of a minute, those that are left to what is more urgent; a half for what is not urgent
   */
  take(provider: string, shareLeft = 0.5): boolean {
    const { calls, ...left } = this.#refilled(provider);
    const isLeft = this.#beyond(calls, shareLeft) >= 1;
    this.#left.set(provider, { ...left, calls: isLeft ? calls - 1 : calls });
    return isLeft;
  }

  /** Counts calls that were made besides those that were taken, as of a page that took several. They are made up for by waiting. */
  spend(provider: string, count: number): void {
    if (count <= 0) return;
    const { calls, ...left } = this.#refilled(provider);
    this.#left.set(provider, { ...left, calls: Math.max(calls - count, -madeUpMinutesMax * this.#perMinute) });
  }

  /** Gives back what calls have cost that listed many items. */
  giveBack(provider: string, { calls: made, items }: { readonly calls: number; readonly items: number }): void {
    const { calls, returnable, atMs } = this.#refilled(provider);
    const returned = Math.min(made, Math.floor(items / itemsPerCall), Math.floor(returnable));
    this.#left.set(provider, {
      ...{ calls: Math.min(this.#perMinute, calls + returned), returnable: returnable - returned, atMs },
    });
  }

  /** How many calls `take` would give now. */
  left(provider: string, shareLeft: number): number {
    return Math.max(0, Math.floor(this.#beyond(this.#refilled(provider).calls, shareLeft)));
  }

  #beyond(calls: number, shareLeft: number): number {
    return calls - this.#perMinute * shareLeft;
  }

  #refilled(provider: string): Left {
    const atMs = this.#now();
    const returnableMax = this.#perMinute * givenBackTimes;
    const before = this.#left.get(provider) ?? { calls: this.#perMinute, returnable: returnableMax, atMs };
    const minutes = (atMs - before.atMs) / 60_000;
    const refilled = (left: number, perMinute: number) => Math.min(perMinute, left + minutes * perMinute);
    return {
      calls: refilled(before.calls, this.#perMinute),
      returnable: refilled(before.returnable, returnableMax),
      atMs,
    };
  }
}
