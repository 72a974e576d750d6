import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DomainError, errorBodySchema } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import { createHttpServer, listenEarly, securityHeaders } from '@gateway/runtime/http';
import { eventually, silentLogger } from '@gateway/test-kit';

let app: FastifyInstance;

beforeEach(async () => {
  app = createHttpServer({ logger: silentLogger });
  const body = z.object({ amount_cents: z.int('must be a positive integer'), payer: z.object({ name: z.string() }) });
  app.post('/v1/things', { schema: { body } }, async () => ({ made: true }));
  app.get('/v1/things/:id', async (request) => ({ id: (request.params as { id: string }).id }));
  app.post('/v1/things/:id/poke', async () => ({ poked: true }));
  app.get('/v1/broken', async () => {
    throw new Error('password=hunter2');
  });
  app.get('/v1/away', async () => {
    throw new DomainError('SERVICE_UNAVAILABLE', 'the ledger does not answer', { retryAfterSec: 7 });
  });
  await app.ready();
});
afterEach(async () => app.close());

const json = { 'content-type': 'application/json' };

describe('every answer', () => {
  test('carries a request id: ours, or the one given when it is fit to be echoed', async () => {
    const own = await app.inject({ url: '/v1/things/1' });
    expect(isId('request', String(own.headers['x-request-id']))).toBe(true);
    const given = await app.inject({ url: '/v1/things/1', headers: { 'x-request-id': 'my.Id_1-2' } });
    expect(given.headers['x-request-id']).toBe('my.Id_1-2');
    const unfit = await app.inject({ url: '/v1/things/1', headers: { 'x-request-id': 'a b' } });
    expect(unfit.headers['x-request-id']).not.toBe('a b');
  });
});

describe('a request that does not fit', () => {
  const refusals: [string, number, string, InjectOptions][] = [
    ['malformed JSON', 400, 'VALIDATION_ERROR', { method: 'POST', url: '/v1/things', headers: json, payload: '{"a":' }],
    ['an empty body', 400, 'VALIDATION_ERROR', { method: 'POST', url: '/v1/things', headers: json, payload: '' }],
    [
      'a polluting key',
      400,
      'VALIDATION_ERROR',
      { method: 'POST', url: '/v1/things', headers: json, payload: '{"__proto__":{"a":1}}' },
    ],
    [
      'another type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { method: 'POST', url: '/v1/things', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    ],
    [
      'a large body',
      413,
      'PAYLOAD_TOO_LARGE',
      { method: 'POST', url: '/v1/things', headers: json, payload: JSON.stringify('x'.repeat(65_536)) },
    ],
    ['an unknown route', 404, 'NOT_FOUND', { url: '/v1/nothing' }],
  ];

  test.each(refusals)('%s is %i %s', async (_name, status, code, request) => {
    const response = await app.inject(request);
    expect(response.statusCode).toBe(status);
    const { error } = errorBodySchema.parse(response.json());
    expect(error.code).toBe(code);
    expect(error.request_id).toBe(response.headers['x-request-id']);
  });

  test('is told every field by its dotted path', async () => {
    const payload = JSON.stringify({ amount_cents: 1.5, payer: { name: 7 } });
    const response = await app.inject({ method: 'POST', url: '/v1/things', headers: json, payload });
    const { error } = errorBodySchema.parse(response.json());
    expect(error.details?.map((detail) => detail.path)).toEqual(['amount_cents', 'payer.name']);
    expect(error.message).toBe('amount_cents must be a positive integer');
  });

  test('with a method the route has not is 405 with Allow', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/v1/things/9?x=1' });
    expect(response.statusCode).toBe(405);
    expect(response.headers['allow']).toBe('GET, HEAD');
    expect(response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  });

  test('may leave out a body the operation does not need, with or without a content type', async () => {
    for (const headers of [{}, json]) {
      const response = await app.inject({ method: 'POST', url: '/v1/things/1/poke', headers });
      expect(response.statusCode).toBe(200);
    }
  });
});

describe('bytes that are not what they should be', () => {
  const post = (payload: Buffer, contentType = 'application/json') =>
    app.inject({ method: 'POST', url: '/v1/things', headers: { 'content-type': contentType }, payload });
  const compressed = (encoding: string, payload: Buffer) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    return app.inject({ method: 'POST', url: '/v1/things', headers, payload });
  };

  test('invalid UTF-8 is refused, not replaced: two references that differ stay two', async () => {
    const response = await post(Buffer.from('{"external_id":"\xe1"}', 'latin1'));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error: { message: 'the body is not valid UTF-8' } });
  });

  test('another charset is 415', async () => {
    const response = await post(Buffer.from('{}'), 'application/json; charset=latin1');
    expect(response.statusCode).toBe(415);
    const utf8 = await post(Buffer.from('{"amount_cents":1,"payer":{"name":"a"}}'), 'application/json; charset=UTF-8');
    expect(utf8.statusCode).toBe(200);
  });

  test('a compressed body is 415, not bad JSON', async () => {
    const body = Buffer.from('{"amount_cents":1,"payer":{"name":"a"}}');
    const response = await compressed('gzip', gzipSync(body));
    expect(response.statusCode).toBe(415);
    expect(response.json()).toMatchObject({ error: { message: 'the body must not be compressed' } });
    expect((await compressed('identity', body)).statusCode).toBe(200);
  });

  test.each([
    ['a prototype', '{"__proto__":{"a":1}}', 'the body has a member that is not allowed: __proto__ or constructor'],
    ['an escaped one', '{"\\u005f_proto__":1}', 'the body has a member that is not allowed: __proto__ or constructor'],
    [
      'a constructor',
      '{"constructor":{"prototype":{}}}',
      'the body has a member that is not allowed: __proto__ or constructor',
    ],
    ['half a text', '{"a":', 'the body is not valid JSON'],
    ['32,000 levels', '['.repeat(32_000) + ']'.repeat(32_000), 'the body is nested deeper than 32 levels'],
    // Not JSON either: the depth is looked at before the parser is asked.
    ['33 levels without an end', '['.repeat(33), 'the body is nested deeper than 32 levels'],
  ])('%s as a body is refused saying why', async (_name, body, message) => {
    const response = await post(Buffer.from(body));
    expect([response.statusCode, response.json()]).toMatchObject([400, { error: { message } }]);
  });

  test('what is no HTTP is answered in the one error shape, with a request id and the security headers', async () => {
    await using early = await listenEarly({ host: '127.0.0.1', port: 0 });
    const late = createHttpServer({ logger: silentLogger, server: early.adopt });
    late.get('/v1/things', async () => ({ ok: true }));
    await late.ready();
    for (const [request, status] of [
      ['GARBAGE\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      ['QUERY /v1/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 405],
      ['GET /v1/things HTTP/1.1\r\n\r\n', 400],
      ['GET /v1/things HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n', 400],
      ['GET /v1/things HTTP/1.1\r\nhost: x\r\nauthorization: a\r\nAUTHORIZATION: b\r\n\r\n', 400],
    ] as const) {
      const answer = await sendRaw(early.port, request);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toContain(`HTTP/1.1 ${status}`);
      const requestId = /x-request-id: (\S+)/.exec(head)?.[1];
      expect(errorBodySchema.parse(JSON.parse(body)).error.request_id).toBe(requestId);
      // Those of answered requests are the service's own to set.
      if (status === 405) continue;
      for (const [name, value] of Object.entries(securityHeaders)) expect(head).toContain(`${name}: ${value}`);
    }
    await late.close();
  });
});

