import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, eventually, type TestDatabase } from '@gateway/test-kit';
import { earlierClock } from '#src/earlier-clock.ts';

const hourMs = 3_600_000;
let opened: TestDatabase;
beforeAll(async () => {
  opened = await createTestDatabase('clocks', { entities: [], migrations: [] });
});
afterAll(async () => opened[Symbol.asyncDispose]());

/** How far the clock is from this machine's, of whose time PostgreSQL is too. */
const errorOf = (now: () => Date) => now().getTime() - Date.now();
const oneSecond = 1_000;

test.each([hourMs, 40 * 24 * hourMs])(
  'a process whose clock is ahead by %d ms has the time of PostgreSQL',
  async (aheadMs) => {
    const dayMs = () => Date.now() + aheadMs;
    const now = await earlierClock(opened.database, { dayMs, monotonicMs: () => performance.now() });
    expect(Math.abs(errorOf(now))).toBeLessThan(oneSecond);
  },
);

test('a clock that jumps ahead changes nothing, nor does it when it comes back', async () => {
  let aheadMs = 0;
  const clocks = { dayMs: () => Date.now() + aheadMs, monotonicMs: () => performance.now() };
  const now = await earlierClock(opened.database, clocks);
  for (aheadMs of [0, hourMs, 0]) expect(Math.abs(errorOf(now))).toBeLessThan(oneSecond);
});

test('a clock that is behind counts, as it is the earlier one', async () => {
  const dayMs = () => Date.now() - hourMs;
  const now = await earlierClock(opened.database, { dayMs, monotonicMs: () => performance.now() });
  expect(Math.abs(errorOf(now) + hourMs)).toBeLessThan(oneSecond);
});

test('after a sleep, in which the monotonic clock stands still, PostgreSQL is asked anew', async () => {
  // Both clocks of the day are ahead of where this process has got to.
  const beginMs = Date.now();
  let sleptMs = 0;
  const monotonicMs = () => Date.now() - beginMs - sleptMs;
  const now = await earlierClock(opened.database, { dayMs: () => Date.now(), monotonicMs });
  sleptMs = hourMs;
  expect(Math.abs(errorOf(now) + hourMs)).toBeLessThan(oneSecond);
  await eventually(async () => expect(Math.abs(errorOf(now))).toBeLessThan(oneSecond));
});
