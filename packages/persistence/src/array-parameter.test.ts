import { expect, test } from 'vitest';
import { textArray } from '#src/array-parameter.ts';

test('an array keeps its bytes while others of any length are written after it', () => {
  const texts = ['a', 'ção €', null, 'x'.repeat(2_000)];
  const first = textArray(texts);
  const bytes = first.toString('hex');
  for (const length of [1, 400_000, 3]) textArray(['z'.repeat(length)]);
  expect(first.toString('hex')).toBe(bytes);
  expect(textArray(texts).equals(first)).toBe(true);
});

test('an array takes as much memory as it has bytes, however long its texts could be in UTF-8', () => {
  const array = textArray(['x'.repeat(200_000)]);
  expect(array.buffer.byteLength).toBe(array.length);
});
