import { RepublishHeaders, type JsMsg } from '@nats-io/jetstream';
import { membersOf, replyToHeader, type TraceCarrier } from '@gateway/service-kit';
import { readCommand, type Reading } from '#src/intake/read-command.ts';
import type { StreamPosition } from '#src/intake/stream-position.ts';

/** A message of a command stream: as it came, and as the ledger reads it. */
export interface IncomingMessage {
  readonly text: string;
  /** The bytes of what could not be read as a command; of one that could, its text is enough. */
  readonly bytes?: Uint8Array;
  readonly reading: Reading;
  readonly subject: string;
  readonly position: StreamPosition;
  /** The inbox of the sender, when it waits for the answer. */
  readonly replyTo: string | undefined;
  readonly trace: TraceCarrier;
}

/** Read on arrival, while PostgreSQL is busy with the batch before. */
export function incomingMessage(raw: JsMsg, environment: string): IncomingMessage {
  const trace = membersOf(raw.headers);
  const text = raw.string();
  const { subject } = raw;
  const reading = readCommand({ text, environment, subject, repeatedFrom: trace[RepublishHeaders.Stream] });
  return {
    text,
    ...(reading.ok ? {} : { bytes: raw.data }),
    reading,
    subject,
    position: { sequence: raw.seq, timeMs: raw.time.getTime() },
    replyTo: trace[replyToHeader],
    trace,
  };
}
