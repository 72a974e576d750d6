import { expect, test } from 'vitest';
import { textOf } from '#src/records/typed-text.ts';

test('a filter of blanks alone is none, and of what was typed the blanks at its ends are no part', () => {
  expect(textOf('  ')).toBeUndefined();
  expect(textOf(null)).toBeUndefined();
  expect(textOf(' acc_1 ')).toBe('acc_1');
});
