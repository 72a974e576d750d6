import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Answer = (response: ServerResponse, received: ReceivedRequest, number: number) => void;

/** A merchant's server: keeps what it was sent, and answers 204 unless a test sets another answer. */
export class Receiver implements AsyncDisposable {
  readonly received: ReceivedRequest[] = [];
  /** Path and query of each. */
  readonly paths: string[] = [];
  answer: Answer;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  private constructor(answer: Answer) {
    this.answer = answer;
  }

  static async start(answer: Answer = (response) => response.writeHead(204).end()): Promise<Receiver> {
    const receiver = new Receiver(answer);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Requests for one event name, in the order they came. */
  of(event: string): readonly ReceivedRequest[] {
    return this.received.filter(({ body }) => (JSON.parse(body.toString()) as { event: string }).event === event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = { headers: request.headers, body: Buffer.concat(chunks) };
    this.paths.push(request.url ?? '');
    this.received.push(received);
    this.answer(response, received, this.received.length);
  }
}