async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('a failure of ours', () => {
  test('is 500 without its message', async () => {
    const response = await app.inject({ url: '/v1/broken' });
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('hunter2');
    expect(response.body).not.toContain('stack');
  });

  test('that passes is 503 with Retry-After', async () => {
    const response = await app.inject({ url: '/v1/away' });
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('7');
  });
});

test('the address of a caller is without the port that a proxy wrote behind it', async () => {
  const behind = createHttpServer({ logger: silentLogger, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
  behind.get('/', async (request) => ({ ip: request.ip }));
  const ipOf = async (forwarded: string) =>
    (await behind.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).json<{ ip: string }>().ip;
  expect(await ipOf('203.0.113.7:4711')).toBe('203.0.113.7');
  expect(await ipOf('9.9.9.9, 203.0.113.7:4712, 10.1.1.1:80')).toBe('203.0.113.7');
  expect(await ipOf('[2001:db8::1]:4713')).toBe('2001:db8::1');
  await behind.close();
});

describe('a listener opened early', () => {
  const get = (port: number) =>
    new Promise<Readonly<Record<'status' | 'retryAfter' | 'framing', unknown>>>((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path: '/v1/things/1', agent: false }, (response) => {
        response.resume();
        resolve({
          status: response.statusCode,
          retryAfter: response.headers['retry-after'],
          framing: response.headers['x-frame-options'],
        });
      })
        .on('error', reject)
        .end();
    });

  test('answers 503 with Retry-After and the security headers until the real one is there', async () => {
    await using early = await listenEarly({ host: '127.0.0.1', port: 0 });
    expect(await get(early.port)).toEqual({ status: 503, retryAfter: '1', framing: 'DENY' });
    const late = createHttpServer({ logger: silentLogger, server: early.adopt });
    late.get('/v1/things/:id', async () => ({ ok: true }));
    await late.ready();
    expect(await get(early.port)).toEqual({ status: 200, retryAfter: undefined, framing: undefined });
    await late.close();
  });

  describe('that accepts connections with several sockets', () => {
    const several = { host: '127.0.0.1', port: 0, acceptorsMax: 8 };

    test('answers on the connections of each of them, and shares its port with no second one', async () => {
      await using early = await listenEarly(several);
      const answers = await Promise.all(Array.from({ length: 100 }, () => get(early.port)));
      expect(answers).toEqual(Array(100).fill({ status: 503, retryAfter: '1', framing: 'DENY' }));
      await expect(listenEarly({ ...several, port: early.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });

    test('ends when what is under way on each of them is answered, and accepts none meanwhile', async () => {
      const early = await listenEarly(several);
      const late = createHttpServer({ logger: silentLogger, server: early.adopt });
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let underWay = 0;
      late.get('/v1/things/:id', async () => {
        underWay += 1;
        await released;
        return { ok: true };
      });
      await late.ready();
      const answers = Array.from({ length: 50 }, () => get(early.port));
      await eventually(() => expect(underWay).toBe(50));
      const ended = early[Symbol.asyncDispose]();
      await expect(get(early.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      release();
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(50).fill(200));
      await ended;
      await late.close();
    });
  });
});
