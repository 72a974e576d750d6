import { expect, test } from 'vitest';
import { Deadlines } from '#src/run/deadlines.ts';

test('calls that begin together share a deadline, and a later one has its own', () => {
  let nowMs = 0;
  const deadlines = new Deadlines(4_000, () => nowMs);
  const first = deadlines.next();
  nowMs = 99;
  expect(deadlines.next()).toBe(first);
  nowMs = 100;
  expect(deadlines.next()).not.toBe(first);
});

test('a call is aborted when its time is up, whichever call its deadline was made for', async () => {
  const deadlines = new Deadlines(20, () => 0);
  deadlines.next();
  const { promise, resolve } = Promise.withResolvers<void>();
  const signal = deadlines.next();
  signal.addEventListener('abort', () => resolve());
  await promise;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});
