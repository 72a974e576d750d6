import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { serviceNames } from '@gateway/contracts/messages';
import { answering, healthRoute, serveRpc } from '@gateway/messaging';
import { Readiness } from '@gateway/runtime';
import { listenEarly } from '@gateway/runtime/http';
import { eventually, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { startService } from '#src/service.ts';
import { secretsKey, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

describe('the health of the whole', () => {
  let gateway: GatewayUnderTest;
  const ready = new Readiness();
  const waiting = new Readiness();
  ready.started();
  beforeAll(async () => {
    gateway = await startGateway([healthRoute(ready, 'ledger'), healthRoute(waiting, 'deposits')]);
  });
  afterAll(async () => gateway[Symbol.asyncDispose]());

  test('is 503 naming who is away and who is not ready, and 200 when all are there', async () => {
    const answer = await gateway.call('GET', '/health');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      status: 'degraded',
      services: {
        'api-gateway': 'ok',
        ledger: 'ok',
        deposits: 'degraded',
        payouts: 'away',
        webhooks: 'away',
        compat: 'away',
        identity: 'away',
        reconciler: 'away',
      },
    });
    waiting.started();
    const others = serviceNames.filter((name) => !['api-gateway', 'ledger', 'deposits'].includes(name));
    const answeringOthers = await serveRpc(
      gateway.bus,
      others.map((name) => healthRoute(ready, name)),
      silentLogger,
    );
    await eventually(async () => {
      const { status, body } = await gateway.call('GET', '/health');
      expect([status, body.status]).toEqual([200, 'ok']);
    });
    await answeringOthers[Symbol.asyncDispose]();
  });

  test('is 200 while the reconciler alone is away, which no merchant needs', async () => {
    waiting.started();
    const others = serviceNames.filter((name) => !['api-gateway', 'ledger', 'deposits', 'reconciler'].includes(name));
    const routes = others.map((name) => healthRoute(ready, name));
    const served = await serveRpc(gateway.bus, routes, silentLogger);
    await eventually(async () => {
      const { status, body } = await gateway.call('GET', '/health');
      const services = { ledger: 'ok', payouts: 'ok', reconciler: 'away' };
      expect([status, body]).toMatchObject([200, { status: 'degraded', services }]);
    });
    await served[Symbol.asyncDispose]();
  });
});

test('while PostgreSQL is away callers get 503 with Retry-After in their own dialect, and the wait can be ended', async () => {
  const stopping = new AbortController();
  const listen = async () => await listenEarly({ host: '127.0.0.1', port: 0 });
  const ports = [await listen(), await listen(), await listen()];
  const [port, opsPort, consolePort] = ports.map((listener) => listener.port);
  for (const listener of ports) await listener[Symbol.asyncDispose]();
  const starting = startService({
    name: 'api-gateway',
    logger: silentLogger,
    readiness: new Readiness(),
    signal: stopping.signal,
    env: {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      NATS_URL: testNatsUrl(),
      PORT: String(port),
      OPS_PORT: String(opsPort),
      CONSOLE_PORT: String(consolePort),
      COMPAT_URL: 'http://127.0.0.1:1',
      SECRETS_KEY: secretsKey.toString('base64'),
    },
  });
  const ended = expect(starting).rejects.toThrow();
  for (const address of [port, opsPort, consolePort]) {
    const answer = await eventually(() => fetch(`http://127.0.0.1:${address}/v1/balance`));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  }
  for (const path of ['/compat/cli/client/balance', '/cli', '/compat?a=1']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({ success: false, data: null, errors: ['the service is starting'] });
  }
  stopping.abort();
  await ended;
});

test('a request on its way is answered before the gateway has stopped', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = answering(getBalance, async () => {
    arrived.resolve();
    await release.promise;
    return { balances: [] };
  });
  const gateway = await startGateway([slow]);
  const account = await gateway.newAccount();
  const answer = gateway.asMerchant(account.test, 'GET', '/v1/balance');
  await arrived.promise;
  const stopped = gateway.stop();
  release.resolve();
  expect((await answer).status).toBe(200);
  await stopped;
  await expect(gateway.call('GET', '/health')).rejects.toThrow();
  await gateway[Symbol.asyncDispose]();
});

test.each([
  [{ OPS_OPERATORS: '[' }, 'OPS_OPERATORS'],
  [{ OPS_OPERATORS: '[{"name":"ana","token":"short"}]' }, 'OPS_OPERATORS.0.token'],
  [{ OPS_OPERATORS: JSON.stringify(['a', 'a'].map((name) => ({ name, token: 'x'.repeat(20) }))) }, 'OPS_OPERATORS'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  [{ COMPAT_PREFIXES: 'compat' }, 'COMPAT_PREFIXES'],
  [{ PORT: '70000' }, 'PORT'],
])('a configuration with %j is refused by name, its values untold', async (wrong, name) => {
  const env = { DATABASE_URL: 'postgres://a@b/c', NATS_URL: 'nats://x', COMPAT_URL: 'http://x', ...wrong };
  const context = { name: 'api-gateway', logger: silentLogger, readiness: new Readiness() };
  const failure = startService({ ...context, signal: AbortSignal.abort(), env });
  await expect(failure).rejects.toThrow(name);
  await expect(failure).rejects.not.toThrow('short');
});
