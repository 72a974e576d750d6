import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const received: Received[] = [];
let compat: Server;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  compat = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(request.url?.includes('refuse') ? 422 : 200, {
        'content-type': 'application/json',
        'x-compat': 'yes',
      });
      response.end('{"success":true,"data":{},"errors":[]}');
    });
  });
  compat.listen(0, '127.0.0.1');
  await once(compat, 'listening');
  const { port } = compat.address() as AddressInfo;
  gateway = await startGateway([], { COMPAT_URL: `http://127.0.0.1:${port}`, TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  compat.close();
});

describe('a request of the connector', () => {
  test.each(['/compat/cli/client/authenticate?a=1', '/compat/alt/cli/x', '/cli/payment/pix/pix-key'])(
    'to %s is handed over as it is',
    async (path) => {
      const headers = { authorization: 'Bearer jwt', 'x-request-id': 'mine' };
      const answer = await gateway.call('POST', path, { body: '{ "value": 1.50 }', headers });
      expect([answer.status, answer.text]).toEqual([200, '{"success":true,"data":{},"errors":[]}']);
      expect(answer.headers.get('x-compat')).toBe('yes');
      expect(answer.headers.get('x-request-id')).toBe('mine');
      const seen = received.at(-1)!;
      expect([seen.method, seen.url, seen.body]).toEqual(['POST', path, '{ "value": 1.50 }']);
      expect(seen.headers).toMatchObject({ authorization: 'Bearer jwt', 'x-request-id': 'mine' });
    },
  );

  test('says who really calls, whatever the caller says', async () => {
    const spoofed = {
      ...{ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'other.example' },
      ...{ 'x-real-ip': '1.1.1.1', forwarded: 'for=1.1.1.1' },
    };
    await gateway.call('GET', '/compat/cli/client/balance', { headers: spoofed });
    const { headers } = received.at(-1)!;
    expect(headers['x-forwarded-for']).toBe('203.0.113.7');
    for (const name of ['x-real-ip', 'x-forwarded-proto', 'x-forwarded-host']) expect(headers[name]).toBeUndefined();
    expect(headers.forwarded).toBeUndefined();
  });

  test('gets the status of the connector service', async () => {
    expect((await gateway.call('PUT', '/compat/cli/refuse', { body: {} })).status).toBe(422);
  });

  test('in another content type is the connector service to refuse', async () => {
    const answer = await gateway.call('POST', '/compat/cli/x', {
      body: 'a=1',
      headers: { 'content-type': 'text/plain' },
    });
    expect([answer.status, received.at(-1)!.body]).toEqual([200, 'a=1']);
  });

  test.each(['QUERY', 'OPTIONS'])('of the method %s is the connector service to refuse', async (method) => {
    const answer = await gateway.call(method, '/compat/cli/client/balance');
    expect([answer.status, received.at(-1)!.method]).toEqual([200, method]);
  });

  test('over 64 KiB is refused in the envelope of the connector', async () => {
    const answer = await gateway.call('POST', '/compat/cli/x', { body: JSON.stringify('x'.repeat(65_536)) });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ success: false, data: null, errors: ['the body is too large'] });
  });

  test.each([
    ['/compat/cli/%zz', 404],
    ['/cli/payment/%', 404],
    ['/compat/%c0%af?a=%', 404],
  ])('to %s, which nobody can read, is %i in the envelope of the connector', async (path, status) => {
    const answer = await gateway.call('GET', path);
    const errors = [`no such route: GET ${path.split('?', 1).join()}`];
    expect([answer.status, answer.body]).toEqual([status, { success: false, data: null, errors }]);
  });

  test('while its service is away is 503 in the envelope of the connector, with Retry-After', async () => {
    const lonely = await startGateway();
    const answer = await lonely.call('POST', '/compat/cli/client/authenticate', { body: {} });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).toMatchObject({ success: false, data: null });
    expect(answer.body.errors).toHaveLength(1);
    await lonely[Symbol.asyncDispose]();
  });
});

test('without a trusted proxy the address is that of the connection', async () => {
  const { port } = compat.address() as AddressInfo;
  const direct = await startGateway([], { COMPAT_URL: `http://127.0.0.1:${port}` });
  await direct.call('GET', '/cli/client/balance', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(received.at(-1)!.headers['x-forwarded-for']).toBe('127.0.0.1');
  await direct[Symbol.asyncDispose]();
});

test('callers who hang up while they wait for their turn take nothing from those who come later', async () => {
  let held: (() => void)[] | undefined;
  const slow = createServer((_request, response) => {
    const answer = () => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    if (held) held.push(answer);
    else answer();
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const direct = await startGateway([], { COMPAT_URL: `http://127.0.0.1:${port}` });
  const ask = async () => {
    const socket = connect(Number(new URL(direct.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /cli/client/balance HTTP/1.1\r\nhost: gateway\r\n\r\n');
    return socket;
  };
  for (let round = 1; round <= 5; round++) {
    const answers: (() => void)[] = (held = []);
    const first = await Promise.all(Array.from({ length: 4 }, ask));
    await eventually(() => expect(answers).toHaveLength(first.length));
    const waiting = await Promise.all(Array.from({ length: 200 }, ask));
    for (const socket of waiting) socket.destroy();
    // What it does takes the process longer than seeing that they have hung up.
    await direct.asOperator('GET', '/ops/accounts');
    held = undefined;
    for (const answer of answers) answer();
    // It waits behind all of them.
    expect((await direct.call('GET', '/cli/client/balance')).status).toBe(200);
    for (const socket of first) socket.destroy();
  }
  await direct[Symbol.asyncDispose]();
  slow.close();
});
