import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiError,
  ConnectionError,
  Gateway,
  GatewayError,
  InsufficientFundsError,
  isGatewayError,
  TestOnlyError,
  ValidationError,
} from '#src/index.ts';
import { operations } from '#src/generated/operations.ts';
import { clientOf, deposit, secretKey } from './support/client.ts';
import { everyMethod } from './support/every-method.ts';
import { HttpServer, refusal, type Reply, type SeenRequest } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await HttpServer.start();
});
afterAll(async () => server[Symbol.asyncDispose]());

const params = { amount_cents: 1_990, external_id: 'order-1' };
const caught = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a call', () => {
  test('carries the credentials, the contract, the program and what the caller adds', async () => {
    server.reply({ status: 201, json: deposit });
    const client = clientOf(server.url, { appInfo: 'shop/1.4' });
    await client.deposits.create(params, { requestId: 'mine-1', headers: { 'Accept-Language': 'pt-BR' } });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'POST', path: '/v1/deposits', body: JSON.stringify(params) });
    expect(seen?.headers).toMatchObject({
      'x-api-key': 'pk_test_shop',
      'x-api-secret': secretKey,
      'x-api-version': '0.1',
      'x-request-id': 'mine-1',
      'accept-language': 'pt-BR',
      'content-type': 'application/json',
    });
    expect(seen?.headers['user-agent']).toMatch(/^gateway-ts\/0\.1\.0 \(node 24\.\d+\.\d+; \w+ \w+\) shop\/1\.4$/);
  });

  test('answers with the record, the answer it came in, or the answer unread, and is sent once', async () => {
    const limits = { 'ratelimit-limit': '200', 'ratelimit-remaining': '199', 'ratelimit-reset': '1' };
    server.reply({ status: 201, json: deposit, headers: { 'x-request-id': 'req_7', ...limits } });
    const call = clientOf(server.url).deposits.create(params);
    expect(await call).toEqual(deposit);
    expect(await call.withResponse()).toMatchObject({ data: deposit, requestId: 'req_7', response: { status: 201 } });
    expect(JSON.stringify(await call)).not.toContain('meta');
    expect((await call).meta).toEqual({
      ...{ created: true, status: 201, requestId: 'req_7', attempts: 1 },
      rateLimit: { limit: 200, remaining: 199, resetSec: 1 },
    });
    expect(server.seen).toHaveLength(1);
    server.reply({ status: 200, json: deposit });
    expect((await clientOf(server.url).deposits.create(params)).meta.rateLimit).toBeUndefined();
    const unread = await clientOf(server.url).deposits.create(params).raw();
    expect(JSON.parse(await unread.text())).toEqual(deposit);
  });

  test('takes undefined for what may be left out, and sends nothing of it', async () => {
    server.reply({ status: 201, json: deposit });
    const asked = { ...params, description: undefined, payer: { name: 'Maria', document: undefined } };
    await clientOf(server.url).deposits.create(asked, { signal: undefined, timeoutMs: undefined });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ ...params, payer: { name: 'Maria' } });
  });

  test('is sent although it is not awaited', async () => {
    server.reply({ json: deposit });
    void clientOf(server.url).deposits.cancel('dep_1');
    await expect.poll(() => server.seen.length).toBe(1);
  });

  test('writes ids and queries so that no text becomes another path', async () => {
    server.reply({ json: deposit });
    const client = clientOf(server.url);
    await client.deposits.get('dep_1/../../v1/payouts?x=1');
    expect(server.seen[0]?.path).toBe('/v1/deposits/dep_1%2F..%2F..%2Fv1%2Fpayouts%3Fx%3D1');
    for (const id of ['', '..', undefined as unknown as string])
      await expect(client.deposits.get(id)).rejects.toThrow(
        /getDeposit wants the id of \/v1\/deposits\/\{id\}: .*is not an id/,
      );
    await client.deposits.list({ external_id: 'a&b=c', from: new Date(0), to: 1_767_348_277, limit: 2 });
    expect(server.seen[1]?.path).toBe(
      '/v1/deposits?external_id=a%26b%3Dc&from=1970-01-01T00%3A00%3A00.000Z&to=1767348277&limit=2',
    );
  });

  test.each(['onRequest', 'onResponse'] as const)(
    'rejects with the error of the hook %s as it is, and is not repeated for it',
    async (hook) => {
      server.reply({ status: 201, json: deposit });
      const fault = new Error('the log of the shop is full');
      const failing = () => {
        throw fault;
      };
      await expect(clientOf(server.url, { [hook]: failing }).deposits.create(params)).rejects.toBe(fault);
      expect(server.seen).toHaveLength(hook === 'onRequest' ? 0 : 1);
    },
  );

  test('follows no redirection: credentials go to one address', async () => {
    const other = await HttpServer.start();
    server.reply({ status: 302, headers: { location: `${other.url}/` } });
    await expect(clientOf(server.url).balance.get()).rejects.toMatchObject({ status: 302, code: 'HTTP_302' });
    expect(other.seen).toEqual([]);
    await other[Symbol.asyncDispose]();
  });

  test('keeps what it does not know: members, values of enumerations', async () => {
    server.reply({ json: { ...deposit, status: 'SETTLED_TWICE', surprise: { a: 1 } } });
    expect(await clientOf(server.url).deposits.get('dep_1')).toMatchObject({
      status: 'SETTLED_TWICE',
      surprise: { a: 1 },
    });
  });
});

