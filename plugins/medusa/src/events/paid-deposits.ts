import type { Gateway } from '@gateway/sdk';

export type Deposit = Awaited<ReturnType<Gateway['deposits']['get']>>;

/** How far back the first run of a process looks; what was paid before is older than any webhook is repeated. */
const firstLookSec = 7 * 86_400;

/** Of the client, what reads the log. */
export interface LogReader {
  list(query: {
    event: ['deposit.paid'];
    order: 'asc';
    limit: number;
    from?: string;
    cursor?: string;
  }): AsyncIterable<{ readonly id: string; readonly data: unknown }>;
}

/** What a shop makes of a payment, and how it hears of one that could not be settled. */
export interface Settling {
  readonly settle: (deposit: Deposit) => Promise<void>;
  readonly failed: (deposit: Deposit, error: unknown) => void;
}

/**
 * The payments of one shop in the gateway's log of events, each to be settled once. What cannot be settled is kept and holds
 * up none of those after it: the next round begins with it. A process that starts anew looks a week back.
 */
export class PaidDeposits {
  /** The event up to which the log was read. */
  #place: string | undefined;
  readonly #unsettled = new Map<string, Deposit>();
  #isRunning = false;

  /**
   * Does nothing while a round is under way that was begun before.
   *
   * @throws what the gateway's log cannot be read with; the next round goes on after the last event that was read
   */
  async settleAll(log: LogReader, settling: Settling): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#settleAll(log, settling);
    } finally {
      this.#isRunning = false;
    }
  }

  async #settleAll(log: LogReader, settling: Settling): Promise<void> {
    for (const [id, deposit] of [...this.#unsettled]) await this.#try(id, deposit, settling);
    const begin =
      this.#place === undefined
        ? { from: String(Math.floor(Date.now() / 1_000) - firstLookSec) }
        : { cursor: this.#place };
    for await (const { id, data } of log.list({ event: ['deposit.paid'], order: 'asc', limit: 100, ...begin })) {
      await this.#try(id, data as Deposit, settling);
      this.#place = id;
    }
  }

  async #try(id: string, deposit: Deposit, { settle, failed }: Settling): Promise<void> {
    try {
      await settle(deposit);
      this.#unsettled.delete(id);
    } catch (error) {
      this.#unsettled.set(id, deposit);
      failed(deposit, error);
    }
  }
}
