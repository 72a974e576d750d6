import type { Logger } from '@gateway/runtime';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** More are left to the table. */
const waitingMax = 10_000;
/** Those whose next step is due within it take it together: they share the ledger's batch and the writes. */
const tickMs = 100;

export interface LeasedPayoutsOptions {
  /** Which of them are as they were; the others have gone on without this process. */
  readonly unchanged: (payouts: readonly PayoutRow[]) => Promise<readonly PayoutRow[]>;
  /** Takes the next step. It never rejects. */
  readonly resume: (payout: PayoutRow) => Promise<void>;
  readonly logger: Logger;
}

/**
 * The payouts whose lease this process has until their next step. Keeping them in memory saves the write that would claim
 * them from the table then. One that is forgotten here, by a crash, is due in the table when its lease ends.
 */
export class LeasedPayouts implements AsyncDisposable {
  readonly #options: LeasedPayoutsOptions;
  /** By the tick they are due at, each with its timer. */
  readonly #ticks = new Map<number, { readonly timer: NodeJS.Timeout; readonly payouts: PayoutRow[] }>();
  readonly #resuming = new Set<Promise<void>>();
  #waiting = 0;

  constructor(options: LeasedPayoutsOptions) {
    this.#options = options;
  }

  /** Without room a payout is to be due in the table at its next step. */
  get hasRoom(): boolean {
    return this.#waiting < waitingMax;
  }

  /** Its next step follows after that time, and at most a tick later. */
  keep(payout: PayoutRow, afterMs: number): void {
    const now = performance.now();
    const tick = Math.ceil((now + afterMs) / tickMs);
    const known = this.#ticks.get(tick);
    this.#waiting += 1;
    if (known) return void known.payouts.push(payout);
    const timer = setTimeout(() => this.#startTick(tick), tick * tickMs - now);
    this.#ticks.set(tick, { timer, payouts: [payout] });
  }

  #startTick(tick: number): void {
    const payouts = this.#ticks.get(tick)?.payouts ?? [];
    this.#ticks.delete(tick);
    const work = this.#resumeAll(payouts).finally(() => {
      this.#waiting -= payouts.length;
      this.#resuming.delete(work);
    });
    this.#resuming.add(work);
  }

  async #resumeAll(payouts: readonly PayoutRow[]): Promise<void> {
    const { unchanged, resume, logger } = this.#options;
    try {
      await Promise.all((await unchanged(payouts)).map(resume));
    } catch (error) {
      logger.error({ err: error, payouts: payouts.length }, 'payouts wait until their leases end');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { timer } of this.#ticks.values()) clearTimeout(timer);
    this.#ticks.clear();
    await Promise.all(this.#resuming);
  }
}
