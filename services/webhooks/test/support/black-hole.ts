import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const program = `
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
    const child = fork('data:', [], { execArgv: ['--eval', program] });
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
