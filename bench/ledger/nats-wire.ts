import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * As much of the NATS protocol as a load generator needs, and no more: it shares the machine with what it measures, and
 * a full client would take as much of it as the broker does. Messages are laid out before the clock starts.
 */
export class NatsWire implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #onMessage: (payload: string) => void;
  readonly #unsent: Buffer[] = [];
  #rest = '';

  private constructor(socket: Socket, onMessage: (payload: string) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    socket.on('data', (chunk) => this.#receive(chunk.toString('latin1')));
  }

  /** Connects and subscribes; every message on the inbox reaches `onMessage`. */
  static async connect(url: URL, inbox: string, onMessage: (payload: string) => void): Promise<NatsWire> {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    await once(socket, 'connect');
    const wire = new NatsWire(socket, onMessage);
    const login = {
      verbose: false,
      headers: true,
      user: url.username,
      pass: url.password,
      lang: 'bench',
      version: '1',
    };
    socket.write(`CONNECT ${JSON.stringify(login)}\r\nSUB ${inbox} 1\r\n`);
    return wire;
  }

  /** The bytes that publish a payload with a header. */
  static layOut(subject: string, header: string, payload: string): Buffer {
    const headers = `NATS/1.0\r\n${header}\r\n\r\n`;
    return Buffer.from(
      `HPUB ${subject} ${headers.length} ${headers.length + payload.length}\r\n${headers}${payload}\r\n`,
    );
  }

  /** Sends with everything else that is sent in the same turn. */
  send(message: Buffer): void {
    if (this.#unsent.push(message) === 1) setImmediate(() => this.#flush());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await once(this.#socket, 'close');
  }

  #flush(): void {
    this.#socket.write(Buffer.concat(this.#unsent));
    this.#unsent.length = 0;
  }

  #receive(chunk: string): void {
    const text = this.#rest + chunk;
    let at = 0;
    for (;;) {
      const lineEnd = text.indexOf('\r\n', at);
      if (lineEnd < 0) break;
      const line = text.slice(at, lineEnd);
      if (!line.startsWith('MSG ')) {
        if (line === 'PING') this.#socket.write('PONG\r\n');
        if (line.startsWith('-ERR')) throw new Error(`NATS answered ${line}`);
        at = lineEnd + 2;
        continue;
      }
      const size = Number(line.slice(line.lastIndexOf(' ') + 1));
      const start = lineEnd + 2;
      if (text.length < start + size + 2) break;
      this.#onMessage(text.slice(start, start + size));
      at = start + size + 2;
    }
    this.#rest = text.slice(at);
  }
}
