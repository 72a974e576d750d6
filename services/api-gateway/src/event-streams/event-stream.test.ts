import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, lifetimeMsAt, streamTimes } from '#src/event-streams/event-stream.ts';
import type { LogPage } from '#src/event-streams/log-pages.ts';

const times = { ...streamTimes, lifetimeMs: lifetimeMsAt(0.5) };
const minuteMs = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const page = (count: number, hasMore = false, seen = 'evt_1'): LogPage => ({
  frames: Buffer.from('data: {}\n\n'.repeat(count)),
  count,
  seen,
  hasMore,
});

/** A stream that is followed, whose reader takes everything at once; the log answers with these pages, then with none. */
function following(...pages: LogPage[]) {
  const read = { text: '', hasEnded: false, wasClosed: false, looks: 0 };
  const stream = new EventStream({
    ...{ times, follow: true, newest: undefined, first: pages.shift() ?? page(0) },
    read: async () => {
      read.looks += 1;
      return pages.shift() ?? page(0);
    },
    onClosed: () => (read.wasClosed = true),
    onFailed: (error) => {
      throw error;
    },
  });
  stream.on('data', (chunk: Buffer) => (read.text += chunk.toString()));
  stream.on('end', () => (read.hasEnded = true));
  const frames = () => read.text.split('data: {}').length - 1;
  return { stream, read, frames };
}

test('silence has a comment every fifteen seconds, counted from the last event, so that nothing in between cuts the stream', async () => {
  const { stream, read } = following();
  await vi.advanceTimersByTimeAsync(14_900);
  expect(read.text).toBe('retry: 2000\n\n');
  await vi.advanceTimersByTimeAsync(30_200);
  expect(read.text).toBe('retry: 2000\n\nid: evt_1\n:\n\n:\n\n:\n\n');
  stream.destroy();
});

test('a stream whose filter leaves events out says how far it has looked, with its comment and once for each place', async () => {
  // At first and then every five seconds.
  const looked = ['evt_1', 'evt_2', 'evt_3', 'evt_3', 'evt_3', ...Array<string>(8).fill('evt_4')];
  const { stream, read } = following(...looked.map((seen) => page(0, false, seen)));
  await vi.advanceTimersByTimeAsync(45_200);
  expect(read.text).toBe('retry: 2000\n\nid: evt_3\n:\n\nid: evt_4\n:\n\n:\n\n');
  stream.destroy();
});

test('the log is looked at every five seconds without a hint, and at once with one', async () => {
  const { stream, read } = following();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(read.looks).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(read.looks).toBe(1);
  stream.hint();
  await vi.advanceTimersByTimeAsync(1);
  expect(read.looks).toBe(2);
  stream.destroy();
});

test('a stream ends as HTTP ends answers after thirty minutes, five more or less, and not before', async () => {
  expect([0, 0.5, 1].map(lifetimeMsAt)).toEqual([25 * minuteMs, 30 * minuteMs, 35 * minuteMs]);
  const { read } = following();
  await vi.advanceTimersByTimeAsync(30 * minuteMs - 100);
  expect(read.hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect([read.hasEnded, read.wasClosed]).toEqual([true, true]);
});

test('a thousand events a second are sent at most, however many wait', async () => {
  const { stream, frames } = following(...Array.from({ length: 30 }, () => page(200, true)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(frames()).toBeGreaterThanOrEqual(1_000);
  expect(frames()).toBeLessThanOrEqual(1_200);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(frames()).toBeLessThanOrEqual(5_200);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(frames()).toBe(6_000);
  stream.destroy();
});
