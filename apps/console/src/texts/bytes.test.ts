import { expect, test } from 'vitest';
import { formatBytes } from '#src/texts/bytes.ts';

test('the size of a file is read in the largest unit of which there is one', () => {
  expect(formatBytes(0, 'en')).toBe('0 bytes');
  expect(formatBytes(999, 'en')).toBe('999 bytes');
  expect(formatBytes(48_213, 'en')).toBe('48.2 kB');
  expect(formatBytes(5_242_880, 'pt-BR')).toMatch(/^5,2\sMB$/);
});
