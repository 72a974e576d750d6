import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { byProxy } from '@gateway/test-kit';

const nsPerSec = 1_000_000_000n;

/** What a message of a consumer is acknowledged by: stream, consumer, counts, nanoseconds when it was stored, what is left. */
const acknowledgement = /(?<=\$JS\.ACK(?:\.[^.\s]+){2}(?:\.\d+){3}\.)\d{19}(?=\.\d+\s)/g;
/** As questions to the broker and its answers have times, without the part of a second. */
const written = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z)/g;
/** What may be the beginning of either; no message of the protocol ends like that. */
const unfinished = /(?:\$\S*|\d[\dT:.-]*)$/;

/**
 * A way to the broker by which its clock is wrong: what it hands over and shows was stored so much later, or earlier, than it
 * was, and what it is asked for by time is what it then shows. Times have as many characters as before, so the lengths that
 * the protocol announces stay as they are.
 */
export class BrokerClock implements AsyncDisposable {
  aheadSec = 0;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));

  private constructor(target: URL) {
    this.#target = target;
  }

  static async of(url: string): Promise<BrokerClock> {
    const clock = new BrokerClock(new URL(url));
    clock.#server.listen(0, '127.0.0.1');
    await once(clock.#server, 'listening');
    return clock;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return byProxy(this.#target, port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    const broker = connect(Number(this.#target.port), this.#target.hostname);
    for (const end of [client, broker]) {
      this.#sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        this.#sockets.delete(end);
        client.destroy();
        broker.destroy();
      });
    }
    this.#pass(client, broker, -1);
    this.#pass(broker, client, 1);
  }

  #pass(from: Socket, to: Socket, direction: 1 | -1): void {
    let held = '';
    from.on('data', (bytes) => {
      const text = held + bytes.toString('latin1');
      held = unfinished.exec(text)?.[0] ?? '';
      to.write(Buffer.from(moved(text.slice(0, text.length - held.length), direction * this.aheadSec), 'latin1'));
    });
  }
}

function moved(text: string, bySec: number): string {
  if (bySec === 0) return text;
  return text
    .replace(acknowledgement, (ns) => String(BigInt(ns) + BigInt(bySec) * nsPerSec))
    .replace(written, (time) => new Date(Date.parse(`${time}Z`) + bySec * 1_000).toISOString().slice(0, time.length));
}
