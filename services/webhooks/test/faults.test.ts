import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Sender } from '#src/http/sender.ts';
import { NameServer } from './support/name-server.ts';
import { RawServer } from './support/faulty-receivers.ts';
import { Receiver, type Answer } from './support/receiver.ts';
import { createSender, webhookRequest } from './support/senders.ts';

let sender: Sender;
beforeAll(() => {
  sender = createSender();
});
afterAll(async () => sender[Symbol.asyncDispose]());

/** A response ends a turn before its connection can carry the next request. */
const connectionIsFree = () => nextTurn();

const raw = (bytes: string) => RawServer.start((socket) => socket.on('data', () => socket.write(bytes)));

describe('a receiver that', () => {
  test('F1 accepts and says nothing is cut at the deadline, and its connection closed', async () => {
    await using server = await RawServer.start((socket) => socket.resume());
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({
      delivered: false,
      error: 'timeout_headers',
      response: null,
      peerAddress: '127.0.0.1',
    });
    await eventually(() => expect(server.open).toBe(0));
  });

  test('F2 drips headers is cut at the deadline', async () => {
    await using server = await RawServer.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: false, error: 'timeout_headers' });
    await eventually(() => expect(server.open).toBe(0));
  });

  test('F3 answers 200 and drips a body has delivered, and is cut', async () => {
    await using server = await RawServer.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const attempt = await sender.send(webhookRequest(server.url));
    expect(attempt).toMatchObject({ delivered: true, error: null, response: { status: 200, truncated: true } });
    await eventually(() => expect(server.open).toBe(0));
  });

  test('F4 answers 200 and floods has delivered; 16 KiB of it are kept', async () => {
    await using server = await RawServer.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const flood = () => {
        while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
      };
      socket.on('drain', flood);
      flood();
    });
    const { delivered, response } = await sender.send(webhookRequest(server.url));
    expect({ delivered, truncated: response?.truncated, kept: response?.body.length }).toEqual({
      delivered: true,
      truncated: true,
      kept: 16_384,
    });
    await eventually(() => expect(server.open).toBe(0));
  });

  test('F5 sends a compressed bomb gets it stored as the bytes it is', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await using receiver = await Receiver.start((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const { delivered, response } = await sender.send(webhookRequest(receiver.url));
    expect(delivered).toBe(true);
    expect(response).toMatchObject({ bodyBase64: true, truncated: true });
    expect(Buffer.from(response!.body, 'base64')).toHaveLength(16_384);
  });

  test.each([301, 302, 303, 307, 308])('F6 redirects with %i is not followed', async (status) => {
    await using elsewhere = await Receiver.start();
    await using receiver = await Receiver.start((response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(await sender.send(webhookRequest(receiver.url))).toMatchObject({ delivered: false, error: 'http_3xx' });
    expect(elsewhere.received).toEqual([]);
  });

  test('F7 says 103 before 200 has delivered', async () => {
    await using server = await raw(
      'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    );
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: true, response: { status: 200 } });
  });

  test.each([
    [200, true, null],
    [204, true, null],
    [205, true, null],
    [299, true, null],
    [304, false, 'http_3xx'],
    [400, false, 'http_4xx'],
    [401, false, 'http_4xx'],
    [403, false, 'http_4xx'],
    [404, false, 'http_4xx'],
    [410, false, 'gone'],
    [429, false, 'rate_limited'],
    [500, false, 'http_5xx'],
    [502, false, 'http_5xx'],
    [503, false, 'http_5xx'],
  ])('F8 answers %i: delivered %s, error %s', async (status, delivered, error) => {
    await using receiver = await Receiver.start((response) => response.writeHead(status).end());
    expect(await sender.send(webhookRequest(receiver.url))).toMatchObject({ delivered, error, response: { status } });
  });

  test.each([
    ['at once', (socket: Socket) => socket.resetAndDestroy()],
    [
      'in the middle of headers',
      (socket: Socket) =>
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nx-', () => socket.resetAndDestroy())),
    ],
    ['after the request', (socket: Socket) => socket.on('data', () => socket.resetAndDestroy())],
  ])('F9 resets %s', async (_when, onConnection) => {
    await using server = await RawServer.start(onConnection);
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: false, error: 'reset' });
  });

  test('F10 is not there refuses', async () => {
    const server = await RawServer.start(() => undefined);
    const { url } = server;
    await server[Symbol.asyncDispose]();
    expect(await sender.send(webhookRequest(url))).toMatchObject({
      delivered: false,
      error: 'refused',
      peerAddress: null,
    });
  });

  test('F14 does not speak HTTP, or announces what it does not send, is a protocol error', async () => {
    await using noise = await raw('SSH-2.0-OpenSSH_9.6\r\n');
    await using huge = await raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(65_536)}\r\n\r\n`);
    await using twice = await raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n');
    for (const server of [noise, huge, twice]) {
      expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: false, error: 'protocol' });
    }
  });

  test.each([
    ['120', 120_000],
    ['1000000000', 1_000_000_000_000],
    ['-5', undefined],
    ['soon', undefined],
    ['1e9', undefined],
  ])('F15 asks to be left alone for %s', async (value, expected) => {
    const answer: Answer = (response) => response.writeHead(429, { 'retry-after': value }).end();
    await using receiver = await Receiver.start(answer);
    expect((await sender.send(webhookRequest(receiver.url))).response?.retryAfterMs).toBe(expected);
  });

  test('F15 names a date gets the time until then', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    await using receiver = await Receiver.start((response) => response.writeHead(503, { 'retry-after': date }).end());
    const waitMs = (await sender.send(webhookRequest(receiver.url))).response?.retryAfterMs ?? 0;
    expect(waitMs).toBeGreaterThan(3_500_000);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
  });

  test('F16 closes a kept connection at the next request is called once per attempt, or not at all', async () => {
    let requests = 0;
    await using server = await RawServer.start((socket) => {
      let served = false;
      socket.on('data', () => {
        requests += 1;
        if (served) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        served = true;
      });
    });
    const first = await sender.send(webhookRequest(server.url));
    await connectionIsFree();
    const second = await sender.send(webhookRequest(server.url));
    expect([first.delivered, second.delivered]).toEqual([true, false]);
    expect(second).toMatchObject({ error: 'reset', reusedConnection: true });
    expect(requests).toBe(2);
  });

  test('F18 answers just before the deadline has delivered', async () => {
    await using patient = createSender({ deliveryTimeoutMs: 5_000 });
    await using receiver = await Receiver.start((response) => void setTimeout(() => response.end(), 300));
    expect(await patient.send(webhookRequest(receiver.url))).toMatchObject({ delivered: true });
  });

  test('keeps its connection is not connected to again', async () => {
    await using receiver = await Receiver.start();
    const first = await sender.send(webhookRequest(receiver.url));
    await connectionIsFree();
    const second = await sender.send(webhookRequest(receiver.url));
    expect(first).toMatchObject({ reusedConnection: false, timings: { tlsMs: null } });
    expect(first.timings.connectMs).not.toBeNull();
    expect(second).toMatchObject({ reusedConnection: true, timings: { connectMs: null }, peerAddress: '127.0.0.1' });
  });

  test('answers with bytes PostgreSQL cannot hold as text is logged all the same', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(500).end('a\0b'));
    expect((await sender.send(webhookRequest(receiver.url))).response).toMatchObject({
      body: 'YQBi',
      bodyBase64: true,
    });
  });
});

describe('the guard', () => {
  test('refuses literals, names that point inside, and URLs that no longer fit, before anything is sent', async () => {
    await using dns = await NameServer.start((name) => (name === 'public.example' ? ['93.184.216.34'] : ['127.0.0.1']));
    await using strict = createSender({ allowInsecure: false, dnsServers: [dns.address] });
    await using receiver = await Receiver.start();
    const { port } = receiver;
    expect(await strict.send(webhookRequest(`https://inside.example:${port}/`))).toMatchObject({
      error: 'ssrf_blocked',
    });
    expect(await strict.send(webhookRequest(`https://127.0.0.1:${port}/`))).toMatchObject({ error: 'invalid_url' });
    expect(await strict.send(webhookRequest(`http://inside.example:${port}/`))).toMatchObject({ error: 'invalid_url' });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ['nxdomain', 'dns_nxdomain'],
    ['servfail', 'dns_failed'],
    ['silence', 'connect_timeout'],
  ] as const)('F12 a name that ends in %s is %s', async (answer, error) => {
    await using dns = await NameServer.start(() => answer);
    await using strict = createSender({ allowInsecure: false, dnsServers: [dns.address] });
    expect(await strict.send(webhookRequest('https://shop.example/'))).toMatchObject({ delivered: false, error });
  });

  test('F25 keeps a URL from adding headers', async () => {
    await using receiver = await Receiver.start();
    const attempt = await sender.send(webhookRequest(`${receiver.url}\r\nx-evil: 1`));
    expect(attempt).toMatchObject({ delivered: false, error: 'invalid_url' });
    expect(receiver.received).toEqual([]);
  });
});
