import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streams } from '@gateway/contracts';
import { connectBus, ensureStreams } from '#src/index.ts';
import { eventually, silentLogger } from '#src/testing/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
const nodes: ChildProcess[] = [];
let url: string;

beforeAll(async () => {
  const [clients, routes] = [await freePorts(3), await freePorts(3)];
  for (const [index, port] of clients.entries()) {
    const file = join(directory, `n${index}.conf`);
    writeFileSync(file, configuration(index, port, routes));
    // Debian puts it into /usr/sbin, which is not on an ordinary user's PATH.
    const env = { PATH: [process.env['PATH'] ?? '', '/usr/sbin', '/usr/local/sbin'].join(delimiter) };
    nodes.push(spawn('nats-server', ['-c', file], { env, stdio: 'ignore' }));
  }
  url = `nats://gateway:secret@127.0.0.1:${clients[0]},127.0.0.1:${clients[1]},127.0.0.1:${clients[2]}`;
});

afterAll(async () => {
  for (const node of nodes) {
    if (node.exitCode !== null || node.signalCode !== null) continue;
    const ended = once(node, 'exit');
    node.kill('SIGKILL');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

function configuration(index: number, port: number, routes: readonly number[]): string {
  return `server_name: n${index}
listen: "127.0.0.1:${port}"
jetstream { store_dir: ${JSON.stringify(join(directory, `n${index}`))} }
authorization { user: gateway, password: secret }
cluster { name: gateway, listen: "127.0.0.1:${routes[index]}", routes: [${routes.map((route) => `"nats-route://127.0.0.1:${route}"`).join(', ')}] }
`;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

test('in a cluster streams have three copies, and publishing goes on when one node is lost', async () => {
  await using bus = await connectBus({ url, name: 'test', logger: silentLogger, streamReplicas: 3 });
  const contract = streams.depositsEvents;
  await eventually(() => ensureStreams(bus, [contract], silentLogger), { timeoutMs: 20_000 });
  const { config } = await bus.manager.streams.info(contract.name);
  expect(config.num_replicas).toBe(3);

  const publish = (messageId: string) =>
    bus.publish('event.deposits.deposit.paid.v1', '{}', { messageId, trace: {}, timeoutMs: 2_000 });
  await eventually(() => publish('before'), { timeoutMs: 20_000 });
  nodes[0]?.kill('SIGKILL');
  await eventually(() => publish('after'), { timeoutMs: 25_000 });
  await eventually(async () => expect((await bus.manager.streams.info(contract.name)).state.messages).toBe(2));
}, 60_000);
