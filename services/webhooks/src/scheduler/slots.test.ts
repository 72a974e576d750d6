import { describe, expect, test } from 'vitest';
import { Slots } from '#src/scheduler/slots.ts';

const budgets = { fast: 8, suspect: 8, slow: 8 };
/** A quarter of eight. */
const share = 2;

describe('one account', () => {
  test('has at most its share of a budget, however many calls it makes, and others have the rest', () => {
    const slots = new Slots(budgets);
    for (let calls = 0; calls < share; calls++) slots.take('fast', 0, 'live acc_a');
    expect(slots.freeOf('fast', 'live acc_a')).toBe(0);
    expect(slots.ownersAtShare('fast')).toEqual(['live acc_a']);
    expect(slots.freeOf('fast', 'live acc_b')).toBe(share);
    expect(slots.free('fast')).toBe(budgets.fast - share);
  });

  test('gets room again for each call that ends', () => {
    const slots = new Slots(budgets);
    const first = slots.take('suspect', 0, 'live acc_a');
    slots.take('suspect', 0, 'live acc_a');
    slots.release(first);
    slots.release(first);
    expect(slots.freeOf('suspect', 'live acc_a')).toBe(1);
    expect(slots.ownersAtShare('suspect')).toEqual([]);
  });

  test('takes no more than its share of the slow calls either: what hangs beyond it keeps the account’s quick places', () => {
    const slots = new Slots(budgets);
    for (let calls = 0; calls < 2 * share; calls++) slots.take('fast', 0, 'live acc_a');
    slots.take('fast', 0, 'live acc_b');
    slots.moveSlow(1_000);
    expect([slots.inUse('slow'), slots.freeOf('slow', 'live acc_a')]).toEqual([share + 1, 0]);
    expect([slots.inUse('fast'), slots.freeOf('fast', 'live acc_a')]).toEqual([share, 0]);
  });
});
