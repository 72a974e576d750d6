import type { StreamContract } from '@gateway/contracts/broker';
import type { ConsumerLag } from '@gateway/contracts/messages';
import { gauge, startLoop, type Logger } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';

const lagIntervalMs = 15_000;
/** Until the broker knows the consumer. */
const firstLagIntervalMs = 1_000;

/** After more readings without an answer, what was read before them says nothing of now. */
const missedMax = 1;

interface Watched {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly stream: StreamContract;
  readonly durable: string;
}

/** What waits in the stream, and what was handed out and is not acknowledged yet, as it was read last. */
export interface WatchedLag extends AsyncDisposable {
  readonly lag: ConsumerLag;
}

/** Reads the lag of a consumer every 15 seconds, as a metric and for what asks for it. */
export function watchLag({ bus, logger, stream, durable }: Watched): WatchedLag {
  let messages: number | null = null;
  let missed = 0;
  const help = 'Messages a consumer has not handled yet';
  const lag = gauge('gateway_consumer_lag_messages', help, () => messages ?? 0, { consumer: durable });
  const loop = startLoop({
    name: 'consumer lag',
    intervalMs: lagIntervalMs,
    logger,
    work: async () => {
      // That the broker is away is reported elsewhere.
      const position = await readPosition(bus, { stream, durable });
      missed = position ? 0 : missed + 1;
      messages = position?.waiting ?? messages;
      return messages === null ? firstLagIntervalMs : lagIntervalMs;
    },
  });
  return {
    get lag() {
      return { stream: stream.name, consumer: durable, waiting: missed > missedMax ? null : messages };
    },
    [Symbol.asyncDispose]: async () => {
      lag[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

/** How far a stream goes, and how far a consumer has come in it, by the numbers of the stream's messages. */
export interface ConsumerPosition {
  /** Of the last message that was published. */
  readonly published: number;
  /** Every message up to this one is handled. */
  readonly handled: number;
  /** How many are not. */
  readonly waiting: number;
}

/** @returns undefined while the broker does not say */
export async function readPosition(
  bus: Bus,
  { stream, durable }: Pick<Watched, 'stream' | 'durable'>,
): Promise<ConsumerPosition | undefined> {
  const info = await bus.manager.consumers.info(stream.name, durable).catch(() => undefined);
  if (!info) return undefined;
  const { num_pending: pending, num_ack_pending: handedOut, delivered, ack_floor: floor } = info;
  return { published: delivered.stream_seq + pending, handled: floor.stream_seq, waiting: pending + handedOut };
}
