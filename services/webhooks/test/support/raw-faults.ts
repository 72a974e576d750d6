import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What a receiver does to each of its connections, and what an attempt must make of it. */
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
