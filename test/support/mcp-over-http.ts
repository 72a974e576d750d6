import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

/** An MCP server as a process, and the answers that are waited for. */
class Session {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number | string, (answer: string) => void>();

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, args, { env });
    this.child.stderr.resume();
    createInterface(this.child.stdout).on('line', (line) => {
      const { id } = JSON.parse(line) as Message;
      if (id !== undefined) this.#waiting.get(id)?.(line);
    });
  }

  /** @returns the answer to a request; undefined for what is none */
  async send(sent: string): Promise<string | undefined> {
    const { id, method } = JSON.parse(sent) as Message;
    const answer =
      id === undefined || method === undefined
        ? undefined
        : new Promise<string>((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify(JSON.parse(sent))}\n`);
    return answer;
  }
}

/** Passes the messages of an address on to a server of standard input and output, a process for each session. */
export class McpOverHttp implements AsyncDisposable {
  readonly #sessions = new Map<string, Session>();
  readonly #open: () => Session;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(open: () => Session) {
    this.#open = open;
  }

  static async start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<McpOverHttp> {
    const started = new McpOverHttp(() => new Session(args, env));
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // There is no stream of the server's own, and no session is ended early.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const body = await text(request);
    const id = request.headers['mcp-session-id']?.toString() ?? randomUUID();
    const session = this.#sessions.get(id) ?? this.#open();
    this.#sessions.set(id, session);
    const answer = await session.send(body);
    if (answer === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': id }).end(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#sessions.values()) child.kill('SIGKILL');
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
