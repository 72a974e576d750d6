import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** More are left to the table, where they are due a little later. */
const waitingMax = 10_000;
/** Those that are due within it are resumed together: they share the ledger's batch, the statement and the writes. */
const tickMs = 50;

/**
 * Resumes payouts from memory a moment after they were left, so that nothing has to be read, and no claim to be
 * written, for what happens to every payout of test mode. A payout that is forgotten here, by a crash or because too
 * many wait, is due in the table soon after.
 */
export class ResumeTimer implements AsyncDisposable {
  readonly #advance: (payout: PayoutRow) => Promise<void>;
  /** By the tick they are due at, each with its timer. */
  readonly #ticks = new Map<number, { readonly timer: NodeJS.Timeout; readonly payouts: PayoutRow[] }>();
  readonly #underWay = new Set<Promise<void>>();
  #waiting = 0;

  /** @param advance never rejects */
  constructor(advance: (payout: PayoutRow) => Promise<void>) {
    this.#advance = advance;
  }

  /** Not before `afterMs`, and at most a tick later. */
  add(payout: PayoutRow, afterMs: number): void {
    if (this.#waiting + this.#underWay.size >= waitingMax) return;
    const now = performance.now();
    const tick = Math.ceil((now + afterMs) / tickMs);
    const known = this.#ticks.get(tick);
    this.#waiting += 1;
    if (known) return void known.payouts.push(payout);
    const timer = setTimeout(() => this.#resumeNow(tick), tick * tickMs - now);
    this.#ticks.set(tick, { timer, payouts: [payout] });
  }

  #resumeNow(tick: number): void {
    const payouts = this.#ticks.get(tick)?.payouts ?? [];
    this.#ticks.delete(tick);
    this.#waiting -= payouts.length;
    for (const payout of payouts) {
      const work = this.#advance(payout).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { timer } of this.#ticks.values()) clearTimeout(timer);
    this.#ticks.clear();
    await Promise.all(this.#underWay);
  }
}
