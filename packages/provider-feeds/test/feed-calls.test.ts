import { expect, test } from 'vitest';
import { clock, database, List, open, pass, useFeedTables } from './feed-lists.ts';

useFeedTables();

/** Every eighteen hours for ninety-one days, as the short lists of returns and disputes are read again. */
const daily = [1, ...Array.from({ length: 122 }, (_, at) => (at + 1) * 18)];

test.each([
  ['of payments, read again after an hour and a day', [1, 24], 4_660],
  ['of payouts, read again now and then for ninety-one days', [1, 24, 48, 168, 336, 720, 1_440, 2_184], 4_684],
  ['of returns, read again daily for ninety-one days', daily, 5_144],
])('a list %s costs so many calls on a quiet day as operators are told', async (_what, hours, calls) => {
  const list = new List('list', hours);
  const feeds = open([list]);
  await pass(feeds, { seconds: 60 });
  await pass(feeds, { seconds: 48 * 3_600, stepSec: 6 * 3_600 });
  list.asked.length = 0;
  // The longest pause is six hours: a quarter of a day is the same as the others.
  await pass(feeds, { seconds: 6 * 3_600 });
  const callsPerDay = 4 * list.asked.length;
  // The page for operators has these figures (docs/operations/providers.md).
  expect(callsPerDay).toBe(calls);
});

test('what comes into a list of returns at any age of its payment is learned within twenty-four hours', async () => {
  const dayMs = 86_400_000;
  const list = new List('returns', daily);
  const learned = new Map<string, number>();
  const feeds = open([list], async ({ key }) => (learned.set(key, clock.now.getTime()), { kind: 'taken' }));
  await pass(feeds, { seconds: 7 * 3_600, stepSec: 1_800 });
  const bookedAt = clock.now.getTime() + 3_600_000;
  for (let age = 1; age <= 90; age += 1) {
    const at = new Date(bookedAt - age * dayMs + (age % 24) * 3_600_000);
    list.items.push({ key: `after ${age} days`, at, bookedAt: new Date(bookedAt) });
  }
  await pass(feeds, { seconds: 26 * 3_600, stepSec: 1_800 });
  expect(learned.size).toBe(90);
  const hours = [...learned.values()].map((at) => (at - bookedAt) / 3_600_000);
  expect(Math.max(...hours)).toBeLessThanOrEqual(24.5);
});

test('a page that takes many requests leaves others fewer: requests are counted, and not pages', async () => {
  const list = new List('statement', []);
  const options = { callsPerMinute: 60, monotonicMs: () => clock.now.getTime() };
  const feeds = open([list], undefined, options);
  await pass(feeds, { seconds: 60 });
  list.requests = 60;
  const asked = list.asked.length;
  const minutes = 10;
  await pass(feeds, { seconds: minutes * 60 });
  const requests = (list.asked.length - asked) * list.requests;
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThanOrEqual((minutes + 5) * 60);
});

test('a list that never ends is read no faster than its provider can be asked, and leaves calls to the other lists', async () => {
  const [payments, disputes] = [new List('payments'), new List('disputes')];
  const budget = { callsPerMinute: 10, monotonicMs: () => clock.now.getTime(), intervalMs: 60_000 };
  const feeds = open([payments, disputes], undefined, { ...budget, store: async () => [] });
  await pass(feeds, { seconds: 60 });
  const rows = Array.from({ length: 100 }, (_, index) => ({ key: `p-${index}`, raw: null }));
  payments.instead = ({ place = '0' }) => ({ kind: 'page', rows, next: String(Number(place) + 100) });
  payments.asked.length = 0;
  const since = clock.now.getTime();
  await pass(feeds, { seconds: 150, stepSec: 1 });
  expect(payments.asked.length).toBeGreaterThan(1_000);
  expect(payments.asked.length).toBeLessThanOrEqual(3.5 * 10 * 51);
  const readUntil = Math.max(...disputes.asked.map(({ to }) => to.getTime()));
  // Behind by its lag, the pause between two readings and six rounds that found no call left, at most.
  const behindMs = 30_000 + budget.intervalMs + 6 * 5_000;
  expect(readUntil).toBeGreaterThanOrEqual(since + 150_000 - behindMs);
});

test('a list of three hundred payments a second is read as they come, whatever the budget of calls is', async () => {
  const [perSec, list] = [300, new List()];
  const options = { callsPerMinute: 60, monotonicMs: () => clock.now.getTime() };
  const feeds = open([list], undefined, { ...options, store: async () => [] });
  await pass(feeds, { seconds: 60 });
  list.instead = ({ from, to, place = '0' }) => {
    const left = Math.floor(((to.getTime() - from.getTime()) / 1_000) * perSec) - Number(place);
    const rows = Array.from({ length: Math.min(left, 100) }, (_, index) => ({ key: `${place}-${index}`, raw: null }));
    return { kind: 'page', rows, next: left > 100 ? String(Number(place) + 100) : null };
  };
  const behindMs = async () => {
    const [row] = await database().query<{ from_at: Date }>('select from_at from feed where lag_sec = 30');
    return clock.now.getTime() - row!.from_at.getTime();
  };
  for (let minute = 0; minute < 4; minute += 1) {
    await pass(feeds, { seconds: 60, stepSec: 1 });
    expect(await behindMs()).toBeLessThanOrEqual(90_000);
  }
});

test('a page that takes longer than a round is asked for again with the same window, at once, and costs what it brought', async () => {
  const list = new List();
  const budget = { callsPerMinute: 20, monotonicMs: () => clock.now.getTime() };
  const feeds = open([list], undefined, budget);
  await pass(feeds, { seconds: 60 });
  list.requests = 20;
  const windows: string[] = [];
  list.instead = ({ from, to }) => {
    const isOfPresent = clock.now.getTime() - to.getTime() < 60_000;
    if (!isOfPresent || windows.length === 8) return null;
    windows.push(`${from.toISOString()} ${to.toISOString()}`);
    return windows.length < 8 ? { kind: 'unavailable', cause: 'the time was up', listed: 600 } : null;
  };
  await pass(feeds, { seconds: 60, stepSec: 1 });
  expect(windows).toEqual(Array.from({ length: 8 }, () => windows[0]));
});
