import { DeliverPolicy, type OrderedConsumerOptions, type StreamAPI } from '@nats-io/jetstream';
import type { StreamPosition } from '#src/consumer/incoming-message.ts';

/** What is read from the broker. */
export type StreamReader = Pick<StreamAPI, 'info' | 'getMessage'>;

export interface SafeStart {
  /** Where the consumer begins. */
  readonly from: Pick<OrderedConsumerOptions, 'deliver_policy'> & Partial<OrderedConsumerOptions>;
  /** The broker no longer has messages that were read from it: it lost the end of its stream, or all of it. */
  readonly tailLost: boolean;
}

/** How much earlier than our last message to begin after a loss; the clocks of two brokers differ by less. */
const clockToleranceMs = 60_000;

/**
 * Where a consumer can begin without skipping a command. A sequence number alone proves nothing: a broker that lost the
 * end of its stream gives the same numbers to new messages. The message at our position therefore has to be the one we
 * read there, which its storage time shows. If it is another one, all new messages were stored later and are found by
 * time. Reading a message twice is harmless, since commands are recognised by their id.
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

/** The broker reports the storage time in two forms, which may be rounded to different milliseconds. */
const roundingMs = 1;

/** True when the stream holds, at that sequence, the message that was read there. */
async function isInPlace(streams: StreamReader, stream: string, place: StreamPosition): Promise<boolean> {
  const message = await streams.getMessage(stream, { seq: place.sequence });
  return message !== null && Math.abs(message.time.getTime() - place.timeMs) <= roundingMs;
}
