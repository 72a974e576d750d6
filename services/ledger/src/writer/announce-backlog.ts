import { ledgerCommandQueue } from '@gateway/contracts/ledger';
import { backlogSignal, type Backlog } from '@gateway/contracts/messages';
import type { Bus } from '@gateway/messaging';
import type { Shard } from '#src/shards.ts';

/** Above this wait senders refuse new work with "try again" instead of waiting. */
const acceptableWaitMs = 1_000;
export const announceIntervalMs = 200;
/** Longer than a few lost announcements, and not much longer than the backlog itself. */
const validForMs = 4 * announceIntervalMs;
/** Weight of a new measurement of the rate. */
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

/** Publishes the backlog to senders while the shard is behind, and nothing otherwise. */
export function announceBacklog(bus: Bus, { environment, shard }: Shard, waitMs: number): void {
  if (waitMs <= acceptableWaitMs) return;
  const backlog: Backlog = { waitMs: Math.round(waitMs), validForMs };
  bus.connection.publish(backlogSignal(ledgerCommandQueue(environment, shard)), JSON.stringify(backlog));
}
