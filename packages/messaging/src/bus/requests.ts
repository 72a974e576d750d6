import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';
import { AwaitedAnswers } from '#src/bus/awaited-answers.ts';

const noRespondersStatus = 503;

/** `no-listener`: no service listens on the subject. `late`: no answer in time. `lost`: the connection ended. */
export type RequestFailure = 'no-listener' | 'late' | 'lost';

export interface BusAnswer {
  /** In UTF-8. */
  readonly data: Uint8Array;
  json(): unknown;
}

export interface BusRequest {
  readonly subject: string;
  readonly payload: string;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
}

/**
 * Requests of one connection, all answers coming to one inbox. The client's own `request` makes an error with its stack
 * trace for every answer that comes, which costs more than the answer.
 */
export class Requests {
  readonly #connection: NatsConnection;
  readonly #waiting: AwaitedAnswers<(answer: Msg | RequestFailure) => void>;

  constructor(connection: NatsConnection, inbox: string) {
    this.#connection = connection;
    this.#waiting = new AwaitedAnswers(inbox);
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#waiting.get(message.subject)?.(isNoListener(message) ? 'no-listener' : message);
      },
    });
    void connection.closed().then(() => {
      for (const settle of this.#waiting.all()) settle('lost');
    });
  }

  /** The first answer, or why there is none. */
  async request({ subject, payload, headers, timeoutMs }: BusRequest): Promise<Msg | RequestFailure> {
    if (this.#connection.isClosed() || this.#connection.isDraining()) return 'lost';
    const { promise, resolve } = Promise.withResolvers<Msg | RequestFailure>();
    const timer = setTimeout(resolve, timeoutMs, 'late');
    const reply = this.#waiting.add(resolve);
    try {
      this.#connection.publish(subject, payload, { reply, headers });
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(reply);
    }
  }
}

function isNoListener(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === noRespondersStatus;
}
