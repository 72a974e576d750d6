import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** More are left to the table, where they are due a little later. */
const waitingMax = 10_000;

/**
 * Carries payouts on from memory a moment after they were left, so that nothing has to be read, and nobody else's claim to
 * be written, for what happens to every payout of test mode. A payout that is forgotten here, by a crash or because too
 * many wait, is due in the table soon after.
 */
export class SoonCarriedOn implements AsyncDisposable {
  readonly #advance: (payout: PayoutRow) => Promise<void>;
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();

  /** @param advance never rejects */
  constructor(advance: (payout: PayoutRow) => Promise<void>) {
    this.#advance = advance;
  }

  add(payout: PayoutRow, afterMs: number): void {
    if (this.#waiting.size + this.#underWay.size >= waitingMax) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      const work = this.#advance(payout).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }, afterMs);
    this.#waiting.add(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
    await Promise.all(this.#underWay);
  }
}
