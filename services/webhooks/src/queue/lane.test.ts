import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterAttempt, isSuspect, newLane, type AttemptEnd, type Lane } from '#src/queue/lane.ts';

const noJitter = () => 0;

function end(deliveryId: string, delivered: boolean, given: Partial<AttemptEnd> = {}): AttemptEnd {
  return { deliveryId, delivered, first: true, through: true, latencyMs: 10, ...given };
}

function run(lane: Lane, ends: readonly AttemptEnd[], nowMs = 0): Lane {
  return ends.reduce((state, each) => afterAttempt(state, each, nowMs, noJitter), lane);
}

const failures = (...ids: string[]) => ids.map((id) => end(id, false));
const successes = (count: number) => Array.from({ length: count }, (_, i) => end(`ok-${i}`, true));

describe('a lane', () => {
  test('starts with two calls at a time and grows to eight by successes', () => {
    expect(newLane(0).cap).toBe(2);
    expect(run(newLane(0), successes(3)).cap).toBe(5);
    expect(run(newLane(0), successes(50)).cap).toBe(8);
  });

  test('is halved by a slow success', () => {
    const grown = run(newLane(0), successes(10));
    expect(run(grown, [end('slow', true, { latencyMs: 2_001 })]).cap).toBe(4);
  });

  test('is suspect and one at a time after a failure, until the next success', () => {
    const failed = run(newLane(0), [...successes(10), ...failures('a')]);
    expect(failed).toMatchObject({ cap: 1, breaker: 'closed' });
    expect(isSuspect(failed)).toBe(true);
    expect(isSuspect(run(failed, successes(1)))).toBe(false);
  });

  test('stays closed however often one delivery fails, and opens at the third different one', () => {
    const one = run(newLane(0), failures('a', 'a', 'a', 'a', 'a', 'a'));
    expect(one.breaker).toBe('closed');
    expect(run(newLane(0), failures('a', 'b')).breaker).toBe('closed');
    expect(run(newLane(0), failures('a', 'b', 'c'))).toMatchObject({ breaker: 'open', heldUntilMs: 30_000 });
    expect(run(newLane(0), [...failures('a', 'b'), ...successes(1), ...failures('c', 'd')]).breaker).toBe('closed');
  });

  test('opens when half of twenty deliveries within a minute fail', () => {
    const mixed = Array.from({ length: 20 }, (_, i) => end(`d-${i}`, i % 2 === 0));
    expect(run(newLane(0), mixed.slice(0, 19)).breaker).toBe('closed');
    expect(run(newLane(0), mixed).breaker).toBe('open');
    const spread = mixed.reduce((lane, each, i) => afterAttempt(lane, each, i * 7_000, noJitter), newLane(0));
    expect(spread.breaker).toBe('closed');
  });

  test('lets two deliveries have their retries before it opens, unless each of their calls takes seconds', () => {
    expect(run(newLane(0), failures('a', 'a', 'a', 'b', 'b', 'b')).breaker).toBe('closed');
    expect(run(newLane(0), failures('a', 'a', 'a', 'b', 'b', 'b', 'a')).breaker).toBe('open');
    const hanging = ['a', 'b', 'a', 'b'].map((id) => end(id, false, { latencyMs: 7_000 }));
    expect(run(newLane(0), hanging.slice(0, 3)).breaker).toBe('closed');
    expect(run(newLane(0), hanging).breaker).toBe('open');
  });

  test('never opens at a delivery that is still to have its retries at once, however many fail', () => {
    const early = ['a', 'b', 'c', 'd'].map((id) => end(id, false, { through: false, latencyMs: 7_000 }));
    const waiting = run(newLane(0), early);
    expect(waiting.breaker).toBe('closed');
    expect(run(waiting, failures('a')).breaker).toBe('open');
  });

  test('that one delivery has failed in for hours gives the next one its retries at once', () => {
    const failing = run(newLane(0), failures(...Array.from({ length: 12 }, () => 'a')));
    const next = [end('b', false, { through: false }), end('b', false, { through: false, first: false })];
    expect(run(failing, next).breaker).toBe('closed');
    expect(run(failing, [...next, end('b', false, { first: false })]).breaker).toBe('open');
  });

  test('is probed every minute in the first hour of failures, then ever less, down to every fifteen minutes', () => {
    let lane = run(newLane(0), failures('a', 'b', 'c'));
    const recentMs: number[] = [];
    for (let nowMs = lane.heldUntilMs; nowMs < 3_600_000; nowMs = lane.heldUntilMs) {
      lane = run(lane, failures('probe'), nowMs);
      recentMs.push(lane.heldUntilMs - nowMs);
    }
    expect(new Set(recentMs)).toEqual(new Set([54_000]));
    const nowMs = lane.heldUntilMs;
    expect(run(lane, failures('probe'), nowMs).heldUntilMs - nowMs).toBe(900_000);
  });

  test('opens twice as long after each probe that fails, up to fifteen minutes', () => {
    let lane: Lane = { ...run(newLane(0), failures('a', 'b', 'c')), failingSinceMs: -3_600_000 };
    const opensMs: number[] = [];
    for (let i = 0; i < 7; i++) {
      const nowMs = lane.heldUntilMs;
      lane = run(lane, failures('probe'), nowMs);
      opensMs.push(lane.heldUntilMs - nowMs);
    }
    expect(opensMs).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000]);
  });

  test('is not held longer by calls that were under way when it opened', () => {
    const open = run(newLane(0), failures('a', 'b', 'c'));
    expect(run(open, failures('d', 'e'), 5_000).heldUntilMs).toBe(open.heldUntilMs);
  });

  test('ramps up 1, 2, 4, 8 after a probe got through, and is closed then', () => {
    const open = run(newLane(0), failures('a', 'b', 'c'));
    const caps: [number, string][] = [];
    let lane = open;
    for (let i = 0; i < 4; i++) {
      lane = run(lane, successes(1), 60_000);
      caps.push([lane.cap, lane.breaker]);
    }
    expect(caps).toEqual([
      [1, 'half_open'],
      [2, 'half_open'],
      [4, 'half_open'],
      [8, 'closed'],
    ]);
    expect(run(open, [...successes(2), ...failures('x')], 60_000)).toMatchObject({ breaker: 'open', cap: 1 });
  });

  test('waits as long as its receiver asks, but not for days', () => {
    const asked = (retryAfterMs: number) => run(newLane(0), [end('a', false, { retryAfterMs })], 1_000).heldUntilMs;
    expect(asked(60_000)).toBe(61_000);
    expect(asked(1e12)).toBe(901_000);
  });

  test('never has fewer than one or more than eight places, and is never held for more than its longest opening', () => {
    const ends = fc.record({
      deliveryId: fc.constantFrom('a', 'b', 'c', 'd'),
      delivered: fc.boolean(),
      first: fc.boolean(),
      through: fc.boolean(),
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
          let lane = newLane(0);
          for (const { passedMs, ...each } of all) {
            nowMs += passedMs;
            lane = afterAttempt(lane, each, nowMs, () => (jitter.next() as IteratorYieldResult<number>).value);
            expect(lane.cap).toBeGreaterThanOrEqual(1);
            expect(lane.cap).toBeLessThanOrEqual(8);
            expect(lane.heldUntilMs - nowMs).toBeLessThanOrEqual(15 * 60_000 * 1.1);
            if (each.delivered) expect(lane.failingSinceMs).toBeNull();
          }
        },
      ),
    );
  });
});
