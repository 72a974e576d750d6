import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from 'vite';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';
import { SeededRandom } from '../faults/seeded-random.ts';
import { PackedCli } from '../cli/packed-cli.ts';
import { BrokenGateway } from './broken-gateway.ts';
import { FaultProxy, faults } from './fault-proxy.ts';
import { newMerchant } from './new-merchant.ts';
import type { Finished } from '../support/run-program.ts';
import { PackedSdk } from './packed-sdk.ts';
import { areTheTypesWrong, installRuntimes, publint, runtimes } from './runtimes.ts';
import { Workerd } from './workerd.ts';

/** What Are The Types Wrong prints. */
interface Analysed {
  readonly analysis: {
    readonly problems: readonly { readonly resolutionKind?: string }[];
    readonly entrypoints: Readonly<Record<string, object>>;
  };
}

let stack: Stack;
let sdk: PackedSdk;
let worker: Workerd;
let broken: BrokenGateway;
let compiled: Finished;
const stopping = new AsyncDisposableStack();
/** The first run on a machine installs the runtimes. */
const prepareTimeoutMs = 10 * 60_000;

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  [sdk, stack] = await Promise.all([
    PackedSdk.install(),
    startStack({ home: home.path, durable: false, quiet: true }),
    installRuntimes(),
  ]);
  stopping.use(sdk);
  stopping.use(stack);
  compiled = await sdk.compile();
  worker = stopping.use(await Workerd.start(sdk));
  broken = stopping.use(await BrokenGateway.start());
}, prepareTimeoutMs);
afterAll(async () => stopping.disposeAsync());