describe('a refusal', () => {
  test('is of the class of its code and names the fields', async () => {
    const details = [{ path: 'payer.document', message: 'has wrong check digits' }];
    server.reply(refusal(400, 'VALIDATION_ERROR', { message: 'the body does not fit', details }));
    const error = await caught(clientOf(server.url).deposits.create(params));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ name: 'ValidationError', status: 400, details, requestId: 'req_1', attempts: 1 });
    expect(String(error)).toBe(
      'ValidationError: the body does not fit [payer.document: has wrong check digits] (400 VALIDATION_ERROR, request req_1)',
    );
    server.reply(refusal(422, 'INSUFFICIENT_FUNDS'));
    const refused = await caught(clientOf(server.url).deposits.refunds.create('dep_1', { external_id: 'r' }));
    expect(refused).toBeInstanceOf(InsufficientFundsError);
    expect(isGatewayError(refused)).toBe(true);
    expect(isGatewayError(new Error('another'))).toBe(false);
  });

  test.each(['NEWER_THAN_THIS_PACKAGE', 'constructor', '__proto__'])(
    'with the code %s is an ApiError',
    async (code) => {
      server.reply(refusal(418, code));
      const error = await caught(clientOf(server.url).balance.get());
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ name: 'ApiError', code, status: 418 });
    },
  );

  test.each(['', '<html>', 'null', '[]', '{"error":"text"}', '{"error":{"details":[7,{"path":{}}]}}'])(
    'in any other form is an ApiError: %s',
    async (text) => {
      server.reply({ status: 400, text });
      expect(await caught(clientOf(server.url).balance.get())).toMatchObject({ code: 'HTTP_400', status: 400 });
    },
  );

  test('a success that is no JSON is not taken for one', async () => {
    server.reply({ status: 200, text: '<html>captive portal</html>' });
    expect(await caught(clientOf(server.url).balance.get())).toBeInstanceOf(ConnectionError);
  });
});

describe('the secret key', () => {
  const shown = (value: unknown) =>
    [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value), JSON.stringify(value)].join('\n');

  test('is in nothing that a client, a call, an error or a hook shows', async () => {
    const outputs: unknown[] = [];
    const keep = (value: unknown) => outputs.push(value);
    const client = clientOf(server.url, { onRequest: keep, onResponse: keep, maxRetries: 1 });
    server.reply(refusal(401, 'AUTH_INVALID', { message: `${secretKey} is wrong` }, { 'x-echo': secretKey }));
    outputs.push(client, await caught(client.balance.get()));
    server.reply('reset');
    outputs.push(await caught(client.balance.get()));
    server.reply({ json: deposit });
    outputs.push(await client.deposits.create(params).withResponse(), client.deposits.list());
    expect(outputs.length).toBeGreaterThan(8);
    for (const output of outputs) expect(shown(output)).not.toContain(secretKey);
    expect(outputs).toContainEqual(expect.objectContaining({ method: 'GET', attempt: 1, status: 401 }));
  });

  test('is not in the error of a network library that keeps its request', async () => {
    const broken = async (url: string, request: object) => {
      const error = new Error(`failed: ${JSON.stringify(request)}`, { cause: { message: secretKey, request } });
      throw Object.assign(error, { config: { url, request }, code: 'EPIPE' });
    };
    const error = await caught(clientOf(server.url, { fetch: broken, maxRetries: 0 }).balance.get());
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { code: 'EPIPE' } });
    expect(shown(error)).not.toContain(secretKey);
    expect(shown((error as Error).cause)).not.toContain(secretKey);
  });

  test('is not in the complaint about an option', () => {
    for (const options of [
      { publicKey: secretKey },
      { baseUrl: `https://user:${secretKey}@gateway.example` },
      { secretKey: `${secretKey}\n` },
    ]) {
      expect(() => clientOf(server.url, options)).toThrow(GatewayError);
      expect(() => clientOf(server.url, options)).not.toThrow(secretKey);
    }
  });
});

