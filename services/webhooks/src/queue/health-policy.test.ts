import { expect, test } from 'vitest';
import { healthActionFor } from '#src/queue/health-policy.ts';
import { initialQueueState, type QueueState } from '#src/queue/queue-state.ts';

const hourMs = 3_600_000;
const failing = (hours: number, given: Partial<QueueState> = {}) =>
  healthActionFor({ ...initialQueueState(0), failingSinceMs: 0, ...given }, hours * hourMs);

test('an endpoint that only fails is warned about after 1, 12, 24 and 48 hours, once each, and disabled after 72', () => {
  expect(failing(0.9)).toEqual({ kind: 'none' });
  for (const failingHours of [1, 12, 24, 48]) {
    expect(failing(failingHours)).toEqual({ kind: 'warn', failingHours });
    expect(failing(failingHours, { warnedHours: failingHours })).toEqual({ kind: 'none' });
  }
  expect(failing(72, { warnedHours: 48 })).toEqual({ kind: 'disable', reason: 'failing' });
});

test('an endpoint that answers 410 is disabled at the third in a row, when ten minutes lie between', () => {
  const gone = (goneCount: number, minutes: number) =>
    healthActionFor({ ...initialQueueState(0), failingSinceMs: 0, goneCount, goneSinceMs: 0 }, minutes * 60_000);
  expect(gone(3, 9)).toEqual({ kind: 'none' });
  expect(gone(2, 20)).toEqual({ kind: 'none' });
  expect(gone(3, 10)).toEqual({ kind: 'disable', reason: 'gone' });
});
