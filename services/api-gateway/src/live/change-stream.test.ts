import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChangeStream } from '#src/live/change-stream.ts';

const times = { frameMs: 1_000, commentMs: 15_000 };
const frame = (event: string, count: number) => `event: changed\ndata: ${JSON.stringify({ event, count })}\n\n`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream whose reader takes everything at once. */
function reading(stream: ChangeStream) {
  const read = { text: '', hasEnded: false };
  stream.on('data', (chunk: Buffer) => (read.text += chunk.toString()));
  stream.on('end', () => (read.hasEnded = true));
  return read;
}

test('the first change is sent at once, and what follows within a second together', async () => {
  const stream = new ChangeStream(times, () => undefined);
  const read = reading(stream);
  await vi.advanceTimersByTimeAsync(0);
  expect(read.text).toBe('retry: 3000\n\n');
  stream.add({ 'deposit.paid': 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(read.text).toBe(`retry: 3000\n\n${frame('deposit.paid', 1)}`);
  read.text = '';
  for (let count = 0; count < 5; count++) stream.add({ 'deposit.paid': 2, 'payout.paid': 1 });
  await vi.advanceTimersByTimeAsync(900);
  expect(read.text).toBe('');
  await vi.advanceTimersByTimeAsync(100);
  expect(read.text).toBe(frame('deposit.paid', 10) + frame('payout.paid', 5));
  stream.destroy();
});

test('silence has a comment every fifteen seconds', async () => {
  const stream = new ChangeStream(times, () => undefined);
  const read = reading(stream);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(read.text).toBe('retry: 3000\n\n:\n\n:\n\n:\n\n');
  stream.destroy();
});

test('a reader that takes nothing holds a number for each event, and reads their sums later', async () => {
  const stream = new ChangeStream(times, () => undefined);
  for (let count = 0; count < 100_000; count++) {
    stream.add({ 'deposit.paid': 1 });
    if (count % 10_000 === 0) await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(stream.readableLength).toBe(0);
  const read = reading(stream);
  await vi.advanceTimersByTimeAsync(1);
  expect(read.text).toBe(`retry: 3000\n\n${frame('deposit.paid', 100_000)}`);
  stream.destroy();
});

test('its end is that of HTTP, also for a reader that takes nothing, and gives everything back once', async () => {
  const onClosed = vi.fn();
  const [taken, untaken] = [new ChangeStream(times, onClosed), new ChangeStream(times, onClosed)];
  const read = reading(taken);
  await vi.advanceTimersByTimeAsync(0);
  taken.end();
  untaken.end();
  await vi.advanceTimersByTimeAsync(300);
  expect([read.hasEnded, taken.destroyed, untaken.destroyed]).toEqual([true, true, true]);
  expect(onClosed).toHaveBeenCalledTimes(2);
});
