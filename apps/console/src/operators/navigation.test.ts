import { expect, test } from 'vitest';
import { navigationFor } from '#src/operators/navigation.ts';

test('no two pages have the same letter, and none has one that is a command', () => {
  const pages = navigationFor(() => true).flatMap((group) => group.pages);
  const letters = pages.map(({ key }) => key);
  expect(new Set(letters).size).toBe(letters.length);
  expect(letters.filter((letter) => letter === 'g')).toEqual([]);
});

test('a page that the roles do not allow is not offered, and a group without one is left out', () => {
  const pages = navigationFor(() => false);
  expect(pages.map(({ name }) => name)).not.toContain('control');
  expect(pages.flatMap((group) => group.pages).map(({ to }) => to)).toContain('/accounts');
});
