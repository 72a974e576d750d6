import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (request: ReceivedRequest, response: ServerResponse) => void;

/** A server on loopback that answers as the test sets it, and keeps what it was asked. */
export class ScriptedServer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  readonly url: URL;
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.url = new URL(`http://127.0.0.1:${port}`);
    this.#close = close;
  }

  static async start(script: Script): Promise<ScriptedServer> {
    const server = createServer((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        const { method = '', url: path = '', headers } = message;
        const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
        scripted.requests.push(request);
        script(request, response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const scripted = new ScriptedServer(port, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return scripted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
