import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** How a network fails: connections are refused and reset, or nothing arrives and no error is reported. */
export type CutManner = 'reset' | 'silence';

/** Passes TCP on to one address until it is made to fail. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Where it leads; may be set after a client has connected. */
  target: { host: string; port: number } | undefined;
  cut(manner: CutManner): void;
  /** After silence, what was sent during it arrives: TCP has repeated it. */
  heal(): void;
}

export async function startTcpProxy(): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const waiting = new Set<Socket>();
  let manner: CutManner | undefined;
  const proxy: Pick<TcpProxy, 'target'> = { target: undefined };

  const join = (inner: Socket) => {
    if (proxy.target === undefined) return void inner.destroy();
    const pair = [inner, connect({ ...proxy.target, noDelay: true })] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [pair[1], pair[0]]] as const) {
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => undefined);
      from.on('end', () => to.end());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  };
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    if (manner === 'reset') return void socket.resetAndDestroy();
    if (manner === 'silence') return void waiting.add(socket.on('error', () => undefined));
    join(socket);
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no TCP port');

  const heal = () => {
    manner = undefined;
    for (const pair of pairs) for (const socket of pair) socket.resume();
    for (const socket of waiting) {
      join(socket);
      socket.resume();
    }
    waiting.clear();
  };
  return Object.assign(proxy, {
    port: address.port,
    cut: (how: CutManner) => {
      manner = how;
      for (const socket of [...pairs].flat()) {
        if (how === 'reset') socket.resetAndDestroy();
        else socket.pause();
      }
    },
    heal,
    [Symbol.asyncDispose]: async () => {
      for (const socket of [...[...pairs].flat(), ...waiting]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
