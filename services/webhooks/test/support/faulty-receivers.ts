import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A TCP server that handles each connection as its test wants: receivers that no HTTP library would make. */
export class RawServer implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor(onConnection: (socket: Socket, number: number) => void) {
    let connections = 0;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      onConnection(socket, ++connections);
    });
  }

  static async start(onConnection: (socket: Socket, number: number) => void): Promise<RawServer> {
    const server = new RawServer(onConnection);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Connections that are still open. */
  get open(): number {
    return this.#sockets.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** What a receiver does to each of its connections, and the attempt that must come of it. */
export interface RawFault {
  readonly serve: (socket: Socket) => void;
  readonly delivered: boolean;
  readonly error: string | null;
  /** Of the response, if there was one. */
  readonly status: number | null;
}

const dripIntervalMs = 25;
const bomb = gzipSync(Buffer.alloc(20_000_000));
const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;

const onRequest = (act: (socket: Socket) => void) => (socket: Socket) => {
  socket.once('data', () => act(socket));
};

const says = (head: string) => onRequest((socket) => socket.write(`${head}\r\nconnection: close\r\n\r\n`));

const drips = (head: string, drop: string) =>
  onRequest((socket) => {
    socket.write(head);
    const drip = setInterval(() => socket.write(drop), dripIntervalMs);
    socket.on('close', () => clearInterval(drip));
  });

const writesMuch = (head: string, piece: string, times: number) =>
  onRequest((socket) => {
    socket.write(head);
    for (let n = 0; n < times && !socket.destroyed; n++) socket.write(piece);
  });

const delivered = (status: number) => ({ delivered: true, error: null, status }) as const;
const failed = (error: string, status: number | null = null) => ({ delivered: false, error, status }) as const;

/** Those of the fault table (webhooks.md 3) that are made of bytes on an open connection. */
export const rawFaults: Readonly<Record<string, RawFault>> = {
  'F1 says nothing': { serve: (socket) => socket.resume(), ...failed('timeout_headers') },
  'F2 drips headers': { serve: drips('HTTP/1.1 200 OK\r\n', 'x-drip: 1\r\n'), ...failed('timeout_headers') },
  'F3 drips a body': { serve: drips('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', 'x'), ...delivered(200) },
  'F4 floods': {
    serve: writesMuch('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', chunk, 256),
    ...delivered(200),
  },
  'F5 sends a bomb': {
    serve: onRequest((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\ncontent-length: ${bomb.length}\r\n\r\n`,
      );
      socket.write(bomb);
    }),
    ...delivered(200),
  },
  'F6 redirects': {
    serve: says('HTTP/1.1 307 Go\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0'),
    ...failed('http_3xx', 307),
  },
  'F7 says 103 first': {
    serve: says('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0'),
    ...delivered(200),
  },
  'F8 answers 204': { serve: says('HTTP/1.1 204 No Content'), ...delivered(204) },
  'F8 answers 205': { serve: says('HTTP/1.1 205 Reset Content\r\ncontent-length: 0'), ...delivered(205) },
  'F8 answers 304': { serve: says('HTTP/1.1 304 Not Modified'), ...failed('http_3xx', 304) },
  'F9 resets at once': { serve: (socket) => socket.resetAndDestroy(), ...failed('reset') },
  'F9 resets in the middle of headers': {
    serve: onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nx-', () => socket.resetAndDestroy())),
    ...failed('reset'),
  },
  'F9 resets after the request': { serve: onRequest((socket) => socket.resetAndDestroy()), ...failed('reset') },
  'F14 speaks another protocol': {
    serve: onRequest((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')),
    ...failed('protocol'),
  },
  'F14 sends endless headers': {
    serve: writesMuch('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(4_096)}\r\n`, 64),
    ...failed('protocol'),
  },
  'F14 announces two lengths': {
    serve: says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2'),
    ...failed('protocol'),
  },
  'F15 is gone': { serve: says('HTTP/1.1 410 Gone\r\ncontent-length: 0'), ...failed('gone', 410) },
  'F15 asks for a pause': {
    serve: says('HTTP/1.1 429 Slow\r\nretry-after: 1000000000\r\ncontent-length: 0'),
    ...failed('rate_limited', 429),
  },
  'F15 is away': {
    serve: says('HTTP/1.1 503 Away\r\nretry-after: -1\r\ncontent-length: 0'),
    ...failed('http_5xx', 503),
  },
};

/** A listener that its parent stops. */
const listenerProgram = `
  const server = require('node:net').createServer(() => undefined);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.send(server.address().port));
  process.on('disconnect', () => process.exit(0));`;
/** A connection to a live listener on loopback takes far less. */
const silentAfterMs = 200;
const connectionsMax = 16;

/**
 * An address that drops every SYN, as a firewall does: a listener that was stopped and whose queue of connections is
 * full. (Linux.)
 */
export class BlackHole implements Disposable {
  readonly #child: ChildProcess;
  readonly #sockets: Socket[] = [];
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async open(): Promise<BlackHole> {
    const child = fork('data:', [], { execArgv: ['--eval', listenerProgram] });
    const [port] = (await once(child, 'message')) as [number];
    const hole = new BlackHole(child, port);
    child.kill('SIGSTOP');
    await hole.#fill();
    return hole;
  }

  async #fill(): Promise<void> {
    for (let n = 0; n < connectionsMax; n++) {
      const socket = connect(this.port, '127.0.0.1').on('error', () => undefined);
      this.#sockets.push(socket);
      const connected = once(socket, 'connect').then(() => true);
      const silent = new Promise<boolean>((resolve) => setTimeout(resolve, silentAfterMs, false));
      if (!(await Promise.race([connected, silent]))) return;
    }
    throw new Error('the listener still takes connections');
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#child.kill('SIGKILL');
  }
}
