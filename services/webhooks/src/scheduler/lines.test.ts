import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Claimed } from '#src/queue/claim.ts';
import { Lines } from '#src/scheduler/lines.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const settled = () => vi.advanceTimersByTimeAsync(0);

/** Lines whose calls end when they are told to. */
function heldLines({ hasRoom = true } = {}) {
  const calls: { readonly id: string; readonly end: (delivered: boolean) => void }[] = [];
  const returned: string[] = [];
  const lines = new Lines({
    call: ({ id }) => new Promise((end) => calls.push({ id, end })),
    hasRoom: () => hasRoom,
    giveBack: (waiting) => void returned.push(...waiting.map(({ id }) => id)),
  });
  const add = (count: number, { endpoint = 'shop', cap = 8 } = {}) => {
    for (let n = 0; n < count; n++) {
      lines.add({ id: `${endpoint}-${n}`, endpoint_id: endpoint, cap } as Claimed, 'fast');
    }
  };
  return { lines, calls, returned, add };
}

describe('calls of one receiver', () => {
  test('come one after another, in their order, while it answers at once', async () => {
    const { calls, add } = heldLines();
    add(8);
    for (let number = 1; number <= 8; number++) {
      await settled();
      expect(calls).toHaveLength(number);
      calls[number - 1]?.end(true);
    }
    expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, (_, n) => `shop-${n}`));
  });

  test('come twice as many at once after each time it takes too long, up to the cap of its lane', async () => {
    const { calls, add } = heldLines();
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

  test('come one after another when there is no room for more', async () => {
    const { calls, add } = heldLines({ hasRoom: false });
    add(8);
    await vi.advanceTimersByTimeAsync(400);
    expect(calls).toHaveLength(1);
  });

  test('do not wait for those of others', async () => {
    const { calls, add } = heldLines();
    add(2);
    add(1, { endpoint: 'other' });
    await settled();
    expect(calls.map(({ id }) => id)).toEqual(['shop-0', 'other-0']);
  });
});

describe('what waits for its turn goes back', () => {
  test('when a call fails', async () => {
    const { lines, calls, returned, add } = heldLines();
    add(5);
    calls[0]?.end(false);
    await settled();
    expect(calls).toHaveLength(1);
    expect(returned).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4']);
    expect(lines.leasesOf('shop')).toEqual({ held: 5, most: 8 });
  });

  test('after half a second', async () => {
    const { calls, returned, add } = heldLines();
    add(20);
    await vi.advanceTimersByTimeAsync(500);
    expect(returned).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(50);
    expect([calls.length, returned.length]).toEqual([8, 12]);
  });

  test('when the lane is halted, and when the process ends', async () => {
    const { lines, calls, returned, add } = heldLines();
    add(3);
    lines.setCap('shop', 0);
    expect(returned).toHaveLength(2);
    add(3, { endpoint: 'other' });
    lines.close();
    expect(returned).toHaveLength(4);
    add(1, { endpoint: 'third' });
    for (const { end } of calls) end(true);
    await settled();
    expect([calls.length, returned.length]).toEqual([2, 5]);
  });
});

describe('what may be leased ahead of the calls of a lane', () => {
  test('grows by one with each delivery that waited shortly, and shrinks with others', async () => {
    const { lines, calls, add } = heldLines();
    const endLast = async () => {
      calls.at(-1)?.end(true);
      await settled();
    };
    add(40);
    for (let n = 0; n < 20; n++) await endLast();
    expect(lines.leasesOf('shop').most).toBe(8 + 21);
    vi.advanceTimersByTime(40);
    for (let n = 0; n < 3; n++) {
      await vi.advanceTimersByTimeAsync(40);
      await endLast();
    }
    expect(lines.leasesOf('shop').most).toBeLessThan(8 + 21);
  });

  test('is forgotten with the last lease', async () => {
    const { lines, calls, add } = heldLines();
    add(1);
    calls[0]?.end(true);
    await settled();
    lines.ended('shop');
    expect(lines.leasesOf('shop')).toEqual({ held: 0, most: 0 });
  });

  test('comes to nothing while very many wait in all lines together', () => {
    const { lines, add } = heldLines();
    for (let shop = 0; shop < 9; shop++) add(500, { endpoint: `shop-${shop}` });
    expect(lines.leasesOf('shop-0')).toEqual({ held: 500, most: 8 });
  });
});
