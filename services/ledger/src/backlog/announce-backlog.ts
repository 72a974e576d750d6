import { backlogSignal, ledgerCommandQueue, type Backlog } from '@gateway/contracts';
import type { Bus } from '@gateway/service-kit';
import type { Shard } from '#src/shards.ts';

/** A sender would rather hear "try again" now than wait longer than this. */
const acceptableWaitMs = 1_000;
export const announceIntervalMs = 200;
/** Outlives a few lost announcements, and not much more than the backlog itself. */
const validForMs = 4 * announceIntervalMs;
/** How much of each new measurement of the rate counts. */
const smoothing = 0.3;

/** Estimates how long a new command would wait: what is stored and undecided, over the rate of deciding. */
export class BacklogEstimate {
  #perMs = 0;
  #decided = 0;
  #atMs: number;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  /** @param decided commands decided so far; @param waiting commands stored and not yet decided */
  waitMs(decided: number, waiting: number, atMs: number): number {
    const elapsedMs = atMs - this.#atMs;
    if (elapsedMs > 0 && waiting > 0) {
      const perMs = (decided - this.#decided) / elapsedMs;
      this.#perMs = this.#perMs === 0 ? perMs : this.#perMs * (1 - smoothing) + perMs * smoothing;
    }
    this.#decided = decided;
    this.#atMs = atMs;
    if (waiting === 0) return 0;
    return this.#perMs === 0 ? 0 : waiting / this.#perMs;
  }
}

/** Tells senders while the shard is behind, and says nothing otherwise. */
export function announceBacklog(bus: Bus, { environment, shard }: Shard, waitMs: number): void {
  if (waitMs <= acceptableWaitMs) return;
  const backlog: Backlog = { waitMs: Math.round(waitMs), validForMs };
  bus.connection.publish(backlogSignal(ledgerCommandQueue(environment, shard)), JSON.stringify(backlog));
}
