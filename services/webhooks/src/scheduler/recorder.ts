import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, isConnectionError, type Logger } from '@gateway/runtime';
import type { FinishedJob } from '#src/queue/delivery-job.ts';
import { recordOutcomes, type QueueUpdate, type RecordOptions } from '#src/queue/record-outcomes.ts';

const batchMax = 256;
/** While many jobs are under way, so many are recorded together, when they finish soon enough. */
const underWayMin = 160;
const gatheredMin = 128;
const gatherTimeoutMs = 20;

export interface RecorderOptions extends RecordOptions {
  readonly logger: Logger;
  /** The queues of a batch, as its outcomes left them. */
  readonly onRecorded: (queues: readonly QueueUpdate[]) => void;
  /** These jobs are recorded, or cannot be: then their leases expire, and they are sent again. */
  readonly onEnded: (finished: readonly FinishedJob[]) => void;
  /** Jobs that are leased and not recorded yet. */
  readonly jobsUnderWay: () => number;
}

/**
 * Records finished jobs in batches: all that have finished while the last commit was under way. Where many more are about
 * to finish it waits for them, since each commit has its price and locks the queues of its batch.
 */
export class Recorder implements AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #waiting: FinishedJob[] = [];
  #running: Promise<void> | undefined;
  #enough: (() => void) | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  record(finished: FinishedJob): void {
    this.#waiting.push(finished);
    if (this.#waiting.length >= gatheredMin) this.#enough?.();
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
      this.#options.onEnded(batch);
    }
    // In the same turn as the last check of what waits: a job that finishes a moment later starts a run of its own.
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    if (this.#waiting.length >= gatheredMin || this.#options.jobsUnderWay() < underWayMin) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherTimeoutMs);
      this.#enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#enough = undefined;
  }

  /** Outcomes are kept while the database cannot be reached; a batch that it refuses is recorded one by one. */
  async #write(batch: readonly FinishedJob[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        this.#options.onRecorded(await recordOutcomes(this.#options, batch));
        return;
      } catch (error) {
        if (!isConnectionError(error)) return await this.#onRefused(batch, error);
        this.#options.logger.warn(
          { err: error, jobs: batch.length, phase: 'record' },
          'outcomes cannot be recorded, trying again',
        );
        await sleep(backoffMs(attempt));
      }
    }
  }

  async #onRefused(batch: readonly FinishedJob[], error: unknown): Promise<void> {
    if (batch.length > 1) for (const finished of batch) await this.#write([finished]);
    else
      this.#options.logger.error({ err: error, delivery: batch[0]?.job.id, phase: 'record' }, 'outcome not recorded');
  }
}
