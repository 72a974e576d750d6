import { expect, test } from 'vitest';
import { ReadQueue } from '#src/read-queue.ts';

function queueOf(read: (items: readonly string[]) => Promise<readonly string[]>) {
  return new ReadQueue({ keyOf: (item: string) => item, read });
}

test('those who ask in one turn are answered by one read, each with its own answer', async () => {
  const batches: (readonly string[])[] = [];
  const queue = queueOf(async (items) => {
    batches.push(items);
    return items.map((item) => `answer to ${item}`);
  });
  const answers = await Promise.all(['a', 'b', 'a', 'c'].map((item) => queue.add(item)));
  expect(answers).toEqual(['answer to a', 'answer to b', 'answer to a', 'answer to c']);
  expect(batches).toEqual([['a', 'b', 'c']]);
});

test('whoever asks while a read is in flight is answered by a later one', async () => {
  let reads = 0;
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const queue = queueOf(async (items) => {
    const read = (reads += 1);
    begun.resolve();
    if (read === 1) await first.promise;
    return items.map(() => `read ${read}`);
  });
  const early = queue.add('a');
  await begun.promise;
  const late = queue.add('a');
  first.resolve();
  expect(await Promise.all([early, late])).toEqual(['read 1', 'read 2']);
});

test('what one account makes fail does not fail its neighbours', async () => {
  const queue = queueOf(async (items) => {
    if (items.includes('broken')) throw new Error('cannot be read');
    return items;
  });
  const outcomes = await Promise.allSettled(['a', 'broken', 'b'].map((item) => queue.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
