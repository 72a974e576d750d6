import { afterAttempt, isSuspect, newLane, type Lane } from '#src/queue/lane.ts';
import { deliveryLifetimeMs, immediateRetries, nextAttemptInMs } from '#src/queue/schedule.ts';
import { Slots, type Slot } from '#src/scheduler/slots.ts';

const perLaneMax = 8;

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

export interface SimulatedLane {
  readonly endpoint: SimulatedEndpoint;
  state: Lane;
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
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The dispatcher in simulated time: the real rules of lanes, schedule and slots; calls of made-up length; claims that
 * cost nothing. What is simulated is who gets a slot when, which is what isolation is about.
 */
export class Simulation {
  readonly lanes: SimulatedLane[];
  readonly slots = new Slots();
  readonly #random: () => number;
  readonly #timers = new TimerHeap();
  readonly #ready = { fast: new Set<SimulatedLane>(), suspect: new Set<SimulatedLane>() };
  #nowMs = 0;
  #ids = 0;

  constructor(endpoints: readonly SimulatedEndpoint[], seed: number) {
    this.#random = seeded(seed);
    this.lanes = endpoints.map((endpoint) => ({
      endpoint,
      state: newLane(0),
      inflight: 0,
      first: [],
      again: [],
      queued: false,
      calls: [],
      waits: [],
    }));
    for (const lane of this.lanes) this.#arriveNext(lane);
  }

  /** Runs until a time, looking in every second. */
  run(untilMs: number, everySecond: (nowMs: number) => void = () => undefined): void {
    for (let atMs = 0; atMs <= untilMs; atMs += 100) {
      this.#timers.add(atMs, () => {
        this.slots.moveSlow(this.#nowMs);
        if (atMs % 1_000 === 0) everySecond(atMs);
      });
    }
    for (let next = this.#timers.take(untilMs); next; next = this.#timers.take(untilMs)) {
      this.#nowMs = next.atMs;
      next.run();
      this.#claim();
    }
  }

  #arriveNext(lane: SimulatedLane): void {
    const inMs = (-Math.log(1 - this.#random()) / lane.endpoint.eventsPerSec) * 1_000;
    this.#timers.add(this.#nowMs + inMs, () => {
      lane.first.push({ id: `d${this.#ids++}`, createdMs: this.#nowMs, attempts: 0 });
      this.#wake(lane);
      this.#arriveNext(lane);
    });
  }

  /** Puts a lane in line when it has something to give and may give it; a held one when its time has come. */
  #wake(lane: SimulatedLane): void {
    if (lane.queued || lane.first.length + lane.again.length === 0 || lane.inflight >= lane.state.cap) return;
    lane.queued = true;
    const enqueue = () => void this.#ready[isSuspect(lane.state) ? 'suspect' : 'fast'].add(lane);
    if (lane.state.heldUntilMs > this.#nowMs) this.#timers.add(lane.state.heldUntilMs, enqueue);
    else enqueue();
  }

  #claim(): void {
    for (const pool of ['fast', 'suspect'] as const) {
      for (const lane of this.#ready[pool]) {
        if (this.slots.free(pool) <= 0) break;
        this.#ready[pool].delete(lane);
        lane.queued = false;
        const room = Math.min(lane.state.cap - lane.inflight, perLaneMax, this.slots.free(pool));
        for (let taken = 0; taken < room; taken++) {
          const delivery = lane.again.shift() ?? lane.first.shift();
          if (delivery) this.#start(lane, delivery, this.slots.take(pool, this.#nowMs, null));
        }
        this.#wake(lane);
      }
    }
  }

  #start(lane: SimulatedLane, delivery: Delivery, slot: Slot): void {
    const startedMs = this.#nowMs;
    lane.inflight += 1;
    lane.calls.push(startedMs);
    if (delivery.attempts === 0) {
      lane.waits.push({ createdMs: delivery.createdMs, waitMs: startedMs - delivery.createdMs });
    }
    const { latencyMs, delivered } = lane.endpoint.call(startedMs);
    this.#timers.add(startedMs + latencyMs, () => {
      this.slots.release(slot);
      this.#end(lane, delivery, delivered, latencyMs);
    });
  }

  #end(lane: SimulatedLane, delivery: Delivery, delivered: boolean, latencyMs: number): void {
    lane.inflight -= 1;
    const through = delivery.attempts >= immediateRetries;
    const end = { deliveryId: delivery.id, first: delivery.attempts === 0, delivered, through, latencyMs };
    lane.state = afterAttempt(lane.state, end, this.#nowMs, this.#random);
    delivery.attempts += 1;
    if (!delivered) {
      const remainingMs = delivery.createdMs + deliveryLifetimeMs - this.#nowMs;
      const immediately = lane.state.breaker === 'closed';
      const inMs = nextAttemptInMs({ attempts: delivery.attempts, remainingMs, immediately }, this.#random);
      if (inMs !== null) {
        this.#timers.add(this.#nowMs + inMs, () => {
          lane.again.push(delivery);
          this.#wake(lane);
        });
      }
    }
    this.#wake(lane);
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
