import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, isConnectionError, type Logger } from '@gateway/runtime';
import type { FinishedJob } from '#src/queue/delivery-job.ts';
import { recordOutcomes, type QueueUpdate, type RecordOptions } from '#src/queue/record-outcomes.ts';

const batchMax = 256;
/** While many jobs are under way, so many are recorded together, when they finish soon enough. */
const underWayMin = 160;
const gatheredMin = 128;
const gatherTimeoutMs = 20;
/** With fewer under way: what finishes within this time after the last record is recorded together. */
const recordPauseMs = 15;

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
 * Records finished jobs in batches: all that have finished while the last commit was under way. Where more are about to
 * finish it waits for them, since each commit has its price and locks the queues of its batch. After a pause without a
 * record, and when no other job is under way, a finished job is recorded at once.
 */
export class Recorder implements AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #waiting: FinishedJob[] = [];
  #running: Promise<void> | undefined;
  #enough: (() => void) | undefined;
  #recordedAtMs = -Infinity;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  record(finished: FinishedJob): void {
    this.#waiting.push(finished);
    if (this.#isEnough()) this.#enough?.();
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
      this.#recordedAtMs = performance.now();
      this.#options.onEnded(batch);
    }
    // In the same turn as the last check of what waits: a job that finishes a moment later starts a run of its own.
    this.#running = undefined;
  }

  #isEnough(): boolean {
    return this.#waiting.length >= Math.min(gatheredMin, this.#options.jobsUnderWay());
  }

  #pauseMs(): number {
    if (this.#options.jobsUnderWay() >= underWayMin) return gatherTimeoutMs;
    return this.#recordedAtMs + recordPauseMs - performance.now();
  }

  async #gather(): Promise<void> {
    const pauseMs = this.#pauseMs();
    if (pauseMs <= 0 || this.#isEnough()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
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
