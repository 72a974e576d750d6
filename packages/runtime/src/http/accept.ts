import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Connections the kernel accepts before the process does; beyond them a client tries again only after a second. */
const connectionsWaitingMax = 4_096;
/** What a platform says that has no `SO_REUSEPORT`, or none that spreads connections. */
const notSupported: ReadonlySet<string> = new Set(['ENOTSUP', 'EINVAL', 'ENOPROTOOPT']);

/** How an HTTP server of Node treats its sockets. */
const asHttpServer = { allowHalfOpen: true, noDelay: true };

export interface AcceptOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly acceptorsMax?: number;
}

export interface Accepting {
  readonly port: number;
  /** Sockets beside the server's own that hand it their connections. */
  readonly acceptors: readonly Server[];
}

/**
 * Makes a server accept connections, with several listening sockets where that is asked for and possible. Node accepts one
 * connection per listening socket in each turn of the event loop. When turns are long because there is much to do, a
 * thousand clients that connect at once would wait for seconds behind the requests of those that are connected.
 */
export async function accept(
  server: Server,
  { host, port: wanted, acceptorsMax = 1 }: AcceptOptions,
): Promise<Accepting> {
  const settings = { host, backlog: connectionsWaitingMax };
  if (acceptorsMax === 1) return { port: await listen(server, { ...settings, port: wanted }), acceptors: [] };
  // Sockets that share a port also share it with another process that does: whether it is free is asked without sharing.
  const probe = createServer();
  const port = await listen(probe, { ...settings, port: wanted });
  await closed(probe);
  const shared = { ...settings, port, reusePort: true };
  try {
    await listen(server, shared);
  } catch (error) {
    if (!notSupported.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { port: await listen(server, { ...settings, port }), acceptors: [] };
  }
  const acceptors: Server[] = [];
  while (acceptors.length < acceptorsMax - 1) {
    const acceptor = createServer(asHttpServer, (socket) => server.emit('connection', socket));
    await listen(acceptor, shared);
    acceptors.push(acceptor);
  }
  return { port, acceptors };
}

/** @returns the port. @throws Error when it cannot be listened on */
async function listen(server: Server, options: ListenOptions): Promise<number> {
  server.listen(options);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
  return address.port;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
