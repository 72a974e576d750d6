import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@gateway/persistence';
import { gauge, histogram, startLoop, type Logger, type Loop, type SecretBox } from '@gateway/runtime';
import type { Sender } from '#src/http/sender.ts';
import { claimDeliveries, nextReadyInMs, readyPools, type ClaimPool } from '#src/queue/claim.ts';
import type { DeliveryJob, FinishedJob } from '#src/queue/delivery-job.ts';
import type { LeaseCapacity } from '#src/queue/enqueue.ts';
import { expireLeases, LeaseTokens } from '#src/queue/leases.ts';
import type { QueueUpdate } from '#src/queue/record-outcomes.ts';
import { EndpointLimiters } from '#src/scheduler/endpoint-limiters.ts';
import { PermitPools, type Permit, type PermitCounts } from '#src/scheduler/permits.ts';
import { Recorder } from '#src/scheduler/recorder.ts';
import { sendJob } from '#src/scheduler/send-job.ts';

/** Fallback for wake-ups, and the precision of retries. */
const pollIntervalMs = 250;
/**
 * While nothing is under way here and no queue has a time to be ready at: for what other processes leave. What they lease
 * is theirs for longer, and what this one writes wakes it.
 */
const restIntervalMs = 5_000;
/** A lease outlives the longest call by far; a process that starts again on the same host does not wait for its end. */
const expiryIntervalMs = 5_000;
const claimMax = 256;
/**
 * After a claim that leased nothing: the locks of its queues are held by a record or by new deliveries, which take as long
 * as a commit.
 */
const emptyClaimPauseMs = 5;

const claimDuration = histogram('gateway_webhook_claim_seconds', 'Time to claim deliveries', ['pool']);
const lag = histogram('gateway_webhook_lag_seconds', 'From due to sent, by budget', ['pool']);

export interface DispatcherOptions {
  readonly database: Database;
  readonly sender: Sender;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** `host:pid` of this process, for leases and for the log. */
  readonly replica: string;
  readonly random?: () => number;
  readonly permitCounts?: PermitCounts;
}

/** Permits for deliveries that are leased as they are written. Disposed, it gives back those that were not used. */
export interface Reservation extends LeaseCapacity, Disposable {
  /** Sends jobs that were leased with this reservation, after their commit. */
  readonly start: (jobs: readonly DeliveryJob[]) => void;
}

