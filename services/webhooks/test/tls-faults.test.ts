import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer, type TlsOptions, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificateAuthority, eventually } from '@gateway/test-kit';
import { NameServer } from './support/name-server.ts';
import { RawServer } from './support/faulty-receivers.ts';
import { createSender, webhookRequest } from './support/senders.ts';

const authority = createCertificateAuthority();
const stranger = createCertificateAuthority('somebody else');

let dns: NameServer;
beforeAll(async () => {
  dns = await NameServer.start(() => ['127.0.0.1']);
});
afterAll(async () => dns[Symbol.asyncDispose]());

/** A response ends a turn before its connection can carry the next request. */
const connectionIsFree = () => nextTurn();

const newSender = (deliveryTimeoutMs = 5_000) =>
  createSender({ deliveryTimeoutMs, dnsServers: [dns.address], tls: { ca: authority.cert } });

interface TlsServer extends AsyncDisposable {
  readonly url: string;
  readonly open: () => number;
}

/** Answers 204 to whatever comes. */
async function serve(options: TlsOptions): Promise<TlsServer> {
  const sockets = new Set<TLSSocket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://shop.example:${(server.address() as AddressInfo).port}/hook`,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a receiver with TLS', () => {
  test('and a certificate for its name is delivered to; its handshake is timed, and made once', async () => {
    await using sender = newSender();
    await using server = await serve(authority.issue(['shop.example']));
    const first = await sender.send(webhookRequest(server.url));
    expect(first).toMatchObject({ delivered: true, error: null, reusedConnection: false });
    expect(first.timings.tlsMs).not.toBeNull();
    await connectionIsFree();
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: true, reusedConnection: true });
    expect(server.open()).toBe(1);
  });

  test.each([
    ['an expired certificate', authority.issue(['shop.example'], { expired: true }), 'tls_expired'],
    ['a certificate for another name', authority.issue(['other.example']), 'tls_name'],
    ['a certificate of an unknown authority', stranger.issue(['shop.example']), 'tls_other'],
    ['a certificate it signed itself', createCertificateAuthority('shop.example'), 'tls_other'],
    [
      'TLS 1.0 only',
      {
        ...authority.issue(['shop.example']),
        ...({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const),
      },
      'tls_other',
    ],
  ] as const)('F13 and %s gets nothing', async (_what, options, error) => {
    await using sender = newSender();
    await using server = await serve({ ...options });
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: false, error, response: null });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('F13 that demands a certificate of its caller gets nothing', async () => {
    await using sender = newSender();
    await using server = await serve({
      ...authority.issue(['shop.example']),
      ...{ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' },
    });
    expect(await sender.send(webhookRequest(server.url))).toMatchObject({ delivered: false, error: 'tls_other' });
  });

  test('F13 that stalls its handshake is cut at the deadline, and its connection closed', async () => {
    await using sender = newSender(400);
    await using server = await RawServer.start((socket) => socket.resume());
    const url = `https://shop.example:${server.port}/hook`;
    expect(await sender.send(webhookRequest(url))).toMatchObject({ delivered: false, error: 'connect_timeout' });
    await eventually(() => expect(server.open).toBe(0));
  });
});
