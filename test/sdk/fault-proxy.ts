import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SeededRandom } from '../faults/seeded-random.ts';

/** What goes wrong with a call between the SDK and the gateway. */
export const faults = [
  /** The connection is reset before the gateway has any of it. */
  'reset-before',
  /** The gateway gets half of the body. */
  'reset-during',
  /** The gateway has acted; its answer is lost. */
  'reset-after',
  /** The gateway has acted; half of its answer arrives. */
  'cut-answer',
  /** The gateway has acted; no answer arrives, and the connection stays. */
  'hang-after',
  /** Nothing reaches the gateway, and the connection stays. */
  'hang-before',
  /** The call reaches the gateway twice, one after the other; the second answer arrives. */
  'duplicated',
  /** The call reaches the gateway twice at the same time. */
  'twice-at-once',
  /** It reaches the gateway after the SDK has given the attempt up and may have sent another. */
  'delayed',
  'unavailable',
  'unavailable-later',
  'rate-limited',
  /** By the gateway, after it acted. */
  'fault-after',
  /** By a proxy, after the gateway acted. */
  'bad-gateway-after',
  'timeout-after',
  /** By the gateway, which names the payout that it made. */
  'outcome-unknown',
] as const;
export type Fault = (typeof faults)[number];

const nothingCreated: Partial<Record<Fault, readonly [status: number, code: string, retryAfter?: string]>> = {
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
  'unavailable-later': [503, 'PROVIDER_UNAVAILABLE', '0.01'],
  'rate-limited': [429, 'RATE_LIMITED', '0.01'],
};

/** Stands between an SDK and the gateway, and spoils a share of the calls. */
export class FaultProxy implements AsyncDisposable {
  /** How often each happened. */
  readonly happened = new Map<Fault, number>();
  readonly #target: URL;
  readonly #random: SeededRandom;
  readonly #oneIn: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, outgoing) => {
    this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  readonly #late = new Set<Promise<unknown>>();

  private constructor(target: string, random: SeededRandom, oneIn: number) {
    this.#target = new URL(target);
    this.#random = random;
    this.#oneIn = oneIn;
  }

  /** @param oneIn one in as many calls meets a fault */
  static async start(target: string, random: SeededRandom, oneIn: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, random, oneIn);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Waits for the calls that it has held back. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#late);
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = this.#random.oneIn(this.#oneIn) ? this.#random.pick(faults) : undefined;
    const body = await text(incoming);
    if (fault !== undefined) this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    const refused = fault === undefined ? undefined : nothingCreated[fault];
    if (refused !== undefined) return answerWith(outgoing, ...refused);
    if (fault === 'reset-before') return void incoming.socket.resetAndDestroy();
    if (fault === 'hang-before') return;
    if (fault === 'delayed') {
      const late = once(incoming.socket, 'close').then(() => this.#forward(incoming, body));
      // Where the gateway has ended by then, so has its test.
      this.#late.add(late.catch(() => undefined));
      return;
    }
    if (fault === 'reset-during') {
      await this.#forwardHalf(incoming, body);
      return void incoming.socket.resetAndDestroy();
    }
    const first = this.#forward(incoming, body);
    if (fault === 'twice-at-once') await Promise.all([first, this.#forward(incoming, body)]);
    const answer = fault === 'duplicated' ? await first.then(() => this.#forward(incoming, body)) : await first;
    if (fault === 'reset-after') return void incoming.socket.resetAndDestroy();
    if (fault === 'hang-after') return;
    if (fault === 'fault-after') return answerWith(outgoing, 500, 'INTERNAL_ERROR');
    if (fault === 'timeout-after') return answerWith(outgoing, 504, 'PROVIDER_TIMEOUT');
    if (fault === 'outcome-unknown')
      return answerWith(outgoing, 504, 'PROVIDER_TIMEOUT', undefined, payoutIn(answer.body));
    if (fault === 'bad-gateway-after')
      return void outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
    outgoing.writeHead(answer.status, answer.headers);
    if (fault !== 'cut-answer') return void outgoing.end(answer.body);
    outgoing.write(answer.body.slice(0, answer.body.length >> 1), () => incoming.socket.destroy());
  }

  async #forward(incoming: IncomingMessage, body: string) {
    const sent = this.#request(incoming);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }

  async #forwardHalf(incoming: IncomingMessage, body: string): Promise<void> {
    const sent = this.#request(incoming).on('error', () => undefined);
    await new Promise<void>((resolve) => sent.write(body.slice(0, body.length >> 1), () => resolve()));
    sent.destroy();
  }

  #request({ method, url: path, headers }: IncomingMessage) {
    const { hostname, port } = this.#target;
    return request({ hostname, port, method, path, headers, agent: this.#agent });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    await this.settled();
    this.#agent.destroy();
  }
}

function answerWith(outgoing: ServerResponse, status: number, code: string, retryAfter?: string, members = {}): void {
  const headers = { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': retryAfter } : {}) };
  outgoing.writeHead(status, headers).end(JSON.stringify({ error: { code, message: code, details: [], ...members } }));
}

/** As the error names the payout of an answer, where there is one. */
function payoutIn(body: string): { readonly payout_id?: string } {
  const { payout } = JSON.parse(body) as { readonly payout?: { readonly id: string } };
  return payout === undefined ? {} : { payout_id: payout.id };
}
