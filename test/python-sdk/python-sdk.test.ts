import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareTimeoutMs, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { SeededRandom } from '../faults/seeded-random.ts';
import { FaultProxy, faults } from '../sdk/fault-proxy.ts';
import { newMerchant, type Merchant } from '../sdk/new-merchant.ts';
import { Prism } from '../sdk/prism.ts';
import { installRuntimes } from '../sdk/runtimes.ts';
import { BuiltSdk } from './built-sdk.ts';
import { PythonTools } from './python-tools.ts';
import { pythonsHere } from './pythons.ts';

/** By their versions. The tools run on the oldest, so that there is always one. */
const pythons = [...pythonsHere()];

let stack: Stack;
let sdk: BuiltSdk;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  [sdk, stack] = await Promise.all([
    PythonTools.prepare().then((tools) => BuiltSdk.install(tools)),
    startStack({ home: home.path, durable: false, quiet: true, layout: 'together' }),
    installRuntimes(),
  ]);
  stopping.use(sdk);
  stopping.use(stack);
}, prepareTimeoutMs);
afterAll(async () => stopping.disposeAsync());

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** What `Gateway.from_env()` reads. */
function variablesOf({ baseUrl, publicKey, secretKey }: Omit<Merchant, 'plain'>): Readonly<Record<string, string>> {
  return { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
}

describe('the built SDK', () => {
  test('is installed with one direct dependency, and the source archive makes the same package', async () => {
    expect(await sdk.dependencies()).toEqual([expect.stringMatching(/^httpx2\b/)]);
    expect(await sdk.installed()).toEqual(
      ['anyio', 'gateway-sdk', 'h11', 'httpcore2', 'httpx2', 'idna', 'truststore', 'typing_extensions'].sort(),
    );
    const { ofWheel, ofSource } = await sdk.contents();
    expect(ofSource).toEqual(ofWheel);
    expect(ofWheel).toContain('gateway_sdk/py.typed');
    expect(ofWheel.filter((name) => !/^gateway_sdk(?:\/.*\.(?:py|typed)$|-0\.1\.0\.dist-info\/)/.test(name))).toEqual(
      [],
    );
    const version = /__version__ = "(.+)"/.exec(read('sdks/python/src/gateway_sdk/_version.py'))?.[1];
    expect(read('sdks/python/CHANGELOG.md')).toContain(`## ${version}\n`);
  });

  test('is taken by PyPI as it is built: both archives have their metadata, and a page that can be shown', async () => {
    expect(await sdk.checkArchives()).toEqual({ code: 0, output: expect.stringMatching(/PASSED[^]*PASSED/) });
  });

  test.each(pythons)('passes its tests as it is installed in Python %s', async (_, python) => {
    const { code, output } = await sdk.testIn(python, ['test_answers', 'test_stream']);
    expect(code, output).toBe(0);
  });

  test('has types by which mypy agrees with programs that are right, and finds what is not of the contract', async () => {
    expect(await sdk.check()).toEqual({ code: 0, output: expect.stringContaining('Success') });
  });

  test('has a type for all that it exports, as pyright sees the installed package', async () => {
    expect(await sdk.knownTypes()).toEqual({ share: 1, unknown: [] });
  });

  test('does what the examples of its page show', async () => {
    const variables = variablesOf(await newMerchant(stack));
    expect(await sdk.run(['readme.py'], variables)).toEqual({ code: 0, output: sdk.examples().shown });
  });
});

// They wait for payouts most of their time.
describe.concurrent('a shop', () => {
  const run = async (name: string, order: string) => {
    const { code, output } = await sdk.run(['journey.py', name, order], variablesOf(await newMerchant(stack)));
    expect([code, output]).toEqual([0, expect.stringContaining('{')]);
    return JSON.parse(output);
  };

  test('takes money, refunds, pays out and verifies webhooks by contract 0.1, and is stopped where it errs', async () => {
    expect(await run('sync', 'order-1')).toEqual({
      ...{ created: ['PENDING', true, false, true], paid: 'PAID', listed: 1, refunded: 100 },
      ...{ payouts: ['PAID', 'PAID'], late: 'pyt_', refused: 'INSUFFICIENT_FUNDS', reused: 'amount_cents' },
      ...{
        available: 10_000 - 100 - 3 * 500,
        event: 'payout.returned',
        streamed: ['deposit.paid', true],
        csv: true,
        pictures: [true, 'PNG'],
      },
    });
  });

  test('sells several things at the same time by the asynchronous client', async () => {
    const sold = Array(5).fill('PAID');
    const available = 5 * 1_000 - 500;
    expect(await run('async', 'order-2')).toEqual({
      sold,
      listed: 5,
      payout: 'PAID',
      streamed: 5,
      available,
      csv: true,
      log: { read: true, delivered: ['deposit.paid', true], replayed: [9, 0] },
    });
  });

  test('takes pesos and buys USDT by contract 1.0', async () => {
    expect(await run('beta', 'order-3')).toEqual({
      ...{ flow: 'REDIRECT', paid: 'PAID', received: 20_000, converted: 'COMPLETED', to: 'USDT', payout: 'PAID' },
      currency: 'MXN',
    });
  });
});

test.each([
  ['0.1', 'calls', { listed: 5, payout: 'PAID', csv: true, log: { replayed: [9, 0] } }],
  ['1.0', 'beta', { paid: 'PAID', converted: 'COMPLETED', payout: 'PAID' }],
] as const)('sends and receives what the description of contract %s allows, as Prism sees it', async (...given) => {
  const [contract, name, expected] = given;
  const merchant = await newMerchant(stack);
  await using prism = await Prism.before(merchant.baseUrl, contract);
  const variables = variablesOf({ ...merchant, baseUrl: prism.url });
  const { code, output } = await sdk.run(['journey.py', name, 'order-1'], variables);
  expect([code, output]).toEqual([0, expect.stringContaining('{')]);
  expect(JSON.parse(output)).toMatchObject(expected);
});

describe('through a network that fails in every way, by threads and by tasks', () => {
  const count = 60;
  const [amount, sent, refunded] = [1_000, 300, 100];

  test('every external_id is one record, and no cent is lost or doubled', { timeout: 10 * 60_000 }, async () => {
    const { plain, ...connection } = await newMerchant(stack);
    await using proxy = await FaultProxy.start(connection.baseUrl, new SeededRandom(20), 2);
    const variables = variablesOf({ ...connection, baseUrl: proxy.url });
    const kinds = ['threads', 'tasks'];
    const finished = await Promise.all(
      kinds.map((kind, index) => sdk.run(['shops.py', kind, String(index * count), String(count)], variables)),
    );
    for (const { code, output } of finished) expect([code, output]).toEqual([0, expect.stringContaining('[')]);
    await proxy.settled();

    expect([...proxy.happened.keys()].sort()).toEqual([...faults].sort());
    const made = finished.flatMap(({ output }) => JSON.parse(output) as string[][]);
    const names = Array.from({ length: kinds.length * count }, (_, number) => `shop-${number}`).sort();
    expect(new Set(made.flat()).size).toBe(3 * names.length);
    const all = async (path: string): Promise<any[]> => (await plain.get(`${path}limit=200`)).body.data;
    await expect.poll(async () => (await all('/v1/payouts?status=PAID&')).length, { interval: 500 }).toBe(names.length);
    expect((await all('/v1/payouts?')).map(({ external_id }) => external_id).sort()).toEqual(names);
    expect((await all('/v1/refunds?')).map(({ amount_cents }) => amount_cents)).toEqual(names.map(() => refunded));
    expect(await all('/v1/deposits?status=PAID&')).toHaveLength(names.length);
    expect(await all('/v1/deposits?status=FAILED&')).toHaveLength(names.length);
    const left = names.length * (amount - sent - refunded);
    const { body: balance } = await plain.get('/v1/balance');
    expect(balance.brl).toMatchObject({ available_cents: left, pending_cents: 0, blocked_cents: 0, total_cents: left });
    const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}` };
    const reconciled = await fetch(`${stack.opsUrl}/ops/reconciliations`, { method: 'POST', headers });
    expect(await reconciled.json()).toMatchObject({ status: 'OK' });
  });
});
