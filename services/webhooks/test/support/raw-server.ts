import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP server that does to each connection what a test says: the receivers no HTTP library would make. */
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
