import { expect, test } from 'vitest';
import { countFilters, storedOf, typedOf } from '#src/records/filter-values.ts';

test('an amount is typed in any usual form, and stands in the address in the smallest unit', () => {
  expect(storedOf('amount', '1.234,56', 'BRL')).toBe(123_456);
  expect(typedOf('amount', 123_456, 'BRL')).toBe('1234.56');
  expect(storedOf('amount', 'much', 'BRL')).toBeUndefined();
});

test('a day is a day of the reader, and a period ends before the next one begins', () => {
  const [first, last] = [storedOf('fromDay', '2026-03-01', 'BRL'), storedOf('untilDay', '2026-03-01', 'BRL')];
  expect(Number(last) - Number(first)).toBe(86_400);
  expect([typedOf('fromDay', first, 'BRL'), typedOf('untilDay', last, 'BRL')]).toEqual(['2026-03-01', '2026-03-01']);
  expect(storedOf('fromDay', 'yesterday', 'BRL')).toBeUndefined();
});

test('what is empty is no filter, and what an address has wrongly is not shown', () => {
  expect(storedOf('text', '  ', 'BRL')).toBeUndefined();
  expect(storedOf('text', ' order-1 ', 'BRL')).toBe('order-1');
  expect([typedOf('amount', 'much', 'BRL'), typedOf('text', undefined, 'BRL')]).toEqual(['', '']);
});

test('the page that is read is no filter of a list', () => {
  expect(countFilters({ status: 'PAID', currency: undefined, cursor: 'next', min_amount: 5 })).toBe(2);
});
