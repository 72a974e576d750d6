import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';

const noRespondersStatus = 503;

/** `no-listener`: no service listens on the subject. `late`: no answer in time. `lost`: the connection ended. */
export type RequestFailure = 'no-listener' | 'late' | 'lost';

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
  readonly #inbox: string;
  readonly #waiting = new Map<string, (answer: Msg | RequestFailure) => void>();
  #next = 0;

  constructor(connection: NatsConnection, inbox: string) {
    this.#connection = connection;
    this.#inbox = inbox;
    connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#waiting.get(message.subject)?.(isNoListener(message) ? 'no-listener' : message);
      },
    });
    void connection.closed().then(() => {
      for (const settle of this.#waiting.values()) settle('lost');
    });
  }

  /** The first answer, or why there is none. */
  async request({ subject, payload, headers, timeoutMs }: BusRequest): Promise<Msg | RequestFailure> {
    if (this.#connection.isClosed() || this.#connection.isDraining()) return 'lost';
    const reply = `${this.#inbox}.${(this.#next++).toString(36)}`;
    const { promise, resolve } = Promise.withResolvers<Msg | RequestFailure>();
    const timer = setTimeout(resolve, timeoutMs, 'late');
    this.#waiting.set(reply, resolve);
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
