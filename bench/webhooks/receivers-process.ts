import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerParent } from '../load/child.ts';
import { monotonicMs } from '../load/load.ts';
import { timedPath, type Arrivals, type ReceiversCommand, type TimedArrival } from './receivers.ts';

// Many merchants' servers in a process of their own: each has an origin, so each costs its sender a connection.

/** Warm means that connections are kept from one round to the next. */
const keepAliveTimeoutMs = 60_000;
const arrivedBy = new Map<string, Arrivals>();
const timed: TimedArrival[] = [];
let hangingEach = 0;

answerParent(answerTo);

async function answerTo(command: ReceiversCommand): Promise<unknown> {
  switch (command.kind) {
    case 'open':
      return await open(command);
    case 'arrivals':
      return arrivedBy.get(command.path) ?? { deliveries: 0, firstAtMs: 0, lastAtMs: 0 };
    case 'timed':
      return timed.splice(0);
    case 'hang':
      hangingEach = command.each;
      return null;
  }
}

async function open({ count, tls }: Extract<ReceiversCommand, { kind: 'open' }>): Promise<number[]> {
  const servers = Array.from({ length: count }, (_, index) => {
    const server = tls ? createTlsServer(tls) : createServer();
    server.keepAliveTimeout = keepAliveTimeoutMs;
    server.on('request', (request: IncomingMessage, response) => {
      if (request.url === timedPath) return void timedArrival(request, index).then(() => response.writeHead(204).end());
      request.resume().once('end', () => {
        arrived(request.url ?? '');
        response.writeHead(204).end();
      });
    });
    return server.listen(0, '127.0.0.1');
  });
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return servers.map((server) => (server.address() as AddressInfo).port);
}

/** Resolves when it is to be answered: for a server that hangs never. */
async function timedArrival(request: IncomingMessage, server: number): Promise<void> {
  const atMs = monotonicMs();
  const { data } = JSON.parse(await text(request)) as { data: { id: string } };
  timed.push({ server, id: data.id, atMs });
  if (hangingEach > 0 && server % hangingEach === 0) await new Promise(() => undefined);
}

function arrived(path: string): void {
  const atMs = monotonicMs();
  const before = arrivedBy.get(path);
  const firstAtMs = before?.firstAtMs ?? atMs;
  arrivedBy.set(path, { deliveries: (before?.deliveries ?? 0) + 1, firstAtMs, lastAtMs: atMs });
}
