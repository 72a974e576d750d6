import { describe, expect, test } from 'vitest';
import { permitCountsDefault } from '#src/scheduler/permits.ts';
import { Simulation, type SimulatedEndpoint, type SimulatedQueue } from './support/simulation.ts';

const healthyCount = 2_000;
const seed = 20_260_930;
const runMs = 60_000;

const healthy: SimulatedEndpoint = { eventsPerSec: 1, call: () => ({ latencyMs: 50, delivered: true }) };
const dead: SimulatedEndpoint = { eventsPerSec: 20, call: () => ({ latencyMs: 7_000, delivered: false }) };

function simulate(deadCount: number, deadEndpoint = dead) {
  const endpoints = [
    ...Array.from({ length: healthyCount }, () => healthy),
    ...Array.from({ length: deadCount }, () => deadEndpoint),
  ];
  const simulation = new Simulation(endpoints, seed);
  const quickPermitsOfAll: number[] = [];
  simulation.run(runMs, (nowMs) => {
    if (nowMs >= 10_000) quickPermitsOfAll.push(simulation.permits.inUse('fast') + simulation.permits.inUse('suspect'));
  });
  return {
    well: simulation.queues.slice(0, healthyCount),
    dead: simulation.queues.slice(healthyCount),
    quickPermitsMax: Math.max(...quickPermitsOfAll),
  };
}

/** The wait that 99 of 100 deliveries created in a window did not exceed. */
function p99(queues: readonly SimulatedQueue[], fromMs = 0, toMs = runMs): number {
  const waits = queues
    .flatMap((queue) => queue.waits)
    .filter(({ createdMs }) => createdMs >= fromMs && createdMs < toMs)
    .map(({ waitMs }) => waitMs)
    .toSorted((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)] ?? Infinity;
}

/** Share of the deliveries that were created and called within a second of it. */
function onTime(queues: readonly SimulatedQueue[]): number {
  const created = queues.reduce((sum, queue) => sum + queue.waits.length + queue.first.length, 0);
  const prompt = queues.flatMap((queue) => queue.waits).filter(({ waitMs }) => waitMs <= 1_000).length;
  return prompt / created;
}

const callsInFirstMinute = (queues: readonly SimulatedQueue[]) => Math.max(...queues.map(({ calls }) => calls.length));

/** Two deliveries with their retries at once (spec 6, rule 2), then one probe. */
const callsOfDyingMax = 7;

describe('2,000 healthy endpoints', () => {
  test.each([1, 50])('do not notice %i that hang', (deadCount) => {
    const { well, dead: hanging } = simulate(deadCount);
    expect(p99(well)).toBeLessThanOrEqual(1);
    expect(onTime(well)).toBeGreaterThanOrEqual(0.999);
    expect(callsInFirstMinute(hanging)).toBeLessThanOrEqual(callsOfDyingMax);
  });

  test('wait a second at most when 200 die at once, and not at all ten seconds later', () => {
    const { well, dead: hanging, quickPermitsMax } = simulate(200);
    expect(p99(well, 0, 10_000)).toBeLessThanOrEqual(1_000);
    expect(p99(well, 10_000)).toBeLessThanOrEqual(100);
    expect(onTime(well)).toBeGreaterThanOrEqual(0.999);
    expect(callsInFirstMinute(hanging)).toBeLessThanOrEqual(callsOfDyingMax);
    // Of the quick permits in use, about a hundred are the healthy ones': 2,000 calls of 50 ms a second.
    expect(quickPermitsMax).toBeLessThanOrEqual(
      100 * 1.5 + (permitCountsDefault.fast + permitCountsDefault.suspect) / 4,
    );
  });

  test('are served again ten seconds after 1,000 died at once', () => {
    const { well, dead: hanging } = simulate(1_000);
    expect(p99(well, 10_000)).toBeLessThanOrEqual(100);
    expect(callsInFirstMinute(hanging)).toBeLessThanOrEqual(callsOfDyingMax);
  });

  test('do not notice 1,000 that refuse every call at once', () => {
    const refusing: SimulatedEndpoint = { eventsPerSec: 20, call: () => ({ latencyMs: 2, delivered: false }) };
    expect(p99(simulate(1_000, refusing).well)).toBeLessThanOrEqual(100);
  });
});

describe('an endpoint that comes back', () => {
  test('is noticed within a minute, and has its whole backlog two minutes later', () => {
    const returnsAtMs = 100_000;
    const returning: SimulatedEndpoint = {
      eventsPerSec: 100,
      call: (nowMs) => ({ latencyMs: 20, delivered: nowMs >= returnsAtMs }),
    };
    const simulation = new Simulation([returning], seed);
    simulation.run(returnsAtMs);
    const [queue] = simulation.queues;
    expect(queue!.first.length).toBeGreaterThan(9_000);
    simulation.run(returnsAtMs + 60_000);
    expect(queue!.state.breaker).not.toBe('open');
    simulation.run(returnsAtMs + 180_000);
    expect(queue!.first.length).toBeLessThan(100);
    expect(queue!.state).toMatchObject({ breaker: 'closed', concurrency: 8 });
  });
});
