import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streams } from '@gateway/contracts/broker';
import { eventually, freePort, silentLogger } from '@gateway/test-kit';
import { connectBus } from '#src/bus/bus.ts';
import { pulls } from '#src/bus/pulls.ts';
import { ensureStreams } from '#src/bus/streams.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
const nodes: ChildProcess[] = [];
let url: string;

beforeAll(async () => {
  const threePorts = () => Promise.all([freePort(), freePort(), freePort()]);
  const [clients, routes] = [await threePorts(), await threePorts()];
  for (const [index, port] of clients.entries()) {
    const file = join(directory, `n${index}.conf`);
    writeFileSync(file, configuration(index, port, routes));
    nodes.push(spawn(process.env['NATS_SERVER'] ?? 'nats-server', ['-c', file], { stdio: 'ignore' }));
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
jetstream { store_dir: ${JSON.stringify(join(directory, `n${index}`))}, max_file_store: 1TB }
authorization { user: gateway, password: secret }
cluster { name: gateway, listen: "127.0.0.1:${routes[index]}", routes: [${routes.map((route) => `"nats-route://127.0.0.1:${route}"`).join(', ')}] }
`;
}

test('in a cluster streams have three copies, and publishing and reading go on when one node is lost', async () => {
  await using bus = await connectBus({ url, name: 'test', logger: silentLogger, streamReplicas: 3 });
  const { name } = streams.depositsEvents;
  await eventually(() => ensureStreams(bus, [streams.depositsEvents], silentLogger));
  const { config } = await bus.manager.streams.info(name);
  expect(config.num_replicas).toBe(3);

  const durable = { durable_name: 'reader', ack_policy: AckPolicy.Explicit };
  const { cluster } = await eventually(() => bus.manager.consumers.add(name, durable));
  const requests = bus.connection.subscribe(`$JS.API.CONSUMER.MSG.NEXT.${name}.reader`, { max: 1 });
  const read: string[] = [];
  const callback = (message: JsMsg) => {
    read.push(message.string());
    message.ack();
  };
  await using reading = new AsyncDisposableStack();
  const consumer = await bus.jetstream.consumers.get(name, 'reader');
  const messages = await consumer.consume({ ...pulls, callback });
  reading.defer(async () => void (await messages.close()));
  // The library's own half a minute is how long a reader would hear nothing after the loss of its consumer's node.
  for await (const request of requests)
    expect(request.json()).toMatchObject({ expires: nanos(5_000), idle_heartbeat: nanos(2_500) });

  const publish = (text: string) =>
    bus.publish('event.deposits.deposit.paid.v1', text, { messageId: text, trace: {}, timeoutMs: 2_000 });
  await eventually(() => publish('before'));
  await eventually(() => expect(read).toContain('before'));
  expect(nodes[Number(cluster?.leader?.slice(1))]?.kill('SIGKILL')).toBe(true);
  await eventually(() => publish('after'));
  await eventually(() => expect(read).toContain('after'), { timeoutMs: 60_000 });
  expect((await bus.manager.streams.info(name)).state.messages).toBe(2);
}, 120_000);
