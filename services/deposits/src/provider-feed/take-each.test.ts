import { expect, test } from 'vitest';
import { takeEach } from '#src/provider-feed/take-each.ts';

test('one that cannot be taken hides no other, and the first that could not is known', async () => {
  const taken: number[] = [];
  const taking = takeEach([1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error(`${item} cannot be taken`);
    taken.push(item);
  });
  await expect(taking).rejects.toThrow('2 cannot be taken');
  expect(taken).toEqual([1, 3]);
});
