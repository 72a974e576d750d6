import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Exchange } from './description-check.ts';

const passedHeaders = ['authorization', 'content-type', 'accept', 'idempotency-key', 'fintoc-jws-signature'] as const;

/** Stands between an adapter and the simulator and writes down what they say. */
export class Recorder implements AsyncDisposable {
  readonly exchanges: Exchange[] = [];
  /** What is answered again as it stands here, without asking the simulator. */
  replayed: readonly Exchange[] = [];
  readonly url: string;
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(target: string): Promise<Recorder> {
    const server = createServer((message, response) => {
      void recorder
        .#pass(target, message)
        .then(({ status, contentType, text }) => response.writeHead(status, { 'content-type': contentType }).end(text))
        .catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const recorder = new Recorder(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return recorder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #pass(target: string, message: IncomingMessage) {
    const { method = '', url: path = '', headers } = message;
    const sent = await textOf(message);
    const again = this.replayed.find((exchange) => exchange.method === method && exchange.path === path);
    if (again) return { status: again.status, contentType: 'application/json', text: JSON.stringify(again.answer) };
    const passed = passedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    const answer = await fetch(target + path, {
      method,
      headers: Object.fromEntries(passed) as Record<string, string>,
      ...(sent === '' ? {} : { body: sent }),
    });
    const text = await answer.text();
    const contentType = answer.headers.get('content-type') ?? '';
    const exchange: Exchange = {
      ...{ method, path, status: answer.status },
      request: bodyOf(sent, headers['content-type']),
      answer: bodyOf(text, contentType),
    };
    this.exchanges.push(exchange);
    return { status: answer.status, contentType, text };
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for none; text for what is neither JSON nor a form. */
function bodyOf(text: string, contentType: string | undefined): unknown {
  if (text === '') return undefined;
  if (contentType?.includes('json')) return JSON.parse(text) as unknown;
  return contentType?.includes('form') ? Object.fromEntries(new URLSearchParams(text)) : text;
}
