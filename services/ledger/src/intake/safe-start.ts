import { DeliverPolicy, type OrderedConsumerOptions, type StreamAPI } from '@nats-io/jetstream';
import type { StreamPosition } from '#src/intake/stream-position.ts';

/** What has to be asked of the broker. */
export type StreamReader = Pick<StreamAPI, 'info' | 'getMessage'>;

export interface SafeStart {
  /** Where the broker shall begin. */
  readonly from: Pick<OrderedConsumerOptions, 'deliver_policy'> & Partial<OrderedConsumerOptions>;
  /** The broker no longer has what we read from it: it lost its tail, or its data. */
  readonly tailLost: boolean;
}

/** How much earlier than our last message to begin after a loss: clocks of two brokers may differ by less than this. */
const clockToleranceMs = 60_000;

/**
 * Where reading may begin without skipping a command. A sequence number alone proves nothing: a broker that lost its
 * tail gives the same numbers to new messages. So the message at our place has to be the one we read there, which its
 * time of storage tells. If it is not, whatever is new was stored after it, and is found by time. Reading too much is
 * harmless: commands are recognised by their id.
 */
export async function safeStart(streams: StreamReader, stream: string, position: StreamPosition): Promise<SafeStart> {
  if (position.sequence === 0) return { from: { deliver_policy: DeliverPolicy.All }, tailLost: false };
  if (await isInPlace(streams, stream, position)) return { from: after(position), tailLost: false };
  const { first_seq, last_seq } = (await streams.info(stream)).state;
  const agedOut = first_seq > position.sequence && last_seq >= position.sequence;
  if (agedOut) return { from: after(position), tailLost: false };
  const since = new Date(position.timeMs - clockToleranceMs).toISOString();
  return { from: { deliver_policy: DeliverPolicy.StartTime, opt_start_time: since }, tailLost: true };
}

function after({ sequence }: StreamPosition): SafeStart['from'] {
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: sequence + 1 };
}

/** The broker tells the time of storage in two forms, which may be rounded to different milliseconds. */
const roundingMs = 1;

/** True when the stream holds, at that sequence, the message that was read there. */
async function isInPlace(streams: StreamReader, stream: string, place: StreamPosition): Promise<boolean> {
  const message = await streams.getMessage(stream, { seq: place.sequence });
  return message !== null && Math.abs(message.time.getTime() - place.timeMs) <= roundingMs;
}
