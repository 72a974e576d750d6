import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBucket } from '#src/limits/token-bucket.ts';

test('a burst passes at once, the next request waits for its token', () => {
  const limit = { perSecond: 10, burst: 3 };
  const bucket = new TokenBucket(limit, 0);
  const burst = [0, 0, 0, 0].map((now) => bucket.take(limit, now));
  expect(burst.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
  expect(burst.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
  expect(burst[3]).toMatchObject({ limit: 3, resetSec: 1, retryAfterSec: 1 });
  expect(bucket.take(limit, 99).allowed).toBe(false);
  expect(bucket.take(limit, 100).allowed).toBe(true);
});

test('a limit that was lowered holds at once', () => {
  const bucket = new TokenBucket({ perSecond: 100, burst: 200 }, 0);
  const lowered = { perSecond: 1, burst: 2 };
  expect([1, 2, 3].map(() => bucket.take(lowered, 0).allowed)).toEqual([true, true, false]);
});

test('no more pass in any time than the burst and the rate allow', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 });
  const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(limits, gaps, (limit, waits) => {
      const bucket = new TokenBucket(limit, 0);
      let now = 0;
      let passed = 0;
      for (const wait of waits) {
        now += wait;
        if (bucket.take(limit, now).allowed) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(limit.burst + (now * limit.perSecond) / 1_000 + 1e-6);
    }),
  );
});

test('what was spent elsewhere is paid back before anything passes', () => {
  const limit = { perSecond: 10, burst: 3 };
  const bucket = new TokenBucket(limit, 0);
  bucket.spend(5);
  expect(bucket.take(limit, 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterSec: 1 });
  expect([299, 300].map((now) => bucket.take(limit, now).allowed)).toEqual([false, true]);
});
