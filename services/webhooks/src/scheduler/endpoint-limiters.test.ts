import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeliveryJob } from '#src/queue/delivery-job.ts';
import { EndpointLimiters } from '#src/scheduler/endpoint-limiters.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const settled = () => vi.advanceTimersByTimeAsync(0);

/** Limiters whose calls end when the test ends them. */
function heldCalls({ hasPermit = true } = {}) {
  const calls: { readonly id: string; readonly end: (delivered: boolean) => void }[] = [];
  const returned: string[] = [];
  const limiters = new EndpointLimiters({
    call: ({ id }) => new Promise((end) => calls.push({ id, end })),
    hasPermit: () => hasPermit,
    giveBack: (jobs) => void returned.push(...jobs.map(({ id }) => id)),
  });
  const add = (count: number, { endpoint = 'shop', concurrency = 8 } = {}) => {
    for (let n = 0; n < count; n++) {
      limiters.add({ id: `${endpoint}-${n}`, endpointId: endpoint, concurrency } as DeliveryJob, 'fast');
    }
  };
  return { limiters, calls, returned, add };
}

describe('calls of one receiver', () => {
  test('come one after another, in their order, while it answers at once', async () => {
    const { calls, add } = heldCalls();
    add(8);
    for (let number = 1; number <= 8; number++) {
      await settled();
      expect(calls).toHaveLength(number);
      calls[number - 1]?.end(true);
    }
    expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, (_, n) => `shop-${n}`));
  });

  test('come twice as many at once after each time it takes too long, up to the concurrency of its queue', async () => {
    const { calls, add } = heldCalls();
    add(100);
    const started: number[] = [];
    for (let step = 0; step < 6; step++) {
      started.push(calls.length);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(started).toEqual([1, 2, 4, 8, 8, 8]);
    calls[0]?.end(true);
    await settled();
    expect(calls).toHaveLength(9);
  });

  test('come one after another when there is no permit for more', async () => {
    const { calls, add } = heldCalls({ hasPermit: false });
    add(8);
    await vi.advanceTimersByTimeAsync(400);
    expect(calls).toHaveLength(1);
  });

  test('do not wait for those of others', async () => {
    const { calls, add } = heldCalls();
    add(2);
    add(1, { endpoint: 'other' });
    await settled();
    expect(calls.map(({ id }) => id)).toEqual(['shop-0', 'other-0']);
  });
});

describe('jobs that wait for their call are given back', () => {
  test('when a call fails', async () => {
    const { limiters, calls, returned, add } = heldCalls();
    add(5);
    calls[0]?.end(false);
    await settled();
    expect(calls).toHaveLength(1);
    expect(returned).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4']);
    expect(limiters.leaseLimitsOf('shop')).toEqual({ held: 5, max: 8 });
  });

  test('after half a second', async () => {
    const { calls, returned, add } = heldCalls();
    add(20);
    await vi.advanceTimersByTimeAsync(500);
    expect(returned).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(50);
    expect([calls.length, returned.length]).toEqual([8, 12]);
  });

  test('when the queue is halted, and when the process ends', async () => {
    const { limiters, calls, returned, add } = heldCalls();
    add(3);
    limiters.setConcurrency('shop', 0);
    expect(returned).toHaveLength(2);
    add(3, { endpoint: 'other' });
    limiters.close();
    expect(returned).toHaveLength(4);
    add(1, { endpoint: 'third' });
    for (const { end } of calls) end(true);
    await settled();
    expect([calls.length, returned.length]).toEqual([2, 5]);
  });
});

describe('the prefetch of a queue', () => {
  test('grows by one with each job that waited shortly, and shrinks with others', async () => {
    const { limiters, calls, add } = heldCalls();
    const endLast = async () => {
      calls.at(-1)?.end(true);
      await settled();
    };
    add(40);
    for (let n = 0; n < 20; n++) await endLast();
    expect(limiters.leaseLimitsOf('shop').max).toBe(8 + 21);
    vi.advanceTimersByTime(40);
    for (let n = 0; n < 3; n++) {
      await vi.advanceTimersByTimeAsync(40);
      await endLast();
    }
    expect(limiters.leaseLimitsOf('shop').max).toBeLessThan(8 + 21);
  });

  test('is forgotten with the last lease', async () => {
    const { limiters, calls, add } = heldCalls();
    add(1);
    calls[0]?.end(true);
    await settled();
    limiters.leaseEnded('shop');
    expect(limiters.leaseLimitsOf('shop')).toEqual({ held: 0, max: 0 });
  });

  test('is zero while very many jobs wait in all queues together', () => {
    const { limiters, add } = heldCalls();
    for (let shop = 0; shop < 9; shop++) add(500, { endpoint: `shop-${shop}` });
    expect(limiters.leaseLimitsOf('shop-0')).toEqual({ held: 500, max: 8 });
  });
});
