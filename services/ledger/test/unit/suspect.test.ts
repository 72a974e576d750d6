import { expect, test } from 'vitest';
import { Suspect } from '#src/writer/poison.ts';

const bug = new Error('a bug');

test('leases that ended at different messages make none of them a dead letter; two at one message do', () => {
  const suspect = new Suspect();
  for (const sequence of [1, 2, 3]) suspect.note(sequence, bug);
  expect([1, 2, 3].map((sequence) => suspect.is(sequence))).toEqual([false, false, false]);
  suspect.note(3, bug);
  expect([2, 3, 4].map((sequence) => suspect.is(sequence))).toEqual([false, true, false]);
});

test('leases that ended by a fault of the server make no message a dead letter', () => {
  const suspect = new Suspect();
  for (let lease = 0; lease < 5; lease++) suspect.note(1, Object.assign(new Error('deadlock'), { code: '40P01' }));
  expect(suspect.is(1)).toBe(false);
});
