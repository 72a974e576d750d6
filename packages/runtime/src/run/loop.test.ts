import { expect, test } from 'vitest';
import { startLoop } from '#src/run/loop.ts';
import { createLogger } from '#src/telemetry/logger.ts';

test('background work goes on after a round that failed, and never overlaps itself', async () => {
  const rounds = Promise.withResolvers<void>();
  let count = 0;
  let running = 0;
  let overlapped = false;
  await using loop = startLoop({
    name: 'test',
    intervalMs: 1,
    logger: createLogger('test', 'silent'),
    work: async () => {
      overlapped ||= running > 0;
      running += 1;
      await new Promise(setImmediate);
      running -= 1;
      count += 1;
      if (count === 1) throw new Error('the first round fails');
      if (count === 3) rounds.resolve();
    },
  });
  loop.wake();
  await rounds.promise;
  expect(overlapped).toBe(false);
});
