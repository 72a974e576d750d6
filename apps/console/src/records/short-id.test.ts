import { expect, test } from 'vitest';
import { shortId } from '#src/records/short-id.ts';

test('an id keeps its kind, its time and its end; what is short stays whole', () => {
  expect(shortId('pyt_01k9z3m4v6t8x0a2c4e6g8jk01')).toBe('pyt_01k9z3…jk01');
  expect(shortId('order-1001')).toBe('order-1001');
  expect(shortId('0123456789012345')).toBe('0123456789012345');
});
