import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  isSuspect,
  initialQueueState,
  type AttemptSummary,
  type QueueState,
} from '#src/queue/queue-state.ts';

const noJitter = () => 0;

function end(deliveryId: string, delivered: boolean, given: Partial<AttemptSummary> = {}): AttemptSummary {
  return { deliveryId, delivered, first: true, immediateRetriesDone: true, latencyMs: 10, ...given };
}

function run(state: QueueState, ends: readonly AttemptSummary[], nowMs = 0): QueueState {
  return ends.reduce((before, each) => afterAttempt(before, each, nowMs, noJitter), state);
}

const failures = (...ids: string[]) => ids.map((id) => end(id, false));
const successes = (count: number) => Array.from({ length: count }, (_, i) => end(`ok-${i}`, true));

describe('the queue of an endpoint', () => {
  test('starts with two calls at a time and grows to eight by successes', () => {
    expect(initialQueueState(0).concurrency).toBe(2);
    expect(run(initialQueueState(0), successes(3)).concurrency).toBe(5);
    expect(run(initialQueueState(0), successes(50)).concurrency).toBe(8);
  });

  test('is halved by a slow success', () => {
    const grown = run(initialQueueState(0), successes(10));
    expect(run(grown, [end('slow', true, { latencyMs: 2_001 })]).concurrency).toBe(4);
  });

  test('is suspect and one at a time after a failure, until the next success', () => {
    const failed = run(initialQueueState(0), [...successes(10), ...failures('a')]);
    expect(failed).toMatchObject({ concurrency: 1, breaker: 'closed' });
    expect(isSuspect(failed)).toBe(true);
    expect(isSuspect(run(failed, successes(1)))).toBe(false);
  });

  test('stays closed however often one delivery fails, and opens at the third different one', () => {
    const one = run(initialQueueState(0), failures('a', 'a', 'a', 'a', 'a', 'a'));
    expect(one.breaker).toBe('closed');
    expect(run(initialQueueState(0), failures('a', 'b')).breaker).toBe('closed');
    expect(run(initialQueueState(0), failures('a', 'b', 'c'))).toMatchObject({ breaker: 'open', heldUntilMs: 30_000 });
    expect(run(initialQueueState(0), [...failures('a', 'b'), ...successes(1), ...failures('c', 'd')]).breaker).toBe(
      'closed',
    );
  });

  test('opens when half of twenty deliveries within a minute fail', () => {
    const mixed = Array.from({ length: 20 }, (_, i) => end(`d-${i}`, i % 2 === 0));
    expect(run(initialQueueState(0), mixed.slice(0, 19)).breaker).toBe('closed');
    expect(run(initialQueueState(0), mixed).breaker).toBe('open');
    const spread = mixed.reduce(
      (state, each, i) => afterAttempt(state, each, i * 7_000, noJitter),
      initialQueueState(0),
    );
    expect(spread.breaker).toBe('closed');
  });

  test('lets two deliveries have their retries before it opens, unless each of their calls takes seconds', () => {
    expect(run(initialQueueState(0), failures('a', 'a', 'a', 'b', 'b', 'b')).breaker).toBe('closed');
    expect(run(initialQueueState(0), failures('a', 'a', 'a', 'b', 'b', 'b', 'a')).breaker).toBe('open');
    const hanging = ['a', 'b', 'a', 'b'].map((id) => end(id, false, { latencyMs: 7_000 }));
    expect(run(initialQueueState(0), hanging.slice(0, 3)).breaker).toBe('closed');
    expect(run(initialQueueState(0), hanging).breaker).toBe('open');
  });

  test('never opens at a delivery that is still to have its retries at once, however many fail', () => {
    const early = ['a', 'b', 'c', 'd'].map((id) => end(id, false, { immediateRetriesDone: false, latencyMs: 7_000 }));
    const waiting = run(initialQueueState(0), early);
    expect(waiting.breaker).toBe('closed');
    expect(run(waiting, failures('a')).breaker).toBe('open');
  });

  test('that one delivery has failed in for hours gives the next one its retries at once', () => {
    const failing = run(initialQueueState(0), failures(...Array.from({ length: 12 }, () => 'a')));
    const next = [
      end('b', false, { immediateRetriesDone: false }),
      end('b', false, { immediateRetriesDone: false, first: false }),
    ];
    expect(run(failing, next).breaker).toBe('closed');
    expect(run(failing, [...next, end('b', false, { first: false })]).breaker).toBe('open');
  });

  test('is probed every minute in the first hour of failures, then ever less, down to every fifteen minutes', () => {
    let state = run(initialQueueState(0), failures('a', 'b', 'c'));
    const recentMs: number[] = [];
    for (let nowMs = state.heldUntilMs; nowMs < 3_600_000; nowMs = state.heldUntilMs) {
      state = run(state, failures('probe'), nowMs);
      recentMs.push(state.heldUntilMs - nowMs);
    }
    expect(new Set(recentMs)).toEqual(new Set([54_000]));
    const nowMs = state.heldUntilMs;
    expect(run(state, failures('probe'), nowMs).heldUntilMs - nowMs).toBe(900_000);
  });

  test('opens twice as long after each probe that fails, up to fifteen minutes', () => {
    let state: QueueState = { ...run(initialQueueState(0), failures('a', 'b', 'c')), failingSinceMs: -3_600_000 };
    const opensMs: number[] = [];
    for (let i = 0; i < 7; i++) {
      const nowMs = state.heldUntilMs;
      state = run(state, failures('probe'), nowMs);
      opensMs.push(state.heldUntilMs - nowMs);
    }
    expect(opensMs).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000]);
  });

  test('is not held longer by calls that were under way when it opened', () => {
    const open = run(initialQueueState(0), failures('a', 'b', 'c'));
    expect(run(open, failures('d', 'e'), 5_000).heldUntilMs).toBe(open.heldUntilMs);
  });

  test('ramps up 1, 2, 4, 8 after a probe got through, and is closed then', () => {
    const open = run(initialQueueState(0), failures('a', 'b', 'c'));
    const steps: [number, string][] = [];
    let state = open;
    for (let i = 0; i < 4; i++) {
      state = run(state, successes(1), 60_000);
      steps.push([state.concurrency, state.breaker]);
    }
    expect(steps).toEqual([
      [1, 'half_open'],
      [2, 'half_open'],
      [4, 'half_open'],
      [8, 'closed'],
    ]);
    expect(run(open, [...successes(2), ...failures('x')], 60_000)).toMatchObject({ breaker: 'open', concurrency: 1 });
  });

  test('waits as long as its receiver asks, but not for days', () => {
    const asked = (retryAfterMs: number) =>
      run(initialQueueState(0), [end('a', false, { retryAfterMs })], 1_000).heldUntilMs;
    expect(asked(60_000)).toBe(61_000);
    expect(asked(1e12)).toBe(901_000);
  });

  test('never has fewer than one or more than eight calls at once, and is never held for more than its longest opening', () => {
    const ends = fc.record({
      deliveryId: fc.constantFrom('a', 'b', 'c', 'd'),
      delivered: fc.boolean(),
      first: fc.boolean(),
      immediateRetriesDone: fc.boolean(),
      latencyMs: fc.integer({ min: 0, max: 7_000 }),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
      passedMs: fc.integer({ min: 0, max: 100_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(ends, { maxLength: 200 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
        (all, jitter) => {
          let nowMs = 0;
          let state = initialQueueState(0);
          for (const { passedMs, ...each } of all) {
            nowMs += passedMs;
            state = afterAttempt(state, each, nowMs, () => (jitter.next() as IteratorYieldResult<number>).value);
            expect(state.concurrency).toBeGreaterThanOrEqual(1);
            expect(state.concurrency).toBeLessThanOrEqual(8);
            expect(state.heldUntilMs - nowMs).toBeLessThanOrEqual(15 * 60_000 * 1.1);
            if (each.delivered) expect(state.failingSinceMs).toBeNull();
          }
        },
      ),
    );
  });
});
