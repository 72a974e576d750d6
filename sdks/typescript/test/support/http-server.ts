import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request as it came, its body read. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** How a request is answered; `reset` ends the connection without an answer, `hang` never answers, `stall` stops within a body. */
export type Reply =
  | 'reset'
  | 'hang'
  | 'cut'
  | 'stall'
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly json?: unknown;
      readonly text?: string;
    };

/** An HTTP server that answers as it is set up, and keeps what it was asked. */
export class HttpServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  /** For the requests to come, in their order; the last one for all others. */
  replies: readonly (Reply | ((request: SeenRequest) => Reply))[] = [];
  /** Stalled answers whose connection is still there. */
  stalled = 0;
  #answered = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<HttpServer> {
    const started = new HttpServer();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Forgets what it was asked, and answers as follows. */
  reply(...replies: readonly (Reply | ((request: SeenRequest) => Reply))[]): this {
    this.seen.length = 0;
    this.#answered = 0;
    this.replies = replies;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() };
    this.seen.push(seen);
    const made = this.replies[Math.min(this.#answered, this.replies.length - 1)] ?? {};
    this.#answered += 1;
    const reply = typeof made === 'function' ? made(seen) : made;
    if (reply === 'hang') return;
    if (reply === 'reset') return void request.socket.resetAndDestroy();
    if (reply === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      return void response.write('{"id":"dep_1",', () => request.socket.destroy());
    }
    if (reply === 'stall') {
      this.stalled += 1;
      response.once('close', () => (this.stalled -= 1));
      response.writeHead(200, { 'content-type': 'text/csv' });
      return void response.write('id,amount_cents\n');
    }
    const text = reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json));
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers }).end(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** An answer of the gateway beyond 2xx. */
export function refusal(status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Reply {
  const error = { code, message: `it is ${code}`, details: [], request_id: 'req_1', ...more };
  return { status, json: { error }, headers };
}