describe('the packed SDK', () => {
  test('installs without a registry, alone: it has no dependency', () => {
    expect(sdk.installed()).toEqual(['@gateway/sdk/package.json']);
    const manifest = JSON.parse(sdk.read('package.json'));
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(sdk.read('src/client.ts')).toContain('export class Gateway');
    expect(sdk.read('dist/client.d.ts')).not.toMatch(/reference types|from 'node:/);
    expect(manifest.version).toBe(/version = '([^']+)'/.exec(sdk.read('src/core/version.ts'))?.[1]);
    expect(sdk.pages()).toContain(`## ${manifest.version}\n`);
  });

  test('compiles where no platform has types, and finds what is not of the contract', () => {
    expect(compiled).toEqual({ code: 0, output: '' });
  });

  test.each(['Node 24', 'Node 20'])('is required by CommonJS in %s', async (name) => {
    const [program] = runtimes[name]!;
    expect(await sdk.run(program, ['required.cjs'])).toMatchObject({
      code: 0,
      output: 'test deposit.paid ApiError false\n',
    });
  });

  test('is found in order by publint, and its types are those of its code however it is imported', async () => {
    expect(await sdk.run(process.execPath, [publint, '--strict', sdk.tarball])).toMatchObject({ code: 0 });
    // It is ESM alone, which CommonJS requires since Node 20.19: older ways to resolve a package are not looked at.
    const args = [areTheTypesWrong, '--profile', 'esm-only', '--format', 'json', sdk.tarball];
    const { code, output } = await sdk.run(process.execPath, args);
    const { analysis } = JSON.parse(output) as Analysed;
    const problems = analysis.problems.filter(({ resolutionKind = '' }) => !/^node10$|-cjs$/.test(resolutionKind));
    expect([code, problems, Object.keys(analysis.entrypoints)]).toEqual([
      0,
      [],
      ['.', './webhooks', './testing', './package.json'],
    ]);
  });

  test('does what the examples of its page say', async () => {
    const { publicKey, secretKey, baseUrl } = await newMerchant(stack);
    const env = { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
    expect(await sdk.run(process.execPath, ['out/readme.js'], env)).toEqual({ code: 0, output: sdk.examples().shown });
  });

  test('is small, keeps the names of its errors when it is minified, and verifies webhooks without the client', async () => {
    const bundled = async (code: string) => {
      const entry = join(sdk.project, 'entry.js');
      await writeFile(entry, code);
      const lib = { entry, formats: ['es' as const] };
      const bundle = { write: false, minify: true, lib, emptyOutDir: false };
      const result = await build({ root: sdk.project, logLevel: 'silent', configFile: false, build: bundle });
      return [result]
        .flat()
        .flatMap((each) => ('output' in each ? each.output : []))
        .map((part) => ('code' in part ? part.code : ''))
        .join('');
    };
    const client = await bundled("export * from '@gateway/sdk';");
    expect(client).toMatch(/[`'"]InsufficientFundsError[`'"]/);
    expect(gzipSync(client).length).toBeLessThanOrEqual(12 * 1_024);
    const webhooks = await bundled("export { verifyWebhook } from '@gateway/sdk/webhooks';");
    expect(gzipSync(webhooks).length).toBeLessThanOrEqual(2.5 * 1_024);
    expect(webhooks).not.toMatch(/x-api-secret|InsufficientFunds/);
  });
});

describe('the packed command line', () => {
  let cli: PackedCli;
  beforeAll(async () => {
    cli = stopping.use(await PackedCli.install());
  });

  test('installs as its page says, without a registry, with the SDK alone, and is found in order by publint', async () => {
    expect(cli.installed()).toEqual(['@gateway/cli', '@gateway/sdk']);
    expect(await sdk.run(process.execPath, [publint, '--strict', cli.tarball])).toMatchObject({ code: 0 });
  });

  test('and the MCP server as its own page says', async () => {
    expect(await cli.installServer()).toBe('0.1.0');
  });

  test.each(['Node 24', 'Node 20'])(
    'does in %s what it does here: calls, events, scenarios, signatures',
    async (name) => {
      const [node] = runtimes[name]!;
      const { publicKey, secretKey, baseUrl } = await newMerchant(stack);
      const keys = { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
      const json = async (args: readonly string[]) => {
        const { code, output } = await cli.run(node, args, keys);
        expect([args, code, output]).toEqual([args, 0, expect.stringContaining('{')]);
        return JSON.parse(output);
      };
      const { output: version } = await cli.run(node, ['version']);
      expect(version).toContain('0.1.0');
      expect(await json(['deposits', 'create', '--amount', '10,50', '--external-id', 'order-1'])).toMatchObject({
        amount_cents: 1_050,
      });
      expect(await json(['trigger', 'deposit.paid'])).toMatchObject({ event: 'deposit.paid' });
      expect((await json(['run', 'shop'])).data.length).toBeGreaterThan(3);
      expect((await cli.run(node, ['events', 'list', '--nothing'], keys)).code).toBe(2);
      expect((await cli.run(node, ['completion', 'bash'])).output).toContain('_gateway');
    },
  );
});

/** Runs a journey in a runtime. @returns what it printed */
type Run = (name: string, connection: object, order: string) => Promise<string>;
const places: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(
    Object.entries(runtimes).map(([runtime, [program, ...before]]) => [
      runtime,
      async (name: string, connection: object, order: string) => {
        const args = [...before, 'run.mjs', name, JSON.stringify(connection), order];
        return (await sdk.run(program, args)).output;
      },
    ]),
  ),
  workerd: (name, connection, order) => worker.run(name, connection, order),
};

// They wait for payouts most of their time.
describe.concurrent.each(Object.entries(places))('a shop in %s', (runtime, runIn) => {
  const run = async (name: string, order: string, more: object = {}) => {
    const { plain: _plain, ...connection } = await newMerchant(stack);
    const output = await runIn(name, { ...connection, ...more }, order);
    expect(output).toMatch(/^\{/);
    return JSON.parse(output);
  };

  test('takes money, refunds, pays out and verifies webhooks by contract 0.1, and is stopped where it errs', async () => {
    expect(await run('journey', 'order-1')).toEqual({
      ...{
        created: ['PENDING', true, false, true],
        paid: 'PAID',
        listed: 1,
        refunded: 100,
        payout: 'PAID',
        slow: 'PAID',
      },
      ...{ late: 'pyt_', refused: 'INSUFFICIENT_FUNDS', reused: ['amount_cents'], available: 10_000 - 100 - 3 * 500 },
      ...{ streamed: 'deposit.paid', event: 'payout', csv: true, pictures: [true, 0x50] },
    });
  });

  test('repeats what may be repeated and nothing else, ends with its signal, and finds every flipped bit', async () => {
    const closedUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await run('resilience', 'order-3', { brokenUrl: broken.url, closedUrl })).toEqual({
      // Deno sends a call again by itself where a connection that was kept open is reset.
      reset: runtime === 'Deno' ? expect.any(Number) : 2,
      ...{ busy: [2, true], never: 'ConnectionError, sent true, attempt 1' },
      closed: `ConnectionError, sent ${String(runtime === 'workerd')}, attempt 1`,
      ...{ silent: 'TimeoutError', aborted: 'the reason of the signal', waiting: 'the reason of the signal' },
      ...{ reading: 'the reason of the signal', flipped: true },
    });
  });

  test('takes pesos and buys USDT by contract 1.0', async () => {
    expect(await run('betaJourney', 'order-2')).toEqual({
      ...{ flow: 'REDIRECT', paid: 'PAID', received: 20_000, converted: 'COMPLETED', to: 'USDT', payout: 'PAID' },
      currency: 'MXN',
    });
  });
});

test('of a thousand deposits each is walked once while a hundred more are made, and a break sends nothing more', async () => {
  const { Gateway } = await import(join(sdk.project, 'node_modules/@gateway/sdk/dist/index.js'));
  const { plain: _plain, ...connection } = await newMerchant(stack);
  let calls = 0;
  const counted = (...given: Parameters<typeof fetch>) => {
    calls += 1;
    return fetch(...given);
  };
  const gateway = new Gateway({ ...connection, fetch: counted });
  const made = new Set<string>();
  const create = async (name: string) => {
    const { id } = await gateway.deposits.create({ amount_cents: 100, external_id: name });
    return id as string;
  };
  const waiting = Array.from({ length: 1_000 }, (_, nth) => nth).values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const nth of waiting) made.add(await create(`order-${nth}`));
    }),
  );
  const walked: string[] = [];
  const later: Promise<string>[] = [];
  for await (const { id } of gateway.deposits.list({ limit: 50 })) {
    walked.push(id);
    if (walked.length % 10 === 0) later.push(create(`later-${walked.length}`));
  }
  expect(new Set(await Promise.all(later)).size).toBe(100);
  expect(walked).toHaveLength(1_000);
  expect(new Set(walked)).toEqual(made);
  calls = 0;
  const read: string[] = [];
  for await (const { id } of gateway.deposits.list({ limit: 50 })) {
    read.push(id);
    if (read.length === 75) break;
  }
  expect(calls).toBe(2);
});

