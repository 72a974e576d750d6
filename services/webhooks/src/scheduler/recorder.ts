import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError, backoffMs, type Logger } from '@gateway/service-kit';
import { recordAttempts, type LaneAfter, type RecordOptions } from '#src/queue/record-attempts.ts';
import type { Finished } from '#src/queue/settle.ts';

const batchMax = 256;
/** While many calls are under way, so many are recorded together, as long as they come soon. */
const underWayMin = 160;
const gatheredMin = 128;
const gatherTimeoutMs = 20;

export interface RecorderOptions extends RecordOptions {
  readonly logger: Logger;
  /** What became of the lanes of a batch. */
  readonly onLanes: (lanes: readonly LaneAfter[]) => void;
  /** These are recorded, or cannot be: then their leases expire, and they are delivered again. */
  readonly onEnd: (finished: readonly Finished[]) => void;
  /** Calls that are not recorded yet. */
  readonly underWay: () => number;
}

/**
 * Records calls in batches: whatever has finished while the last commit was under way. Only where many more are about
 * to finish it waits for them, since each commit has its price, and holds the lanes of its batch.
 */
export class Recorder implements AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #waiting: Finished[] = [];
  #running: Promise<void> | undefined;
  #gathered: (() => void) | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  record(finished: Finished): void {
    this.#waiting.push(finished);
    if (this.#waiting.length >= gatheredMin) this.#gathered?.();
    this.#running ??= this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, batchMax);
      await this.#write(batch);
      this.#options.onEnd(batch);
    }
    // In the same turn as the last look: what comes a moment later would find a run that looks no more.
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    if (this.#waiting.length >= gatheredMin || this.#options.underWay() < underWayMin) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherTimeoutMs);
      this.#gathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#gathered = undefined;
  }

  /** While the database is away the calls stay known; a batch it refuses is tried one by one. */
  async #write(batch: readonly Finished[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        this.#options.onLanes(await recordAttempts(this.#options, batch));
        return;
      } catch (error) {
        if (!isConnectionError(error)) return await this.#refused(batch, error);
        this.#options.logger.warn({ err: error, attempts: batch.length }, 'attempts cannot be recorded, trying again');
        await sleep(backoffMs(attempt));
      }
    }
  }

  async #refused(batch: readonly Finished[], error: unknown): Promise<void> {
    if (batch.length > 1) for (const finished of batch) await this.#write([finished]);
    else this.#options.logger.error({ err: error, delivery: batch[0]?.claimed.id }, 'attempt not recorded');
  }
}
