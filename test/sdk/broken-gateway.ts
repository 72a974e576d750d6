import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers each request as its `X-Request-Id` begins: in another way the first time, or never. `count-<id>` asks how often another came. */
export class BrokenGateway implements AsyncDisposable {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #seen = new Map<string, number>();

  static async start(): Promise<BrokenGateway> {
    const gateway = new BrokenGateway();
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const { 'x-request-id': id = '', 'x-api-key': key = '' } = request.headers;
    const asked = /^count-(.*)/.exec(String(id))?.[1];
    if (asked !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ count: this.#seen.get(`${String(key)} ${asked}`) ?? 0 }));
    }
    const name = `${String(key)} ${String(id)}`;
    const count = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, count);
    const [fault] = String(id).split('-');
    if (fault === 'hang') return;
    if (fault === 'down' || (fault === 'reset' && count === 1)) return void request.socket.resetAndDestroy();
    if (fault === 'stall') {
      response.writeHead(200, { 'content-type': 'text/csv' });
      return void response.write('id,amount_cents\n');
    }
    if (fault === 'away' || (fault === 'busy' && count === 1)) {
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'later', details: [], request_id: id };
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': fault === 'away' ? '30' : '1' });
      return void response.end(JSON.stringify({ error }));
    }
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'dep_1', object: 'deposit', external_id: fault, amount_cents: 100 }));
  }
}
