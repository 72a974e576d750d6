import { JetStreamApiError } from '@nats-io/jetstream';
import type { StreamContract } from '@gateway/contracts/broker';
import { type Logger, startLoop, type Loop } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';
import { streamState } from '#src/bus/streams.ts';

const lookIntervalMs = 30_000;
/** Above this share of its size, a stream gives up what everybody has read. */
const filledShareMax = 0.75;
const notFound = 404;

/**
 * Keeps streams that refuse what is too much from being full of messages that are not needed any more: messages are
 * kept for days after they were read, and a rush may bring more of them than the stream has room for. What a reader has
 * not acknowledged stays, and a stream full of that refuses new messages, which wait with their senders.
 */
export function keepRoomInStreams(bus: Bus, contracts: readonly StreamContract[], logger: Logger): Loop {
  return startLoop({
    name: 'room in streams',
    intervalMs: lookIntervalMs,
    logger,
    work: async () => {
      // A broker that is away answers nothing, and that it is away is reported elsewhere.
      if (!bus.connected) return;
      for (const contract of contracts) await makeRoom(bus, contract);
    },
  });
}

/** Removes what all readers have acknowledged, once the stream is filled beyond the limit. Answers whether it did. */
export async function makeRoom(bus: Bus, { name, maxBytes, readers = [] }: StreamContract): Promise<boolean> {
  const state = await streamState(bus, name);
  if (!state || state.bytes < maxBytes * filledShareMax) return false;
  let readUpTo = Infinity;
  for (const { durable } of readers) readUpTo = Math.min(readUpTo, await acknowledgedBy(bus, name, durable));
  if (readUpTo < state.first_seq || !Number.isFinite(readUpTo)) return false;
  await bus.manager.streams.purge(name, { seq: readUpTo + 1 });
  return true;
}

/** A reader that was never there has read nothing. */
async function acknowledgedBy(bus: Bus, stream: string, durable: string): Promise<number> {
  try {
    return (await bus.manager.consumers.info(stream, durable)).ack_floor.stream_seq;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === notFound) return 0;
    throw error;
  }
}
