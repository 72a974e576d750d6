import { expect, test } from 'vitest';
import { LogQuota } from '#src/request-log/log-quota.ts';

const kib = 1_024;
const row = { accountId: 'acc_1', environment: 'test', status: 200, bytes: 16 * kib };
/** How many of these are logged one after the other, at one moment. */
const loggedOf = (quota: LogQuota, given: object, now = 0): number => {
  let logged = 0;
  while (logged < 10_000 && quota.take({ ...row, ...given }, now)) logged += 1;
  return logged;
};

test('an account fills its own part of the log, and another one, or its other environment, still has theirs', () => {
  const quota = new LogQuota();
  const all = loggedOf(quota, { status: 400 });
  expect(all).toBeGreaterThan(1_000);
  expect(all).toBeLessThan(1_100);
  expect(loggedOf(quota, { status: 400 })).toBe(0);
  expect(loggedOf(quota, { status: 400, environment: 'live' })).toBe(all);
  expect(loggedOf(quota, { status: 400, accountId: 'acc_2' })).toBe(all);
});

test('what succeeds leaves half of it to what is refused', () => {
  const quota = new LogQuota();
  const succeeded = loggedOf(quota, {});
  expect(loggedOf(quota, {})).toBe(0);
  expect(Math.abs(loggedOf(quota, { status: 429 }) - succeeded)).toBeLessThanOrEqual(2);
});

test('in a day no more comes in than its rate lets, however much is asked', () => {
  const quota = new LogQuota();
  let logged = loggedOf(quota, { status: 400 });
  for (let second = 1; second <= 86_400; second += 60) logged += loggedOf(quota, { status: 400 }, second * 1_000);
  expect((logged * row.bytes) / kib / kib).toBeLessThan(190);
  expect((logged * row.bytes) / kib / kib).toBeGreaterThan(170);
});
