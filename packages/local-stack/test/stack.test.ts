import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Service } from '#src/stack/gateway-services.ts';
import { startStack, type Stack, type StackOptions } from '#src/stack/start-stack.ts';
import { temporaryHome } from '#src/stack/homes.ts';

const serviceScript = fileURLToPath(new URL('./fixtures/service.ts', import.meta.url));
const operatorsApi = fileURLToPath(new URL('./fixtures/operators-api.ts', import.meta.url));

let home: ReturnType<typeof temporaryHome>;
let stack: Stack;

function fixture(name: string, script: string, environment: Service['environment']): Service {
  return { name, script, tier: 1, environment };
}

function services(): Service[] {
  return [
    fixture('webhooks', serviceScript, (addresses) => ({ ANSWERS: JSON.stringify(addresses) })),
    {
      ...fixture('api-gateway', operatorsApi, ({ publicPort, opsPort, operators }) => ({
        ACCOUNTS_FILE: join(home.path, 'accounts.json'),
        PORT: String(publicPort),
        OPS_PORT: String(opsPort),
        OPS_OPERATORS: JSON.stringify(operators),
      })),
      wholeUrl: ({ baseUrl }) => `${baseUrl}/health`,
    },
  ];
}

function start(options: Partial<StackOptions> = {}): Promise<Stack> {
  return startStack({
    home: home.path,
    durable: false,
    quiet: true,
    services: services(),
    env: { FIXTURE_NAME: 'extra' },
    ...options,
  });
}

beforeAll(async () => {
  home = temporaryHome();
  stack = await start();
});

afterAll(async () => {
  await stack.stop();
  home[Symbol.dispose]();
});

async function environmentOf(name: string): Promise<Record<string, string>> {
  const { INTERNAL_PORT } = stack.process(name).definition.env;
  const response = await fetch(`http://127.0.0.1:${INTERNAL_PORT}/ready`);
  return ((await response.json()) as { env: Record<string, string> }).env;
}

test('a service learns its own database, the bus and the stack, and nothing meant for others', async () => {
  const env = await environmentOf('webhooks');
  expect(env).toMatchObject({
    DATABASE_URL: stack.databaseUrls.gateway_webhooks,
    NATS_URL: expect.stringMatching(/^nats:\/\/webhooks:[\w-]{32}@127\.0\.0\.1:\d+$/) as string,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    FIXTURE_NAME: 'extra',
  });
  expect(Buffer.from(env.SECRETS_KEY ?? '', 'base64')).toHaveLength(32);
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['PORT']));
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['TEST_DATABASE_URL']));
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.end();
});

test('dev.json names the addresses, both operators and one merchant, for its owner alone', () => {
  const file = join(home.path, 'dev.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    base_url: stack.baseUrl,
    ops_url: stack.opsUrl,
    console_url: `http://localhost:${new URL(stack.opsUrl).port}`,
    merchant_console_url: `http://localhost:${new URL(stack.consoleUrl).port}`,
    logins: [],
    ops_tokens: [expect.any(String), expect.any(String)],
    simulator_url: stack.simulatorUrl,
    merchants: [
      {
        account_id: 'acc_1',
        name: 'Demo Merchant',
        test: { public_key: 'pk_test_acc_1', secret_key: 'sk_test_acc_1' },
        live: { public_key: 'pk_live_acc_1', secret_key: 'sk_live_acc_1' },
      },
    ],
  });
});

test('is ready only when the gateway reaches the other services', () => {
  // Before that the operators' API of this stack refuses to create a merchant.
  expect(stack.dev.merchants).toHaveLength(1);
});

test('what the shell exports as HOST puts nothing on the network; GATEWAY_HOST moves the public listener alone', async () => {
  using other = temporaryHome();
  const shell = { HOST: '0.0.0.0', OPS_HOST: '0.0.0.0', INTERNAL_HOST: '0.0.0.0', GATEWAY_HOST: '127.0.0.2' };
  for (const [name, value] of Object.entries(shell)) vi.stubEnv(name, value);
  const listeners = [
    fixture('webhooks', serviceScript, (addresses) => ({ ANSWERS: JSON.stringify(addresses) })),
    fixture('psp-simulator', serviceScript, ({ simulatorPort }) => ({ PORT: String(simulatorPort) })),
  ];
  try {
    await using exposed = await start({ home: other.path, services: listeners });
    for (const name of ['webhooks', 'psp-simulator']) {
      const { HOST, INTERNAL_HOST, OPS_HOST } = exposed.process(name).definition.env;
      expect({ HOST, INTERNAL_HOST, OPS_HOST }).toEqual({
        HOST: '127.0.0.1',
        INTERNAL_HOST: '127.0.0.1',
        OPS_HOST: undefined,
      });
    }
    expect(exposed.baseUrl).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect([exposed.opsUrl, exposed.simulatorUrl].map((url) => new URL(url).hostname)).toEqual([
      '127.0.0.1',
      '127.0.0.1',
    ]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('NATS and PostgreSQL can be taken away and come back on the same port', async () => {
  await stack.natsServer.kill();
  expect(await stack.process('nats').isReady()).toBe(false);
  await stack.natsServer.loseData();
  await stack.natsServer.start();
  await stack.postgres.restart('crash');
  await stack.ready();
  expect(stack.restartCount('webhooks')).toBe(0);
});

test('a taken port is named with the variable that moves it', async () => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => occupied.once('listening', resolve));
  const { port } = occupied.address() as AddressInfo;
  using other = temporaryHome();
  const failing = start({ home: other.path, ports: { ops: port } });
  await expect(failing).rejects.toThrow(`port ${port} is taken: end what listens there, or set OPS_PORT to another`);
  occupied.close();
});

test('the demo merchant is made once, and again only when the gateway no longer knows it', async () => {
  await stack.stop();
  stack = await start();
  expect(stack.dev.merchants.map((merchant) => merchant.account_id)).toEqual(['acc_1']);
  await stack.stop();
  writeFileSync(join(home.path, 'accounts.json'), '["acc_unrelated"]');
  stack = await start();
  expect(stack.dev.merchants.map((merchant) => merchant.account_id)).toEqual(['acc_2']);
});

test('given servers are used instead of our own', async () => {
  using other = temporaryHome();
  const [databaseUrl, natsUrl] = [process.env.TEST_DATABASE_URL ?? '', process.env.TEST_NATS_URL ?? ''];
  await using guest = await start({ home: other.path, databaseUrl, natsUrl });
  expect(guest.natsUrl).toBe(natsUrl);
  expect(new URL(guest.databaseUrls.gateway_webhooks ?? '').host).toBe(new URL(databaseUrl).host);
  expect(() => guest.process('postgres')).toThrow('no process is called postgres');
  await expect(guest.natsServer.stop()).rejects.toThrow('does not manage its NATS');
});

test('a start that is given up leaves nothing behind', async () => {
  using other = temporaryHome();
  const abort = new AbortController();
  const starting = start({ home: other.path, signal: abort.signal });
  abort.abort(new Error('changed my mind'));
  await expect(starting).rejects.toThrow('changed my mind');
  await using again = await start({ home: other.path });
  expect(again.dev.merchants).toHaveLength(1);
});

test('two listeners on one port are refused in one line before anything starts', async () => {
  using other = temporaryHome();
  const options = { home: other.path, ports: { public: 18_080, ops: 18_080 }, quiet: true };
  await expect(startStack(options)).rejects.toThrow('PORT and OPS_PORT are both 18080: give each its own port');
});
