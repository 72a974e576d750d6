import { RepublishHeaders, type JsMsg } from '@nats-io/jetstream';
import { membersOf, replyToHeader } from '@gateway/messaging';
import type { TraceCarrier } from '@gateway/runtime';
import { parseCommand, type ParsedCommand } from '#src/consumer/parse-command.ts';

/** A position in a command stream: a message's sequence, and when the broker stored it (Unix milliseconds). */
export interface StreamPosition {
  readonly sequence: number;
  readonly timeMs: number;
}

/** A message of a command stream, as it came and as it was parsed. */
export interface IncomingMessage {
  readonly text: string;
  /** The bytes of a message that is no command; of a command, the text is enough. */
  readonly bytes?: Uint8Array;
  readonly parsed: ParsedCommand;
  readonly subject: string;
  readonly position: StreamPosition;
  /** The inbox of the sender, when it waits for the answer. */
  readonly replyTo: string | undefined;
  readonly trace: TraceCarrier;
}

/** Parsed on arrival, while PostgreSQL is busy with the batch before. */
export function incomingMessage(raw: JsMsg, environment: string): IncomingMessage {
  const trace = membersOf(raw.headers);
  const text = raw.string();
  const { subject } = raw;
  const parsed = parseCommand({ text, environment, subject, repeatedFrom: trace[RepublishHeaders.Stream] });
  return {
    text,
    ...(parsed.ok ? {} : { bytes: raw.data }),
    parsed,
    subject,
    position: { sequence: raw.seq, timeMs: raw.time.getTime() },
    replyTo: trace[replyToHeader],
    trace,
  };
}
