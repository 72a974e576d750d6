import type { JsMsg } from '@nats-io/jetstream';
import type { TraceCarrier } from '@gateway/runtime';
import { membersOf } from '#src/bus/bus.ts';
import type { DeadLetter } from '#src/consumer/dead-letter.ts';
import { eventsIn, headersOfEvent } from '#src/bus/event-group.ts';

export interface Message {
  /** The sender's id for it (`Nats-Msg-Id`), the same on every delivery and every re-publication. */
  readonly id: string;
  readonly subject: string;
  /** Decoded JSON, not yet checked against a contract. */
  readonly data: unknown;
  readonly trace: TraceCarrier;
}

type StoredMessage = Pick<DeadLetter, 'stream' | 'streamSequence' | 'subject' | 'payload' | 'headers'>;

/** One event of what a stream delivered. */
export interface ArrivedEvent {
  /** @throws SyntaxError */
  readonly read: () => Message;
  /** As it would have been stored on its own. */
  readonly stored: () => StoredMessage;
}

/** What a stream delivered at once: one event, or a group of them. */
export class Arrival {
  readonly raw: JsMsg;
  /** How many events it holds. */
  readonly count: number;

  constructor(raw: JsMsg) {
    this.raw = raw;
    this.count = eventsIn(raw.headers);
  }

  /** @throws SyntaxError when it is not JSON, or no group where it says so */
  messages(): Message[] {
    if (this.count === 1) return [messageFrom(this.#stored())];
    const { subject } = this.raw;
    const trace = membersOf(this.raw.headers);
    return this.#group().map((data) => ({ id: data.id, subject, data, trace }));
  }

  /** The same one by one. A group that cannot be read is one event that cannot be read. */
  events(): ArrivedEvent[] {
    const stored = () => this.#stored();
    if (this.count === 1) return [{ read: () => messageFrom(stored()), stored }];
    try {
      return this.messages().map((message) => ({ read: () => message, stored: () => this.#storedAlone(message) }));
    } catch (error) {
      const read = () => {
        throw error;
      };
      return [{ read, stored }];
    }
  }

  #group(): { readonly id: string }[] {
    const data = this.raw.json<{ readonly id: string }[]>();
    if (Array.isArray(data) && data.length === this.count) return data;
    throw new SyntaxError('the message is not the group of events it says it is');
  }

  #stored(): StoredMessage {
    const { info, seq, subject, headers } = this.raw;
    return {
      stream: info.stream,
      streamSequence: seq,
      subject,
      payload: this.raw.data,
      headers: membersOf(headers),
    };
  }

  #storedAlone({ id, data }: Message): StoredMessage {
    const stored = this.#stored();
    return { ...stored, payload: Buffer.from(JSON.stringify(data)), headers: headersOfEvent(stored.headers, id) };
  }
}

const decoder = new TextDecoder();

/** The same message, whether it comes from its stream or from among the dead letters. */
export function messageFrom({ stream, streamSequence, subject, payload, headers }: StoredMessage): Message {
  return {
    id: headers['Nats-Msg-Id'] ?? `${stream}:${streamSequence}`,
    subject,
    data: JSON.parse(decoder.decode(payload)) as unknown,
    trace: headers,
  };
}
