/** However many calls a page took. */
const madeUpMinutesMax = 5;

/**
 * How many questions a provider is asked by lists and open items, per process. The budget may delay a reading, and skips
 * none: who gets no call asks again at the next round.
 */
export class CallBudget {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #left = new Map<string, { calls: number; atMs: number }>();

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
    const { calls, atMs } = this.#refilled(provider);
    const isLeft = this.#beyond(calls, shareLeft) >= 1;
    this.#left.set(provider, { calls: isLeft ? calls - 1 : calls, atMs });
    return isLeft;
  }

  /** Counts calls that were made besides those that were taken, as of a page that took several. They are made up for by waiting. */
  spend(provider: string, count: number): void {
    if (count <= 0) return;
    const { calls, atMs } = this.#refilled(provider);
    this.#left.set(provider, { calls: Math.max(calls - count, -madeUpMinutesMax * this.#perMinute), atMs });
  }

  /** How many calls `take` would give now. */
  left(provider: string, shareLeft: number): number {
    return Math.max(0, Math.floor(this.#beyond(this.#refilled(provider).calls, shareLeft)));
  }

  #beyond(calls: number, shareLeft: number): number {
    return calls - this.#perMinute * shareLeft;
  }

  #refilled(provider: string): { calls: number; atMs: number } {
    const atMs = this.#now();
    const before = this.#left.get(provider) ?? { calls: this.#perMinute, atMs };
    const refilled = before.calls + ((atMs - before.atMs) / 60_000) * this.#perMinute;
    return { calls: Math.min(this.#perMinute, refilled), atMs };
  }
}
