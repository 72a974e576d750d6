import { expect, test } from 'vitest';
import { ReferenceLimiter } from '#src/reference-limiter.ts';

test('a reference is asked about so often in a minute, whatever is asked about others, and no more than so many are kept', () => {
  let nowMs = 0;
  const limiter = new ReferenceLimiter(2, () => new Date(nowMs), 3);
  const taken = (reference: string) => [1, 2, 3].filter(() => limiter.take(reference)).length;
  expect([taken('a'), taken('b'), taken('a')]).toEqual([2, 2, 0]);
  nowMs = 59_999;
  expect(taken('a')).toBe(0);
  nowMs = 60_000;
  expect(taken('a')).toBe(2);
  expect([taken('c'), taken('d'), taken('a'), taken('b')]).toEqual([2, 2, 0, 2]);
});
