import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Turns } from '#src/sending/turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Calls that end when they are told to, and how many of them are under way. */
function heldCalls() {
  const ends: (() => void)[] = [];
  return {
    ends,
    call: () => new Promise<void>((resolve) => ends.push(resolve)),
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('calls of one receiver', () => {
  test('come one after another while it answers at once', async () => {
    const turns = new Turns();
    const { ends, call } = heldCalls();
    const all = Array.from({ length: 8 }, () => turns.run('shop', call));
    for (let number = 1; number <= 8; number++) {
      await settled();
      expect(ends).toHaveLength(number);
      ends[number - 1]?.();
    }
    await Promise.all(all);
  });

  test('come twice as many at once after each time it takes too long', async () => {
    const turns = new Turns();
    const { ends, call } = heldCalls();
    const all = Array.from({ length: 8 }, () => turns.run('shop', call));
    const started: number[] = [];
    for (let step = 0; step < 4; step++) {
      started.push(ends.length);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(started).toEqual([1, 2, 4, 8]);
    for (const end of ends) end();
    await Promise.all(all);
  });

  test('do not wait for those of others, nor for one that failed', async () => {
    const turns = new Turns();
    const { ends, call } = heldCalls();
    const failing = turns.run('shop', () => Promise.reject(new Error('reset')));
    const all = [turns.run('shop', call), turns.run('other', call)];
    await expect(failing).rejects.toThrow('reset');
    await settled();
    expect(ends).toHaveLength(2);
    for (const end of ends) end();
    await Promise.all(all);
  });
});
