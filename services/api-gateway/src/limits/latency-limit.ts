/** What a limit begins with, and returns to while it is not reached: enough for any burst of an ordinary day. */
const restingLimit = 200;
/** Below what a service works on at once (`inFlightMax` of its requests), so that the refusal is made here. */
const limitMax = 800;
const windowMsMin = 100;
const windowAnswersMin = 10;
/** Share of the distance by which a limit that is not reached returns to its rest with each window. */
const returnShare = 1 / 8;
const growthShare = 1 / 16;
/** Share of a longer latency by which the latency without a queue is believed to have become longer. */
const learnShare = 1 / 10;

export interface LatencyLimitOptions {
  /** Longest time that requests may wait for others. */
  readonly queueMsMax: number;
  /** As many may always be under way. */
  readonly least: number;
}

interface Window {
  readonly startedAtMs: number;
  readonly latenciesMs: number[];
  readonly underWayMax: number;
}

/**
 * How many requests may be under way at once, from how long they take. What is beyond it can only wait, for other
 * requests to end, and is better refused at once.
 *
 * The law, applied to each window of at least 100 ms and ten answers:
 * - While the limit is not reached it returns to its rest; nothing can be learned about a limit that limits nothing. With
 *   less than half of it under way, the latency is that of a request without a queue, and is remembered.
 * - While it is reached, the latency less what is remembered is the time spent in a queue. Up to `queueMsMax` the
 *   limit grows by a sixteenth. Above, it moves half of the way to what would bring the queue back to `queueMsMax`: as
 *   many requests as are answered in that time (Little's law), so it needs no attempts and does not undershoot.
 * - At `least` no fewer may be under way, so the latency of what has begun since then is no matter of the limit: all of it
 *   but `queueMsMax` is remembered. Where it is a provider's, or nothing was remembered because the process has just been
 *   started into its load, the limit grows again; where it is a queue, the limit stays.
 *
 * What is remembered does not follow the latency while the limit is reached, otherwise an overload that lasts would pass
 * for the ordinary state, and the queue would grow without end. The latency of a window is its lower quartile: a queue
 * delays all requests, a slow provider only those that wait for it, and some are answered from memory. Where all wait for
 * one provider that has become slow, the limit falls to `least` until what began there is answered. Times are monotonic
 * milliseconds.
 *
 * Known relatives: Vegas and Gradient2 of Netflix's concurrency-limits, which estimate the queue from the shortest latency or
 * from a moving average; the latter drifts upwards in an overload that lasts, the former takes larger batches of the
 * database for a queue.
 */
export class LatencyLimit {
  readonly #options: LatencyLimitOptions;
  #limit = restingLimit;
  /** Latency without a queue; 0 until one was seen, so that all time passes for a queue. */
  #aloneMs = 0;
  #isReached = false;
  /** Since when the limit has been `least`. */
  #atLeastSinceMs = Infinity;
  #window: Window & { underWayMax: number };

  constructor(options: LatencyLimitOptions, nowMs: number) {
    this.#options = options;
    this.#window = windowFrom(nowMs);
  }

  get value(): number {
    return Math.floor(this.#limit);
  }

  /** A request has begun, with so many under way now. */
  began(underWay: number, nowMs: number): void {
    this.#window.underWayMax = Math.max(this.#window.underWayMax, underWay);
    if (underWay >= this.value) this.reached(nowMs);
  }

  /** No more may begin. Rates count from here: what came before was not all that can be done. */
  reached(nowMs: number): void {
    if (!this.#isReached) this.#window = windowFrom(nowMs, this.#window.underWayMax);
    this.#isReached = true;
  }

  answered(latencyMs: number, nowMs: number): void {
    const { latenciesMs, startedAtMs } = this.#window;
    latenciesMs.push(latencyMs);
    const elapsedMs = nowMs - startedAtMs;
    if (elapsedMs < windowMsMin || latenciesMs.length < windowAnswersMin) return;
    if (this.#isReached) this.#follow(elapsedMs);
    else this.#rest();
    this.#limit = Math.min(limitMax, Math.max(this.#options.least, this.#limit));
    this.#atLeastSinceMs = this.#limit > this.#options.least ? Infinity : Math.min(this.#atLeastSinceMs, nowMs);
    this.#isReached = false;
    this.#window = windowFrom(nowMs);
  }

  #rest(): void {
    const { latenciesMs, underWayMax } = this.#window;
    const longerMs = quartileOf(latenciesMs) - this.#aloneMs;
    if (longerMs < 0) this.#aloneMs += longerMs;
    else if (underWayMax < this.#limit / 2) this.#aloneMs += longerMs * learnShare;
    this.#limit += (restingLimit - this.#limit) * returnShare;
  }

  #follow(elapsedMs: number): void {
    const { queueMsMax } = this.#options;
    const { latenciesMs, startedAtMs } = this.#window;
    const latencyMs = quartileOf(latenciesMs);
    const beganAtLeast = startedAtMs - Math.max(...latenciesMs) >= this.#atLeastSinceMs;
    this.#aloneMs = Math.max(Math.min(this.#aloneMs, latencyMs), beganAtLeast ? latencyMs - queueMsMax : 0);
    if (latencyMs - this.#aloneMs <= queueMsMax) {
      this.#limit *= 1 + growthShare;
      return;
    }
    const fitting = (latenciesMs.length / elapsedMs) * (this.#aloneMs + queueMsMax);
    this.#limit = Math.min(this.#limit, (this.#limit + fitting) / 2);
  }
}

function windowFrom(startedAtMs: number, underWayMax = 0) {
  return { startedAtMs, underWayMax, latenciesMs: [] };
}

function quartileOf(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 2] ?? 0;
}
