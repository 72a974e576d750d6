import { expect, test } from 'vitest';
import { deadlineOf } from '#src/records/deadline-of.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-21T12:00:00Z', { isPast: false, tone: 'wait' }],
  ['2026-11-21T11:59:59Z', { isPast: false, tone: 'bad' }],
  ['2026-11-20T12:00:00Z', { isPast: true, tone: 'neutral' }],
])('a deadline at %s is %o at noon of the 20th', (due, expected) => {
  expect(deadlineOf({ status: 'OPEN', defense_due_at: due }, now)).toMatchObject(expected);
});

test('a dispute that is decided, or whose deadline is not known, has none', () => {
  const due = '2026-11-21T12:00:00Z';
  expect(deadlineOf({ status: 'WON', defense_due_at: due }, now)).toBeUndefined();
  expect(deadlineOf({ status: 'LOST', defense_due_at: due }, now)).toBeUndefined();
  expect(deadlineOf({ status: 'UNDER_ANALYSIS', defense_due_at: null }, now)).toBeUndefined();
});
