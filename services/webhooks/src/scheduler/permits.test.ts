import { describe, expect, test } from 'vitest';
import { PermitPools } from '#src/scheduler/permits.ts';

const counts = { fast: 8, suspect: 8, slow: 8 };
/** A quarter of eight. */
const share = 2;

describe('one account', () => {
  test('has at most its share of a pool, however many calls it makes, and others have the rest', () => {
    const permits = new PermitPools(counts);
    for (let calls = 0; calls < share; calls++) permits.acquire('fast', 0, 'live acc_a');
    expect(permits.availableTo('fast', 'live acc_a')).toBe(0);
    expect(permits.accountsAtShare('fast')).toEqual(['live acc_a']);
    expect(permits.availableTo('fast', 'live acc_b')).toBe(share);
    expect(permits.available('fast')).toBe(counts.fast - share);
  });

  test('gets a permit again for each call that ends', () => {
    const permits = new PermitPools(counts);
    const first = permits.acquire('suspect', 0, 'live acc_a');
    permits.acquire('suspect', 0, 'live acc_a');
    permits.release(first);
    permits.release(first);
    expect(permits.availableTo('suspect', 'live acc_a')).toBe(1);
    expect(permits.accountsAtShare('suspect')).toEqual([]);
  });

  test('takes no more than its share of the slow calls either: what hangs beyond it keeps the account’s quick permits', () => {
    const permits = new PermitPools(counts);
    for (let calls = 0; calls < 2 * share; calls++) permits.acquire('fast', 0, 'live acc_a');
    permits.acquire('fast', 0, 'live acc_b');
    permits.moveSlow(1_000);
    expect([permits.inUse('slow'), permits.availableTo('slow', 'live acc_a')]).toEqual([share + 1, 0]);
    expect([permits.inUse('fast'), permits.availableTo('fast', 'live acc_a')]).toEqual([share, 0]);
  });
});
