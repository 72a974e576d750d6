import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { byProxy } from '@gateway/test-kit';

/** A proxy to a real server that can be cut and restored: for its clients the server is away, and then back. */
export class Cable implements AsyncDisposable {
  /** Connections that were attempted in vain. */
  refused = 0;
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #isCut = false;
  readonly #server = createServer((socket) => this.#accept(socket));

  private constructor(target: URL) {
    this.#target = target;
  }

  static async to(url: string): Promise<Cable> {
    const cable = new Cable(new URL(url));
    cable.#server.listen(0, '127.0.0.1');
    await once(cable.#server, 'listening');
    return cable;
  }

  /** The target's, by this way. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return byProxy(this.#target, port);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    if (this.#isCut) {
      this.refused += 1;
      socket.destroy();
      return;
    }
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    for (const end of [socket, onward]) {
      this.#sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        this.#sockets.delete(end);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  }
}
