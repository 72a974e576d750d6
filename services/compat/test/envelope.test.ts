import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, Readiness } from '@gateway/runtime';
import { eventually, freePort, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { startService } from '#src/service.ts';
import { addMerchant, bearer, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade({ COMPAT_PREFIXES: '/compat/cli, /old' });
});
afterAll(async () => facade[Symbol.asyncDispose]());

const json = { 'content-type': 'application/json' };
const authenticatePath = '/compat/cli/client/authenticate';

describe('every failure comes in the envelope', () => {
  test.each<[string, number, string, RequestInit]>([
    ['an unknown route', 404, '/compat/cli/client/nothing', {}],
    ['an operation under a prefix that is not mounted', 404, '/cli/client/balance', {}],
    ['a wrong method', 405, '/compat/cli/client/balance', { method: 'POST', headers: json, body: '{}' }],
    ['a method that few know', 405, '/compat/cli/client/balance', { method: 'QUERY' }],
    ['malformed JSON', 400, authenticatePath, { method: 'POST', headers: json, body: '{"clientId":' }],
    ['no body', 400, authenticatePath, { method: 'POST' }],
    ['a form', 415, authenticatePath, { method: 'POST', body: new URLSearchParams({ clientId: 'pk' }) }],
    ['a huge body', 413, authenticatePath, { method: 'POST', headers: json, body: `"${'x'.repeat(70_000)}"` }],
    ['no token', 401, '/old/client/balance', {}],
  ])('%s is %i', async (_name, status, path, init) => {
    const answer = await facade.call(path, init);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ success: false, data: null, errors: [expect.any(String)] });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('a wrong method names the right one', async () => {
    const answer = await facade.call(authenticatePath);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test("keeps the request id of the gateway's call", async () => {
    const answer = await facade.call('/nothing', { headers: { 'x-request-id': 'req_from-gateway' } });
    expect(answer.headers.get('x-request-id')).toBe('req_from-gateway');
  });
});

describe('while others are away', () => {
  test('a gateway that does not answer makes it 503 with Retry-After', async () => {
    const { publicKey, secretKey } = addMerchant(facade.peers);
    const answer = await facade.whilePeersAreAway(() => facade.authenticate(publicKey, secretKey));
    expect(answer).toMatchObject({ status: 503, body: { success: false, data: null } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await facade.authenticate(publicKey, secretKey)).toMatchObject({ status: 200 });
  });

  test('it answers 503 in the envelope until its database is there, and is not ready before', async () => {
    const stopping = new AbortController();
    const port = await freePort();
    const readiness = new Readiness();
    const env = {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/nothing`,
      NATS_URL: testNatsUrl(),
      PORT: String(port),
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    };
    const context = { name: 'compat', logger: silentLogger, readiness, signal: stopping.signal };
    const starting = startService({ ...context, env });
    const answer = await eventually(() => facade.call(authenticatePath, {}, port));
    expect(answer).toMatchObject({ status: 503, body: { success: false, data: null } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await readiness.report()).ready).toBe(false);
    stopping.abort(new Error('enough'));
    await expect(starting).rejects.toThrow();
    await expect(facade.call(authenticatePath, {}, port)).rejects.toThrow('fetch failed');
  });

  test('its bus and its database are what its readiness asks', async () => {
    facade.readiness.started();
    expect(await facade.readiness.report()).toEqual({ ready: true, checks: { database: 'ok', bus: 'ok' } });
  });
});

test('a configuration that does not fit is refused naming every variable and no value', async () => {
  const context = {
    name: 'compat',
    logger: silentLogger,
    readiness: new Readiness(),
    signal: new AbortController().signal,
  };
  const env = { DATABASE_URL: 'nowhere', NATS_URL: 'x', SECRETS_KEY: 'c2hvcnQ=', COMPAT_PREFIXES: 'cli' };
  const error = await startService({ ...context, env }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  const { message } = error as ConfigError;
  for (const name of ['DATABASE_URL', 'SECRETS_KEY', 'COMPAT_PREFIXES']) expect(message).toContain(name);
  expect(message).not.toContain('c2hvcnQ=');
});

test('a call under way when the service stops is answered', async () => {
  const { publicKey, secretKey } = addMerchant(facade.peers);
  const replica = await facade.startReplica();
  const token = bearer(await facade.authenticate(publicKey, secretKey));
  const answers = Array.from({ length: 20 }, () => facade.call('/old/client/balance', token, replica.port));
  await Promise.race(answers);
  await replica[Symbol.asyncDispose]();
  for (const answer of await Promise.allSettled(answers)) {
    // A client that had not connected yet is refused the connection; no client gets half an answer.
    if (answer.status === 'fulfilled') expect([200, 503]).toContain(answer.value.status);
    else expect(String(answer.reason)).toContain('fetch failed');
  }
});