describe('through a network that fails in every way', () => {
  const shops = Array.from({ length: 200 }, (_, seed) => seed);
  const [amount, sent, refunded] = [1_000, 300, 100];

  /** What a shop does that knows nothing but its own `external_id`s: again, until it has an answer. */
  async function persist<T>(call: () => PromiseLike<T>): Promise<T> {
    for (let rest = 50; ; rest -= 1) {
      try {
        return await call();
      } catch (error) {
        const { name, status = 500 } = error as { name: string; status?: number };
        if (rest === 0 || !(status >= 500 || status === 429)) throw error;
        expect(['ConnectionError', 'TimeoutError', 'ApiError', 'InternalError', 'RateLimitedError']).toContain(
          name.replace(/^(Service|Provider).*/, 'ApiError'),
        );
      }
    }
  }

  test('every external_id is one record, and no cent is lost or doubled', async () => {
    const { Gateway } = await import(join(sdk.project, 'node_modules/@gateway/sdk/dist/index.js'));
    const { plain, ...connection } = await newMerchant(stack);
    await using proxy = await FaultProxy.start(connection.baseUrl, new SeededRandom(20), 2);
    const quick = { timeoutMs: 500, retryDelayMs: 5 };
    const gateway = new Gateway({ ...connection, ...quick, baseUrl: proxy.url });
    const recipient = { name: 'Maria da Silva', document: '52998224725' };
    const key = { pix_key: 'maria@example.com', pix_key_type: 'email', recipient };

    const shop = async (seed: number) => {
      const id = `shop-${seed}`;
      const deposit: any = await persist(() => gateway.deposits.create({ amount_cents: amount, external_id: id }));
      const paid: any = await persist(() => gateway.test.deposits.pay(deposit.id));
      const payout: any = await persist(() => gateway.payouts.create({ amount_cents: sent, external_id: id, ...key }));
      const refund = { amount_cents: refunded, external_id: id };
      const given: any = await persist(() => gateway.deposits.refunds.create(deposit.id, refund));
      const drop = { amount_cents: 5, external_id: `${id}-dropped` };
      const dropped: any = await persist(() => gateway.deposits.create(drop));
      const canceled: any = await persist(() =>
        gateway.deposits.cancel(dropped.id).catch((error: any) => {
          // The network has doubled the first attempt, or the last call got no answer.
          if (error.name !== 'InvalidStateError') throw error;
          return gateway.deposits.get(dropped.id);
        }),
      );
      expect([paid.status, given.amount_cents, canceled.status]).toEqual(['PAID', refunded, 'FAILED']);
      return [deposit.id, payout.id, given.id];
    };
    const waiting = shops.values();
    const made: string[][] = [];
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        for (const seed of waiting) made.push(await shop(seed));
      }),
    );
    await proxy.settled();

    expect([...proxy.happened.keys()].sort()).toEqual([...faults].sort());
    expect(new Set(made.flat()).size).toBe(3 * shops.length);
    const all = async (path: string) => {
      const { body } = await plain.get(`${path}limit=200`);
      const rest = body.next_cursor ? await plain.get(`${path}limit=200&cursor=${body.next_cursor}`) : undefined;
      return [...body.data, ...(rest?.body.data ?? [])];
    };
    const left = shops.length * (amount - sent - refunded);
    await expect.poll(async () => (await all('/v1/payouts?status=PAID&')).length, { interval: 500 }).toBe(shops.length);
    expect((await all('/v1/payouts?')).map(({ external_id }) => external_id).sort()).toEqual(
      shops.map((seed) => `shop-${seed}`).sort(),
    );
    expect((await all('/v1/refunds?')).map(({ amount_cents }) => amount_cents)).toEqual(shops.map(() => refunded));
    expect(await all('/v1/deposits?status=PAID&')).toHaveLength(shops.length);
    expect(await all('/v1/deposits?status=FAILED&')).toHaveLength(shops.length);
    const { body: balance } = await plain.get('/v1/balance');
    expect(balance.brl).toMatchObject({ available_cents: left, pending_cents: 0, blocked_cents: 0, total_cents: left });
    const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}` };
    const reconciled = await fetch(`${stack.opsUrl}/ops/reconciliations`, { method: 'POST', headers });
    expect(await reconciled.json()).toMatchObject({ status: 'OK' });
  });
});