/**
 * Claims due deliveries, calls their receivers and records the outcomes, until it is disposed; then the calls under way
 * come to their end and are recorded.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions;
  readonly #leaseTokens: LeaseTokens;
  readonly #permits: PermitPools;
  readonly #limiters: EndpointLimiters;
  readonly #recorder: Recorder;
  readonly #calls = new Set<Promise<boolean>>();
  /** Leases of this process. */
  #held = 0;
  #isWoken = false;
  readonly #claiming: Loop;
  readonly #expiring: Loop;

  constructor(options: DispatcherOptions) {
    const { logger, database } = options;
    this.#options = options;
    this.#leaseTokens = new LeaseTokens(options.replica);
    this.#permits = new PermitPools(options.permitCounts);
    this.#recorder = new Recorder({
      ...options,
      random: options.random ?? Math.random,
      onRecorded: (queues) => this.#onRecorded(queues),
      onEnded: (finished) => this.#onEnded(finished.map(({ job }) => job)),
      jobsUnderWay: () => this.#held,
    });
    this.#limiters = new EndpointLimiters({
      call: (job, pool) => this.#call(job, pool),
      hasPermit: (pool) => this.#permits.available(pool) > 0,
      giveBack: (jobs) => jobs.forEach((job) => this.#recorder.record(givenBack(job))),
    });
    this.#claiming = startLoop({
      name: 'webhook dispatch',
      intervalMs: pollIntervalMs,
      logger,
      work: (signal) => this.#round(signal),
    });
    this.#expiring = startLoop({
      name: 'webhook leases',
      intervalMs: expiryIntervalMs,
      logger,
      work: () => expireLeases(database),
    });
    for (const pool of ['fast', 'suspect', 'slow'] as const) {
      gauge('gateway_webhook_calls', 'Calls under way by budget', () => this.#permits.inUse(pool), { budget: pool });
    }
  }

  /** Resolves when so many quick calls could start at once, or when no call has ended for so long. */
  async waitForPermits(calls: number, timeoutMs: number): Promise<void> {
    await this.#permits.waitFor(calls, timeoutMs);
  }

  /** Takes permits for deliveries that are leased as they are written, as many as there are. */
  reserve(permitsMax: number): Reservation {
    const reserved = this.#permits.acquireUpTo('fast', permitsMax, performance.now());
    const release = () => reserved.splice(0).forEach((permit) => this.#permits.release(permit));
    return {
      permits: reserved.length,
      permitsOf: (accountKey) => this.#permits.availableTo('fast', accountKey),
      leaseToken: this.#leaseTokens.next(),
      leaseLimitsOf: (endpointId) => this.#limiters.leaseLimitsOf(endpointId),
      start: (jobs) => {
        release();
        for (const job of jobs) this.#add(job, 'fast');
        this.#permits.notifyWaiter();
      },
      [Symbol.dispose]: () => {
        release();
        this.#permits.notifyWaiter();
      },
    };
  }

  /** Something is due. A lost wake-up costs a polling interval. */
  wake(): void {
    this.#isWoken = true;
    this.#claiming.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#claiming[Symbol.asyncDispose](), this.#expiring[Symbol.asyncDispose]()]);
    this.#limiters.close();
    await Promise.all(this.#calls);
    await this.#recorder[Symbol.asyncDispose]();
  }

  /** At rest it only looks when the next queue is ready. Answers true when there is more to claim, else for how long not. */
  async #round(signal: AbortSignal): Promise<boolean | number> {
    const isAtRest = this.#held === 0 && !this.#isWoken;
    this.#isWoken = false;
    const readyInMs = isAtRest ? await nextReadyInMs(this.#options.database) : 0;
    if (readyInMs > 0) return Math.min(readyInMs, restIntervalMs);
    return (await this.#claimAll(signal)) || pollIntervalMs;
  }

  /** One claim for each pool that has a queue ready. Answers true when there is more to claim, and permits for it. */
  async #claimAll(signal: AbortSignal): Promise<boolean> {
    this.#permits.moveSlow(performance.now());
    const ready = await readyPools(this.#options.database, {
      fast: this.#permits.accountsAtShare('fast'),
      suspect: this.#permits.accountsAtShare('suspect'),
    });
    let more = false;
    let leased = 0;
    for (const pool of ready) {
      const claimed = await this.#claim(pool);
      more ||= claimed.more;
      leased += claimed.leased;
    }
    if (ready.length > 0 && leased === 0) await sleep(emptyClaimPauseMs, undefined, { signal }).catch(() => undefined);
    return more;
  }

  async #claim(pool: ClaimPool): Promise<{ readonly leased: number; readonly more: boolean }> {
    const limit = Math.min(this.#permits.available(pool), claimMax);
    if (limit <= 0) return { leased: 0, more: false };
    const startedMs = performance.now();
    const { jobs, more } = await claimDeliveries({
      database: this.#options.database,
      leaseToken: this.#leaseTokens.next(),
      pool,
      limit,
      leaseLimitsOf: (endpointId) => this.#limiters.leaseLimitsOf(endpointId),
      accountsAtShare: this.#permits.accountsAtShare(pool),
    });
    claimDuration.record((performance.now() - startedMs) / 1_000, { pool });
    for (const job of jobs) this.#add(job, pool);
    return { leased: jobs.length, more: more && this.#permits.available(pool) > 0 };
  }

  #add(job: DeliveryJob, pool: ClaimPool): void {
    this.#held += 1;
    this.#limiters.add(job, pool);
  }

  async #call(job: DeliveryJob, pool: ClaimPool): Promise<boolean> {
    const permit = this.#permits.acquire(pool, performance.now(), job.accountKey);
    lag.record(job.lagMs / 1_000, { pool });
    const call = this.#send(job, permit);
    this.#calls.add(call);
    return await call.finally(() => this.#calls.delete(call));
  }

  /** @returns whether the receiver may be called again right away */
  async #send(job: DeliveryJob, permit: Permit): Promise<boolean> {
    const finished = await sendJob(job, this.#options).catch((error: unknown) => {
      this.#options.logger.error({ err: error, delivery: job.id, phase: 'prepare' }, 'delivery could not be attempted');
      return undefined;
    });
    this.#permits.release(permit);
    this.#permits.notifyWaiter();
    if (!finished) {
      this.#onEnded([job]);
      return false;
    }
    this.#recorder.record(finished);
    return finished.outcome.kind === 'skipped' || finished.outcome.attempt.delivered;
  }

  #onEnded(jobs: readonly DeliveryJob[]): void {
    this.#held -= jobs.length;
    for (const { endpointId } of jobs) this.#limiters.leaseEnded(endpointId);
  }

  #onRecorded(queues: readonly QueueUpdate[]): void {
    for (const { endpointId, concurrency } of queues) this.#limiters.setConcurrency(endpointId, concurrency);
    if (queues.some(({ ready }) => ready)) this.wake();
  }
}

function givenBack(job: DeliveryJob): FinishedJob {
  return { job, outcome: { kind: 'skipped', reason: 'given_back' } };
}
