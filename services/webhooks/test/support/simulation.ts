import { afterAttempt, initialQueueState, isSuspect, type QueueState } from '#src/queue/queue-state.ts';
import { deliveryLifetimeMs, immediateRetries, nextAttemptInMs } from '#src/queue/retry-schedule.ts';
import { PermitPools, type Permit } from '#src/scheduler/permits.ts';

const perEndpointMax = 8;

export interface SimulatedEndpoint {
  readonly eventsPerSec: number;
  /** How long a call takes, and whether it delivers. */
  readonly call: (nowMs: number) => { readonly latencyMs: number; readonly delivered: boolean };
}

interface Delivery {
  readonly id: string;
  readonly createdMs: number;
  attempts: number;
}

export interface SimulatedQueue {
  readonly endpoint: SimulatedEndpoint;
  state: QueueState;
  inflight: number;
  readonly first: Delivery[];
  readonly again: Delivery[];
  queued: boolean;
  /** Times of its calls. */
  readonly calls: number[];
  /** From creation to the first call, by time of creation. */
  readonly waits: { readonly createdMs: number; readonly waitMs: number }[];
}

/** A seeded stream of numbers in [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The dispatcher in simulated time: the rules of queues, schedule and permits as they are; calls of made-up length;
 * claims that cost nothing. It shows which call gets a permit when, which is what isolation is about.
 */
export class Simulation {
  readonly queues: SimulatedQueue[];
  readonly permits = new PermitPools();
  readonly #random: () => number;
  readonly #timers = new TimerHeap();
  readonly #ready = { fast: new Set<SimulatedQueue>(), suspect: new Set<SimulatedQueue>() };
  #nowMs = 0;
  #ids = 0;

  constructor(endpoints: readonly SimulatedEndpoint[], seed: number) {
    this.#random = seeded(seed);
    this.queues = endpoints.map((endpoint) => ({
      endpoint,
      state: initialQueueState(0),
      inflight: 0,
      first: [],
      again: [],
      queued: false,
      calls: [],
      waits: [],
    }));
    for (const queue of this.queues) this.#arriveNext(queue);
  }

  /** Runs until a time, looking in every second. */
  run(untilMs: number, everySecond: (nowMs: number) => void = () => undefined): void {
    for (let atMs = 0; atMs <= untilMs; atMs += 100) {
      this.#timers.add(atMs, () => {
        this.permits.moveSlow(this.#nowMs);
        if (atMs % 1_000 === 0) everySecond(atMs);
      });
    }
    for (let next = this.#timers.take(untilMs); next; next = this.#timers.take(untilMs)) {
      this.#nowMs = next.atMs;
      next.run();
      this.#claim();
    }
  }

  #arriveNext(queue: SimulatedQueue): void {
    const inMs = (-Math.log(1 - this.#random()) / queue.endpoint.eventsPerSec) * 1_000;
    this.#timers.add(this.#nowMs + inMs, () => {
      queue.first.push({ id: `d${this.#ids++}`, createdMs: this.#nowMs, attempts: 0 });
      this.#wake(queue);
      this.#arriveNext(queue);
    });
  }

  /** Makes a queue ready when it has something to send and may send it; a held one when its time has come. */
  #wake(queue: SimulatedQueue): void {
    if (queue.queued || queue.first.length + queue.again.length === 0 || queue.inflight >= queue.state.concurrency)
      return;
    queue.queued = true;
    const enqueue = () => void this.#ready[isSuspect(queue.state) ? 'suspect' : 'fast'].add(queue);
    if (queue.state.heldUntilMs > this.#nowMs) this.#timers.add(queue.state.heldUntilMs, enqueue);
    else enqueue();
  }

  #claim(): void {
    for (const pool of ['fast', 'suspect'] as const) {
      for (const queue of this.#ready[pool]) {
        if (this.permits.available(pool) <= 0) break;
        this.#ready[pool].delete(queue);
        queue.queued = false;
        const room = Math.min(queue.state.concurrency - queue.inflight, perEndpointMax, this.permits.available(pool));
        for (let taken = 0; taken < room; taken++) {
          const delivery = queue.again.shift() ?? queue.first.shift();
          if (delivery) this.#start(queue, delivery, this.permits.acquire(pool, this.#nowMs, null));
        }
        this.#wake(queue);
      }
    }
  }

  #start(queue: SimulatedQueue, delivery: Delivery, permit: Permit): void {
    const startedMs = this.#nowMs;
    queue.inflight += 1;
    queue.calls.push(startedMs);
    if (delivery.attempts === 0) {
      queue.waits.push({ createdMs: delivery.createdMs, waitMs: startedMs - delivery.createdMs });
    }
    const { latencyMs, delivered } = queue.endpoint.call(startedMs);
    this.#timers.add(startedMs + latencyMs, () => {
      this.permits.release(permit);
      this.#end(queue, delivery, delivered, latencyMs);
    });
  }

  #end(queue: SimulatedQueue, delivery: Delivery, delivered: boolean, latencyMs: number): void {
    queue.inflight -= 1;
    const immediateRetriesDone = delivery.attempts >= immediateRetries;
    const end = { deliveryId: delivery.id, first: delivery.attempts === 0, delivered, immediateRetriesDone, latencyMs };
    queue.state = afterAttempt(queue.state, end, this.#nowMs, this.#random);
    delivery.attempts += 1;
    if (!delivered) {
      const remainingMs = delivery.createdMs + deliveryLifetimeMs - this.#nowMs;
      const immediately = queue.state.breaker === 'closed';
      const inMs = nextAttemptInMs({ attempts: delivery.attempts, remainingMs, immediately }, this.#random);
      if (inMs !== null) {
        this.#timers.add(this.#nowMs + inMs, () => {
          queue.again.push(delivery);
          this.#wake(queue);
        });
      }
    }
    this.#wake(queue);
  }
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A binary heap by time. */
class TimerHeap {
  readonly #heap: Timer[] = [];

  add(atMs: number, run: () => void): void {
    const heap = this.#heap;
    let at = heap.push({ atMs, run }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.atMs <= heap[at]!.atMs) return;
      [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
      at = parent;
    }
  }

  /** The earliest that is due by then. */
  take(untilMs: number): Timer | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (!first || first.atMs > untilMs) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(timer: Timer): void {
    const heap = this.#heap;
    let at = 0;
    heap[0] = timer;
    for (;;) {
      const left = at * 2 + 1;
      const right = left + 1;
      let least = at;
      if (left < heap.length && heap[left]!.atMs < heap[least]!.atMs) least = left;
      if (right < heap.length && heap[right]!.atMs < heap[least]!.atMs) least = right;
      if (least === at) return;
      [heap[least], heap[at]] = [heap[at]!, heap[least]!];
      at = least;
    }
  }
}
