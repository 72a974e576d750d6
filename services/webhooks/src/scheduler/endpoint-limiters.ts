import type { ClaimPool } from '#src/queue/claim.ts';
import { noLeases, type DeliveryJob, type LeaseLimits } from '#src/queue/delivery-job.ts';

/** After this time without an answer a receiver is called again beside the calls under way. */
const widenAfterMs = 50;
/** A job that waited longer is released: its lease ends, and its endpoint may have been paused, moved or removed. */
const waitMaxMs = 500;
/** A receiver is prefetched for, one job more each time, while its jobs wait no longer than this. */
const prefetchWaitMaxMs = 100;
/** Jobs leased beyond the concurrency of a queue: of one queue, and of all together. */
const prefetchMax = 512;
const prefetchOfAllMax = 4_096;

export interface EndpointLimitersOptions {
  /** Calls the receiver; resolves with whether it took the delivery. Never rejects. */
  readonly call: (job: DeliveryJob, pool: ClaimPool) => Promise<boolean>;
  /** Whether a call may be made beside those under way. */
  readonly hasPermit: (pool: ClaimPool) => boolean;
  /** These jobs are not going to be called: they are due as before. */
  readonly giveBack: (jobs: readonly DeliveryJob[]) => void;
}

interface WaitingJob {
  readonly job: DeliveryJob;
  readonly pool: ClaimPool;
  readonly sinceMs: number;
}

/** The jobs of one endpoint in this process. */
interface Limiter {
  readonly waiting: WaitingJob[];
  /** Calls under way. */
  running: number;
  /** Calls it makes at once now, up to `concurrencyMax`. */
  concurrency: number;
  concurrencyMax: number;
  /** Leases: waiting, being called or being recorded. */
  held: number;
  /** Leases it may have beyond `concurrencyMax`. */
  prefetch: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Limits the concurrent calls of each endpoint, in the order their deliveries were leased. Calls take turns while the
 * receiver answers quickly: the next one finds the kept connection free, where all at once would each have to make
 * their own. For a receiver that takes its time the concurrency doubles every `widenAfterMs`, up to that of its queue.
 *
 * A receiver that answers quickly is prefetched for, so that its backlog does not wait for a claim and a record after
 * every few calls. Prefetched jobs hold no permit, and are given back when a call fails or they wait too long.
 */
export class EndpointLimiters {
  readonly #options: EndpointLimitersOptions;
  readonly #limiters = new Map<string, Limiter>();
  #waiting = 0;
  #closed = false;

  constructor(options: EndpointLimitersOptions) {
    this.#options = options;
  }

  leaseLimitsOf(endpointId: string): LeaseLimits {
    const limiter = this.#limiters.get(endpointId);
    if (!limiter) return noLeases;
    const prefetch = this.#waiting < prefetchOfAllMax ? limiter.prefetch : 0;
    return { held: limiter.held, max: limiter.concurrencyMax + prefetch };
  }

  /** One more leased job, called after those of its endpoint that wait. */
  add(job: DeliveryJob, pool: ClaimPool): void {
    const limiter = this.#limiterOf(job.endpointId);
    limiter.held += 1;
    limiter.concurrencyMax = job.concurrency;
    limiter.waiting.push({ job, pool, sinceMs: performance.now() });
    this.#waiting += 1;
    if (this.#closed) this.#giveBack(limiter);
    else this.#startNext(limiter);
    if (limiter.waiting.length > 0) limiter.timer ??= setTimeout(() => this.#widen(limiter), widenAfterMs);
  }

  /** A lease of the endpoint has ended. */
  leaseEnded(endpointId: string): void {
    const limiter = this.#limiters.get(endpointId);
    if (!limiter) return;
    limiter.held -= 1;
    if (limiter.held <= 0) this.#limiters.delete(endpointId);
  }

  /** The concurrency of the queue has changed; with none, the waiting jobs are given back. */
  setConcurrency(endpointId: string, concurrency: number): void {
    const limiter = this.#limiters.get(endpointId);
    if (!limiter) return;
    limiter.concurrencyMax = concurrency;
    limiter.concurrency = Math.max(Math.min(limiter.concurrency, concurrency), 1);
    if (concurrency === 0) this.#giveBack(limiter);
  }

  /** Gives back the waiting jobs, and all that are added from now on. */
  close(): void {
    this.#closed = true;
    for (const limiter of this.#limiters.values()) this.#giveBack(limiter);
  }

  #limiterOf(endpointId: string): Limiter {
    const known = this.#limiters.get(endpointId);
    if (known) return known;
    const limiter: Limiter = {
      waiting: [],
      running: 0,
      concurrency: 1,
      concurrencyMax: 1,
      held: 0,
      prefetch: 0,
      timer: undefined,
    };
    this.#limiters.set(endpointId, limiter);
    return limiter;
  }

  #startNext(limiter: Limiter): void {
    if (limiter.running >= limiter.concurrency) return;
    const next = limiter.waiting.shift();
    if (!next) return;
    this.#waiting -= 1;
    const isQuick = performance.now() - next.sinceMs <= prefetchWaitMaxMs;
    limiter.prefetch = isQuick ? Math.min(limiter.prefetch + 1, prefetchMax) : Math.max(limiter.prefetch - 1, 0);
    limiter.running += 1;
    void this.#options.call(next.job, next.pool).then((delivered) => {
      limiter.running -= 1;
      if (!delivered) this.#giveBack(limiter);
      this.#startNext(limiter);
      if (limiter.running === 0) limiter.concurrency = 1;
      if (limiter.waiting.length === 0) stopTimer(limiter);
    });
  }

  /** Runs every `widenAfterMs` while jobs wait. */
  #widen(limiter: Limiter): void {
    limiter.timer = undefined;
    limiter.concurrency = Math.max(Math.min(limiter.concurrency * 2, limiter.concurrencyMax), 1);
    for (let more = limiter.concurrency - limiter.running; more > 0; more--) {
      const [next] = limiter.waiting;
      if (next && this.#options.hasPermit(next.pool)) this.#startNext(limiter);
    }
    const [oldest] = limiter.waiting;
    if (oldest && performance.now() - oldest.sinceMs > waitMaxMs) this.#giveBack(limiter);
    if (limiter.waiting.length > 0) limiter.timer = setTimeout(() => this.#widen(limiter), widenAfterMs);
  }

  #giveBack(limiter: Limiter): void {
    stopTimer(limiter);
    limiter.prefetch = 0;
    const waiting = limiter.waiting.splice(0);
    this.#waiting -= waiting.length;
    if (waiting.length > 0) this.#options.giveBack(waiting.map(({ job }) => job));
  }
}

function stopTimer(limiter: Limiter): void {
  clearTimeout(limiter.timer);
  limiter.timer = undefined;
}
