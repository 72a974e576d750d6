import { execFile, spawn } from 'node:child_process';
import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createTestDatabase, testNatsUrl } from '@gateway/test-kit';

test('a unit test that asks for a database or a broker fails', async () => {
  await expect(createTestDatabase('unit', { entities: [], migrations: [] })).rejects.toThrow(
    'TEST_DATABASE_URL is not set',
  );
  expect(() => testNatsUrl()).toThrow('TEST_NATS_URL is not set');
});

test('a unit test that connects to a server of another process fails', async () => {
  expect(() => connect(4222, '127.0.0.1')).toThrow('a unit test may not connect to port 4222');
  await expect(fetch('http://127.0.0.1:4222/')).rejects.toThrow();
});

test('a unit test that starts a process fails', () => {
  expect(() => spawn('nats-server')).toThrow('a unit test may not start nats-server');
  expect(() => execFile('postgres')).toThrow('a unit test may not start postgres');
});

test('a unit test may connect to a server of its own', async () => {
  const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  expect(greeting.toString()).toBe('hello');
  server.close();
});
