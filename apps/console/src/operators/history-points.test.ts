import { expect, test } from 'vitest';
import { backlogPoints, callPoints, lastBacklog } from '#src/operators/history-points.ts';

const counted = [
  { kind: 'event', service: 'payouts', at: 10, most: 4, last: 1 },
  { kind: 'event', service: 'ledger', at: 10, most: 9, last: 2 },
  { kind: 'event', service: 'ledger', at: 30, most: 0, last: 0 },
  { kind: 'payout', service: 'payouts', at: 30, most: 7, last: 5 },
];

test('a time at which nothing was counted is known as such, and not as nothing to do', () => {
  expect(backlogPoints(counted, 'event', [10, 20, 30])).toEqual([
    { at: 10, most: 9, service: 'ledger' },
    { at: 20, most: null, service: null },
    { at: 30, most: 0, service: 'ledger' },
  ]);
});

test('the last count is that of the last time, all services together', () => {
  expect(lastBacklog(counted.slice(0, 2), 'event')).toBe(3);
  expect(lastBacklog(counted, 'event')).toBe(0);
  expect(lastBacklog(counted, 'refund')).toBeUndefined();
});

test('a provider that was not called in an hour has no duration then', () => {
  const called = { provider: 'efi', at: 20, calls: 3, failed: 1, p50_ms: 100, p95_ms: 300, p99_ms: 400 };
  const points = callPoints([called, { ...called, provider: 'woovi', at: 10 }], 'efi', [10, 20]);
  expect(points.map(({ at, calls, p95_ms: p95 }) => [at, calls, p95])).toEqual([
    [10, 0, null],
    [20, 3, 300],
  ]);
});
