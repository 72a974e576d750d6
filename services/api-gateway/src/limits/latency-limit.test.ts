import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatencyLimit } from '#src/limits/latency-limit.ts';

const options = { queueMsMax: 100, least: 32 };
const { queueMsMax, least } = options;
const restingLimit = new LatencyLimit(options, 0).value;

interface Load {
  /** Requests that the server answers in a second at most. */
  readonly capacity: number;
  /** What a request takes without a queue. */
  readonly aloneMs: number;
  readonly arrivalsPerSecond: number;
  readonly seconds: number;
}

/** A server with one queue, asked in an open loop behind the limit; all times are of a clock that is counted here. */
class Simulation {
  readonly limit = new LatencyLimit(options, 0);
  readonly #underWay: { readonly beganAtMs: number; readonly endsAtMs: number }[] = [];
  #nowMs = 0;
  #freeAtMs = 0;

  /** Latencies of what was accepted and answered in that time. */
  run({ capacity, aloneMs, arrivalsPerSecond, seconds }: Load): number[] {
    const latenciesMs: number[] = [];
    const untilMs = this.#nowMs + seconds * 1_000;
    for (; this.#nowMs < untilMs; this.#nowMs += 1_000 / arrivalsPerSecond) {
      latenciesMs.push(...this.#answer());
      if (this.#underWay.length >= this.limit.value) {
        this.limit.reached(this.#nowMs);
        continue;
      }
      this.#freeAtMs = Math.max(this.#freeAtMs, this.#nowMs) + 1_000 / capacity;
      this.#underWay.push({ beganAtMs: this.#nowMs, endsAtMs: this.#freeAtMs + aloneMs });
      this.limit.began(this.#underWay.length, this.#nowMs);
    }
    return latenciesMs;
  }

  #answer(): number[] {
    const latenciesMs: number[] = [];
    while ((this.#underWay[0]?.endsAtMs ?? Infinity) <= this.#nowMs) {
      const { beganAtMs, endsAtMs } = this.#underWay.shift() ?? { beganAtMs: 0, endsAtMs: 0 };
      latenciesMs.push(endsAtMs - beganAtMs);
      this.limit.answered(endsAtMs - beganAtMs, endsAtMs);
    }
    return latenciesMs;
  }
}

const servers = fc.record({ capacity: fc.integer({ min: 200, max: 5_000 }), aloneMs: fc.integer({ min: 1, max: 50 }) });

test('at several times what can be done, as much is accepted as can be done, and it waits little longer than it may', () => {
  fc.assert(
    fc.property(servers, fc.integer({ min: 2, max: 10 }), ({ capacity, aloneMs }, times) => {
      const simulation = new Simulation();
      simulation.run({ capacity, aloneMs, arrivalsPerSecond: capacity / 4, seconds: 5 });
      const overload = { capacity, aloneMs, arrivalsPerSecond: capacity * times };
      simulation.run({ ...overload, seconds: 3 });
      const latenciesMs = simulation.run({ ...overload, seconds: 4 }).sort((a, b) => a - b);
      expect(latenciesMs.length).toBeGreaterThanOrEqual(capacity * 4 * 0.95);
      const leastMs = (least * 1_000) / capacity;
      expect(latenciesMs.at(-1)).toBeLessThanOrEqual(2 * Math.max(queueMsMax, leastMs) + aloneMs);
    }),
    { numRuns: 30 },
  );
});

test('an overload that lasts for ten minutes does not come to pass for the ordinary state', () => {
  const simulation = new Simulation();
  const server = { capacity: 500, aloneMs: 20 };
  simulation.run({ ...server, arrivalsPerSecond: 100, seconds: 10 });
  const latenciesMs = simulation.run({ ...server, arrivalsPerSecond: 1_500, seconds: 600 });
  expect(Math.max(...latenciesMs.slice(-10_000))).toBeLessThanOrEqual(2 * queueMsMax);
});

test('what waits for something slow and not for one another is not taken for a queue', () => {
  const simulation = new Simulation();
  simulation.run({ capacity: 10_000, aloneMs: 3_000, arrivalsPerSecond: 30, seconds: 120 });
  expect(simulation.limit.value).toBe(restingLimit);
  simulation.run({ capacity: 10_000, aloneMs: 3_000, arrivalsPerSecond: 90, seconds: 60 });
  expect(simulation.limit.value).toBeGreaterThan(restingLimit);
});

test.each([
  ['nothing was seen of a process that is started into its load', 0],
  ['its provider was ten times as fast before', 50],
])('what waits for something slow gets all it needs again, when %s', (_when, before) => {
  const simulation = new Simulation();
  const server = { capacity: 10_000, arrivalsPerSecond: 450 };
  if (before > 0) simulation.run({ ...server, aloneMs: before, seconds: 10 });
  simulation.run({ ...server, aloneMs: 500, seconds: 30 });
  const latenciesMs = simulation.run({ ...server, aloneMs: 500, seconds: 10 });
  expect(latenciesMs.length).toBeGreaterThanOrEqual(4_400);
});

test('an overload into which a process is started does not pass for something slow', () => {
  const simulation = new Simulation();
  const latenciesMs = simulation.run({ capacity: 200, aloneMs: 20, arrivalsPerSecond: 1_000, seconds: 120 });
  const queueMs = (least * 1_000) / 200;
  expect(Math.max(...latenciesMs.slice(-2_000))).toBeLessThanOrEqual(1.5 * (queueMs + 20));
});

test('half of the requests waiting for a slow provider do not lower the limit of the others', () => {
  const limit = new LatencyLimit(options, 0);
  for (let nowMs = 0; nowMs < 60_000; nowMs += 5) {
    limit.reached(nowMs);
    limit.answered(nowMs % 2 === 0 ? 5_000 : 20, nowMs);
  }
  expect(limit.value).toBeGreaterThan(restingLimit);
});

test('a limit that is not reached returns to its rest', () => {
  const simulation = new Simulation();
  simulation.run({ capacity: 300, aloneMs: 5, arrivalsPerSecond: 900, seconds: 5 });
  expect(simulation.limit.value).toBeLessThan(restingLimit / 2);
  simulation.run({ capacity: 300, aloneMs: 5, arrivalsPerSecond: 100, seconds: 5 });
  expect(simulation.limit.value).toBeGreaterThan(restingLimit * 0.9);
});

test('whatever is answered after whatever time, the limit stays within its bounds', () => {
  const answers = fc.array(
    fc.record({
      latencyMs: fc.float({ min: 0, max: 30_000, noNaN: true }),
      gapMs: fc.integer({ min: 0, max: 2_000 }),
      underWay: fc.integer({ min: 0, max: 2_000 }),
    }),
    { maxLength: 500 },
  );
  fc.assert(
    fc.property(answers, (given) => {
      const limit = new LatencyLimit(options, 0);
      let nowMs = 0;
      for (const { latencyMs, gapMs, underWay } of given) {
        nowMs += gapMs;
        limit.began(underWay, nowMs);
        limit.answered(latencyMs, nowMs);
        expect(limit.value).toBeGreaterThanOrEqual(least);
        expect(limit.value).toBeLessThanOrEqual(800);
      }
    }),
  );
});
