import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Attempt } from '#src/http/attempt.ts';
import type { Sender } from '#src/http/sender.ts';
import { BlackHole, rawFaults, RawServer } from './support/faulty-receivers.ts';
import { NameServer } from './support/name-server.ts';
import { createSender, webhookRequest } from './support/senders.ts';

/** Far less than what the hostile receivers send, and more than what a run leaves behind by chance. */
const growthBytesMax = 8_000_000;
const callsAtOnce = 25;
const warmupRounds = 2;
const rounds = 4;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

async function callMany(sender: Sender, url: string, times: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (let n = 0; n < times; n++) {
    attempts.push(...(await Promise.all(Array.from({ length: callsAtOnce }, () => sender.send(webhookRequest(url))))));
  }
  return attempts;
}

describe('a receiver that', () => {
  test.each(Object.entries(rawFaults))('%s leaves no memory and no connection behind', async (_what, fault) => {
    const { serve, delivered, error, status } = fault;
    await using sender = createSender({ deliveryTimeoutMs: 150 });
    await using server = await RawServer.start(serve);
    await callMany(sender, server.url, warmupRounds);
    const before = usedBytes();
    const outcomes = (await callMany(sender, server.url, rounds)).map((attempt) => ({
      delivered: attempt.delivered,
      error: attempt.error,
      status: attempt.response?.status ?? null,
    }));
    // Under load a deadline this short may come before the answer, or before the connection; it is no other fault.
    const late = ['timeout_headers', 'connect_timeout'].map((phase) => ({
      delivered: false,
      error: phase,
      status: null,
    }));
    for (const outcome of outcomes) expect([{ delivered, error, status }, ...late]).toContainEqual(outcome);
    await eventually(() => expect(usedBytes() - before).toBeLessThan(growthBytesMax));
    await eventually(() => expect(server.open).toBe(0));
  });

  test('F11 drops every SYN is given up at the deadline', async () => {
    await using sender = createSender();
    using hole = await BlackHole.open();
    const attempt = await sender.send(webhookRequest(`http://127.0.0.1:${hole.port}/`));
    expect(attempt).toMatchObject({ delivered: false, error: 'connect_timeout', response: null, peerAddress: null });
  });

  test('F12 has one of 500 names whose servers are silent does not hold up a name that resolves', async () => {
    await using dns = await NameServer.start((name) => (name.startsWith('silent') ? 'silence' : ['127.0.0.1']));
    await using sender = createSender({ deliveryTimeoutMs: 2_000, dnsServers: [dns.address] });
    await using server = await RawServer.start((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const silent: Promise<Attempt>[] = [];
    for (let n = 0; n < 500; n++) {
      silent.push(sender.send(webhookRequest(`http://silent-${n}.example:8080/`)));
      // The name server, which is in this process, has to read its questions before they overflow its socket.
      if (n % 25 === 0) await nextTurn();
    }
    expect(await sender.send(webhookRequest(`http://shop.example:${server.port}/`))).toMatchObject({ delivered: true });
    for (const { delivered, error } of await Promise.all(silent)) {
      expect({ delivered, known: error === 'connect_timeout' || error === 'dns_timeout' }).toEqual({
        delivered: false,
        known: true,
      });
    }
  });

  test('F17 asks for its connection to be kept ten minutes does not pin it', async () => {
    await using sender = createSender({ keepAliveMaxMs: 500 });
    await using server = await RawServer.start((socket) => {
      socket.on('data', () =>
        socket.write(
          'HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n',
        ),
      );
    });
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: true });
    expect(server.open).toBe(1);
    await eventually(() => expect(server.open).toBe(0));
  });
});
