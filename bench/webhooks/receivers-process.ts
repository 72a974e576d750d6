import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Arrivals, ReceiversCommand } from './receivers.ts';

/** Many merchants' servers in a process of their own: each has an origin, so each costs its sender a connection. */
const arrivedBy = new Map<string, Arrivals>();

process.on('message', (command: ReceiversCommand) => {
  if (command.kind === 'open') void open(command.count).then((ports) => process.send?.(ports));
  else process.send?.(arrivedBy.get(command.path) ?? { deliveries: 0, firstAtMs: 0, lastAtMs: 0 });
});
process.on('disconnect', () => process.exit(0));

async function open(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () =>
    createServer((request, response) => {
      request.resume().once('end', () => {
        arrived(request.url ?? '');
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return servers.map((server) => (server.address() as AddressInfo).port);
}

function arrived(path: string): void {
  const atMs = monotonicMs();
  const before = arrivedBy.get(path);
  const firstAtMs = before?.firstAtMs ?? atMs;
  arrivedBy.set(path, { deliveries: (before?.deliveries ?? 0) + 1, firstAtMs, lastAtMs: atMs });
}
