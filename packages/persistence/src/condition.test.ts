import { expect, test } from 'vitest';
import { allOf, wanted } from '#src/condition.ts';

test('conditions are joined with their values as parameters, behind those that are there already', () => {
  const params: unknown[] = ['first'];
  const text = allOf([...wanted('a = ?', 1), ...wanted('b between ? and ?', 2, null), ...wanted('c')], params);
  expect(text).toBe('a = $2 and b between $3 and $4 and c');
  expect(params).toEqual(['first', 1, 2, null]);
});

test('what is not asked for does not narrow', () => {
  expect(wanted('a = ?', undefined)).toEqual([]);
  expect(allOf([], [])).toBe('true');
});
