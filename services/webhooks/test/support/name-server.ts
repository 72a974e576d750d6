import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** What a name resolves to: addresses, one of the failures of DNS, or no answer at all. */
export type Zone = (name: string, asked: number) => readonly string[] | 'nxdomain' | 'servfail' | 'silence';

const typeA = 1;

/** A name server on loopback that answers as a test says; A records only, with the TTL given. */
export class NameServer implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #asked = new Map<string, number>();

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async start(zone: Zone, ttlSec = 0): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.on('message', (query, { port, address }) => {
      const answer = server.#answer(query, zone, ttlSec);
      if (answer) socket.send(answer, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** How often the name was asked for. */
  asked(name: string): number {
    return this.#asked.get(name) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(query: Buffer, zone: Zone, ttlSec: number): Buffer | undefined {
    const { name, end } = readName(query);
    const isA = query.readUInt16BE(end) === typeA;
    const asked = this.asked(name) + (isA ? 1 : 0);
    this.#asked.set(name, asked);
    const result = zone(name, asked);
    if (result === 'silence') return undefined;
    const addresses = typeof result === 'string' || !isA ? [] : result;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (result === 'nxdomain' ? 3 : result === 'servfail' ? 2 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    return Buffer.concat([header, query.subarray(12, end + 4), ...addresses.map((text) => record(text, ttlSec))]);
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** An A record whose name points back at the question. */
function record(address: string, ttlSec: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(0xc00c, 0);
  bytes.writeUInt16BE(typeA, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt32BE(ttlSec, 6);
  bytes.writeUInt16BE(4, 10);
  bytes.set(address.split('.').map(Number), 12);
  return bytes;
}
