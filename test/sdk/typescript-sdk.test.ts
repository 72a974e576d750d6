import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from 'vite';
import { prepareTimeoutMs, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';
import type { Finished } from '../support/run-program.ts';
import { BrokenGateway } from './broken-gateway.ts';
import { describeCommandLine } from './command-line.ts';
import { describeFailingNetwork } from './failing-network.ts';
import { describeLists } from './lists.ts';
import { newMerchant } from './new-merchant.ts';
import { PackedSdk } from './packed-sdk.ts';
import { areTheTypesWrong, installRuntimes, publint, runtimes, standardWebhooks } from './runtimes.ts';
import { describeStrictness } from './strictness.ts';
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

  test('leads from the lines of a stack to the source that is in it', async () => {
    const mistake = "import { Gateway } from '@gateway/sdk'; new Gateway({ publicKey: 'none' });";
    const args = ['--enable-source-maps', '--input-type=module', '--eval', mistake];
    const { code, output } = await sdk.run(process.execPath, args);
    expect([code, output]).toEqual([1, expect.stringMatching(/@gateway\/sdk\/src\/client\.ts:\d+/)]);
  });

  test('does what the examples of its page say', async () => {
    const { publicKey, secretKey, baseUrl } = await newMerchant(stack);
    const env = { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
    expect(await sdk.run(process.execPath, ['out/readme.js'], env)).toEqual({ code: 0, output: sdk.examples().shown });
  });

  test('takes and refuses what the library of Standard Webhooks does, whichever character of a delivery is changed', async () => {
    const { code, output } = await sdk.run(process.execPath, ['second-opinion.mjs', standardWebhooks]);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual({ genuine: [true, true], enough: true, accepted: [] });
  });

  test('is small, keeps the names of its errors when it is minified, and verifies webhooks without the client', async () => {
    const bundled = async (code: string) => {
      const entry = join(sdk.project, 'entry.js');
      await writeFile(entry, code);
      const lib = { entry, formats: ['es' as const] };
      const bundle = { write: false, minify: true, lib, emptyOutDir: false };
      const result = await build({ root: sdk.project, logLevel: 'silent', configFile: false, build: bundle });
      const text = [result]
        .flat()
        .flatMap((each) => ('output' in each ? each.output : []))
        .map((part) => ('code' in part ? part.code : ''))
        .join('');
      // Without the path of each module, which is as long as that of the project.
      return text.replaceAll(/^\/\/ .*\n/gm, '');
    };
    const client = await bundled("export * from '@gateway/sdk';");
    expect(client).toMatch(/[`'"]InsufficientFundsError[`'"]/);
    expect(gzipSync(client).length).toBeLessThanOrEqual(12 * 1_024);
    const webhooks = await bundled("export { verifyWebhook } from '@gateway/sdk/webhooks';");
    expect(gzipSync(webhooks).length).toBeLessThanOrEqual(2.5 * 1_024);
    expect(webhooks).not.toMatch(/x-api-secret|InsufficientFunds/);
  });
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

const stage = () => ({ stack, sdk });

// They wait for payouts most of their time.
describe.concurrent('a shop as Prism sees it', () => describeStrictness(stage));
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
      log: { read: true, delivered: ['deposit.paid', true], replayed: [1, 0] },
    });
  });

  test('repeats what may be repeated and nothing else, ends with its signal, and finds every flipped bit', async () => {
    const closedUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await run('resilience', 'order-3', { brokenUrl: broken.url, closedUrl })).toEqual({
      // Deno sends a call again by itself where a connection that was kept open is reset; never one that must not be.
      reset: runtime === 'Deno' ? expect.any(Number) : 2,
      ...{ busy: [2, true], never: ['ConnectionError, sent true, attempt 1', 1] },
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

describe('the packed command line', () => describeCommandLine(stage));
describe('lists', () => describeLists(stage));
describe('through a network that fails in every way', () => describeFailingNetwork(stage));
