import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf, topOf } from '#src/look/chart/scale.ts';

test.each([
  [[], 1],
  [[0, null], 1],
  [[3], 3],
  [[7, 2], 8],
  [[1_204_310_55, 9], 150_000_000],
  [[0.4], 0.4],
])('the top of %j is %d', (values, top) => {
  expect(topOf(values)).toBe(top);
});

test('no value is above the top, and no top leaves half of the picture empty', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 14 }), { minLength: 1 }), (values) => {
      const largest = Math.max(...values);
      expect(topOf(values)).toBeGreaterThanOrEqual(largest);
      expect(topOf(values)).toBeLessThan(largest * 2);
    }),
  );
});

test('a line breaks where nothing is known', () => {
  expect(runsOf([null, 1, 2, null, null, 3])).toEqual([
    { at: 1, run: [1, 2] },
    { at: 5, run: [3] },
  ]);
  expect(runsOf([null])).toEqual([]);
});