describe('a client', () => {
  test('is made of the environment, and names the variable that is missing', () => {
    const variables = {
      GATEWAY_BASE_URL: 'https://gateway.example/',
      GATEWAY_API_KEY: 'pk_live_1',
      GATEWAY_API_SECRET: 's',
    };
    const client = Gateway.fromEnv({}, variables);
    expect([client.baseUrl, client.environment, client.apiVersion]).toEqual(['https://gateway.example', 'live', '0.1']);
    for (const name of Object.keys(variables))
      expect(() => Gateway.fromEnv({}, { ...variables, [name]: '' })).toThrow(`${name} is not set`);
  });

  test('says what is wrong with an address or a key, and never shows the key', () => {
    expect(() => clientOf('https://gateway.example/v1/')).toThrow('it has to be https://gateway.example');
    expect(clientOf('https://example.org/v1/gateway').baseUrl).toBe('https://example.org/v1/gateway');
    expect(() => clientOf(server.url, { secretKey: `${secretKey}\n` })).toThrow('a space or line end around it');
    expect(() => clientOf(server.url, { secretKey: '' })).toThrow('secretKey is not a key: it is no text');
    expect(() => clientOf(server.url, { secretKey: 'sk test' })).toThrow('a space or a character within it');
  });

  test('with a live key simulates nothing, and asks nobody', async () => {
    server.reply({ json: deposit });
    const live = clientOf(server.url, { publicKey: 'pk_live_1' });
    const simulated = Object.entries(operations).filter(([, { path }]) => path.startsWith('/v1/test/'));
    expect(simulated.length).toBeGreaterThan(5);
    for (const [id] of simulated)
      expect([id, await caught(everyMethod[id]!(live))]).toEqual([id, expect.any(TestOnlyError)]);
    expect(server.seen).toEqual([]);
  });

  test('does not start in a page of a browser unless it is asked to', () => {
    const page = globalThis as { window?: unknown };
    page.window = { document: {} };
    try {
      expect(() => clientOf(server.url)).toThrow('a browser would show the secret key');
      expect(clientOf(server.url, { dangerouslyAllowBrowser: true }).environment).toBe('test');
    } finally {
      delete page.window;
    }
  });
});

describe('a list', () => {
  const ids = Array.from({ length: 7 }, (_, index) => `dep_${7 - index}`);
  const pageOf = ({ path }: SeenRequest): Reply => {
    const query = new URL(path, 'http://any').searchParams;
    const start = ids.indexOf(query.get('cursor') ?? '') + 1;
    const data = ids.slice(start, start + 3).map((id) => ({ id }));
    return { json: { data, next_cursor: start + 3 < ids.length ? data.at(-1)?.id : null } };
  };
  const list = () => clientOf(server.url).deposits.list({ status: 'PAID', limit: 3 });

  test('is walked from page to page with its query, each record once', async () => {
    server.reply(pageOf);
    const walked: string[] = [];
    for await (const { id } of list()) walked.push(id);
    expect(walked).toEqual(ids);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/v1/deposits?status=PAID&limit=3',
      '/v1/deposits?status=PAID&limit=3&cursor=dep_5',
      '/v1/deposits?status=PAID&limit=3&cursor=dep_2',
    ]);
  });

  test('sends nothing before it is read, one call for its first page, and none after a break', async () => {
    server.reply(pageOf);
    const deposits = list();
    expect(server.seen).toEqual([]);
    const first = await deposits;
    expect([first.data.length, first.next_cursor, server.seen.length]).toEqual([3, 'dep_5', 1]);
    expect((await first.next())?.data.map(({ id }) => id)).toEqual(['dep_4', 'dep_3', 'dep_2']);
    server.reply(pageOf);
    for await (const { id } of list()) if (id === 'dep_6') break;
    expect(server.seen).toHaveLength(1);
    expect(await list().toArray({ max: 4 })).toHaveLength(4);
    expect(await list().toArray({ max: 0 })).toEqual([]);
  });

  test('ends when the cursor repeats itself, and repeats a page that was lost', async () => {
    server.reply({ json: { data: [{ id: 'dep_1' }], next_cursor: 'dep_1' } });
    expect(await list().toArray({ max: 100 })).toHaveLength(2);
    server.reply('cut', pageOf, 'reset', pageOf);
    expect((await list().toArray({ max: 100 })).map(({ id }) => id)).toEqual(ids);
  });
});
