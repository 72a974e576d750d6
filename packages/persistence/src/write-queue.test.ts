import { describe, expect, test, vi } from 'vitest';
import { databaseUnavailable } from '@gateway/runtime';
import { WriteQueue } from '#src/write-queue.ts';

/** A write whose batches end when the test says so. */
function heldWrite() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const write = async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise<void>((resolve) => releases.push(resolve));
    return items.map((item) => item * 10);
  };
  return { batches, write, release: () => releases.shift()?.() };
}

describe('a write queue', () => {
  test('writes together what arrives in one turn, then what queued meanwhile, in order', async () => {
    const { batches, write, release } = heldWrite();
    const queue = new WriteQueue(write, { batchMax: 3 });
    const early = [1, 2].map((item) => queue.add(item));
    await vi.waitFor(() => expect(batches).toEqual([[1, 2]]));
    const late = [3, 4, 5, 6].map((item) => queue.add(item));
    release();
    expect(await Promise.all(early)).toEqual([10, 20]);
    release();
    expect(await late[0]).toBe(30);
    release();
    expect(await Promise.all(late)).toEqual([30, 40, 50, 60]);
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  test('with a pause: what arrives within it after a batch of several items is one batch, and after a single item none is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    try {
      const batches: number[][] = [];
      const write = async (items: readonly number[]) => {
        batches.push([...items]);
        return items;
      };
      const queue = new WriteQueue(write, { pauseMs: 5 });
      await queue.add(1);
      await turn();
      await Promise.all([queue.add(2), queue.add(3)]);
      const late = [queue.add(4)];
      await turn();
      late.push(queue.add(5));
      await turn();
      expect(batches).toEqual([[1], [2, 3]]);
      await vi.advanceTimersByTimeAsync(5);
      expect(await Promise.all(late)).toEqual([4, 5]);
      expect(batches).toEqual([[1], [2, 3], [4, 5]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('never puts two items of one row into one batch, and keeps their order', async () => {
    const { batches, write, release } = heldWrite();
    const queue = new WriteQueue(write, { keyOf: (item) => String(item % 10) });
    const written = [7, 1, 11, 2, 21].map((item) => queue.add(item));
    for (const item of [7, 11, 21]) {
      await vi.waitFor(() => expect(batches.at(-1)).toContain(item));
      release();
    }
    await Promise.all(written);
    expect(batches).toEqual([[7, 1, 2], [11], [21]]);
  });

  test('lets an item that fails alone fail, and writes its neighbours', async () => {
    const write = async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('3 does not fit');
      return items.map((item) => item * 10);
    };
    const queue = new WriteQueue(write);
    const written = await Promise.allSettled([1, 2, 3, 4].map((item) => queue.add(item)));
    expect(written.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      10,
      20,
      'Error: 3 does not fit',
      40,
    ]);
    expect(await queue.add(5)).toBe(50);
  });

  test('writes nothing a second time when the connection was lost, since it may have been written', async () => {
    let writes = 0;
    const queue = new WriteQueue(async (): Promise<number[]> => {
      writes += 1;
      throw databaseUnavailable(new Error('Connection terminated'));
    });
    const written = await Promise.allSettled([1, 2, 3].map((item) => queue.add(item)));
    expect(written.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(writes).toBe(1);
  });
});
