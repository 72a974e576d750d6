import { DeliverPolicy } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { safeStart, type StreamReader } from '#src/consumer/safe-start.ts';

const timeMs = Date.UTC(2027, 0, 1);
const position = { sequence: 7, timeMs };

/** A stream of which this is the message at the position; null where there is none. */
function streamWith(storedMs: number | null, state: { first_seq: number; last_seq: number }): StreamReader {
  const message = storedMs === null ? null : { time: new Date(storedMs) };
  return { getMessage: async () => message, info: async () => ({ state }) } as unknown as StreamReader;
}

test('reading goes on with the very next message where the stream has the one that was read last', async () => {
  const start = await safeStart(streamWith(timeMs, { first_seq: 1, last_seq: 9 }), 'COMMANDS', position);
  expect(start).toEqual({ from: { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 8 }, tailLost: false });
});

test('reading goes on behind messages that have aged out', async () => {
  const start = await safeStart(streamWith(null, { first_seq: 9, last_seq: 9 }), 'COMMANDS', position);
  expect(start).toEqual({ from: { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 8 }, tailLost: false });
});

test.each([
  ['has another message under the same number', streamWith(timeMs + 5_000, { first_seq: 1, last_seq: 9 })],
  ['has lost its end', streamWith(null, { first_seq: 1, last_seq: 6 })],
  ['has begun anew', streamWith(null, { first_seq: 1, last_seq: 0 })],
])('where the stream %s, reading begins a minute before the last message that was read', async (_what, stream) => {
  expect(await safeStart(stream, 'COMMANDS', position)).toEqual({
    from: { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(timeMs - 60_000).toISOString() },
    tailLost: true,
  });
});
