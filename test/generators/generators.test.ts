import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareTimeoutMs, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { MerchantClient } from '../support/merchant-client.ts';
import { type Caller, type Contract, contracts, Toolchain, project } from './toolchain.ts';
import { type Connection, journeyOf, type Connect } from './merchant-journey.ts';

/** Far longer than any of the programs takes, each of which keeps a core busy. */
const programTimeoutMs = 30 * 60_000;

let stack: Stack;
let toolchain: Toolchain;
const stopping = new AsyncDisposableStack();
let descriptions: string[] = [];

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  [toolchain, stack] = await Promise.all([
    Toolchain.prepare(),
    startStack({ home: home.path, durable: false, quiet: true, env: { TRUSTED_PROXIES: '127.0.0.1' } }),
  ]);
  stopping.use(stack);
  descriptions = await Promise.all([
    toolchain.keep('v0_1', `${stack.baseUrl}${contracts.v0_1}`),
    toolchain.keep('v1_0', `${stack.baseUrl}${contracts.v1_0}`),
    toolchain.keep('connector', `${stack.baseUrl}/compat/openapi.json`),
    toolchain.keep('operators', `${stack.opsUrl}/openapi.json`),
  ]);
}, prepareTimeoutMs);
afterAll(async () => stopping.disposeAsync());

/** A test key of an account of its own. */
async function newMerchant(apiVersion = '0.1'): Promise<Connection & { readonly accountId: string }> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json() as any;
  };
  const account = await post('/ops/accounts', {
    name: 'Loja',
    document: '52998224725',
    rate_limit: { per_second: 1_000, burst: 2_000 },
  });
  const key = await post(`/ops/accounts/${account.id}/keys`, { environment: 'test', api_version: apiVersion });
  const { public_key: publicKey, secret_key: secretKey } = key;
  return { baseUrl: stack.baseUrl, publicKey, secretKey, accountId: account.id };
}

const whole = {
  created: 'PENDING',
  paid: 'PAID',
  read: 'PAID',
  listed: true,
  refunded: expect.stringMatching(/^(PROCESSING|DONE)$/),
  sent: expect.stringMatching(/^(PROCESSING|PAID)$/),
  tooMuch: 'INSUFFICIENT_FUNDS',
  secret: 'whsec_',
};

const names = Object.keys(contracts) as Contract[];

/** What schemathesis calls beyond contract 0.1, of which it tries random and linked calls too. */
const phases = ['examples', 'coverage'];

test(
  'spectral finds nothing in any description: neither by its own rules nor by ours, which look',
  { timeout: programTimeoutMs },
  async () => {
    const spoiled = await toolchain.spoil('connector', (text) =>
      text
        .replaceAll('"operationId":"createPix"', '"operationId":"create_pix"')
        .replaceAll('"examples":{', '"x-none":{'),
    );
    const args = ['lint', '--quiet', '--format', 'json', '--fail-severity', 'hint', '--ruleset', 'spectral.yaml'];
    const { output } = await toolchain.npm('spectral', [...args, ...descriptions, spoiled], { directory: project });
    const problems = JSON.parse(output) as { code: string; source: string; message: string; path: string[] }[];
    const isPlanted = ({ source }: { readonly source: string }) => source === spoiled;
    expect(problems.filter((problem) => !isPlanted(problem))).toEqual([]);
    const rules = new Set(problems.filter(isPlanted).map(({ code }) => code));
    expect([...rules].sort()).toEqual(['body-has-example', 'operation-id-is-words', 'success-has-example']);
  },
);

describe('the clients of three generators in TypeScript', { timeout: programTimeoutMs }, () => {
  test('are generated without a complaint and compile, and so does the code that uses them', async () => {
    const complaints = await Promise.all(names.map((name) => toolchain.generateTypeScript(name)));
    expect(complaints.flat()).toEqual([]);
    expect(await toolchain.compile()).toEqual({ code: 0, output: '' });
  });

  const generators = ['openapi-typescript', 'hey-api', 'oazapfts'];
  test.each(names.flatMap((contract) => generators.map((generator) => [contract, generator] as const)))(
    'create, pay, read, list, refund, pay out, are refused and register a webhook: %s by %s',
    async (contract, generator) => {
      const { connect } = (await import(join(project, `clients/${generator}-${contract}.ts`))) as { connect: Connect };
      expect(await journeyOf(connect(await newMerchant()))).toEqual(whole);
    },
  );
});

describe('the client of openapi-python-client', { timeout: programTimeoutMs }, () => {
  test('is generated without a warning and agrees with mypy, as does the code that uses it', async () => {
    const generated = await Promise.all(names.map((name) => toolchain.generatePython(name)));
    expect(generated.filter(({ code }) => code !== 0)).toEqual([]);
    const files = names.map((name) => `python/journey_${name}.py`);
    const checked = await toolchain.python('mypy', ['--cache-dir', 'generated/mypy', '--check-untyped-defs', ...files]);
    expect(checked).toEqual({ code: 0, output: expect.stringContaining('Success') });
  });

  test.each(names)(
    'creates, pays, reads, lists, refunds, pays out, is refused and registers a webhook: %s',
    async (name) => {
      const { baseUrl: base_url, publicKey: public_key, secretKey: secret_key } = await newMerchant();
      const input = JSON.stringify({ base_url, public_key, secret_key, prefix: name });
      const { code, output } = await toolchain.python('python', [`python/journey_${name}.py`], { input });
      expect([code, output]).toEqual([0, expect.stringContaining('{')]);
      expect(JSON.parse(output)).toEqual(whole);
    },
  );
});

describe('the collection for Postman', { timeout: programTimeoutMs }, () => {
  test.each([
    ['0.1', 'v0_1'],
    ['1.0', 'v1_0'],
  ] as const)('of contract %s makes every call with its keys, from a deposit to its refund', async (contract, name) => {
    const { baseUrl: base_url, publicKey: public_key, secretKey: secret_key } = await newMerchant(contract);
    const operations = await operationsOf(name);
    const { failures, executions } = await toolchain.newman(contract, { base_url, public_key, secret_key });
    expect(failures).toEqual([]);
    expect(executions.length).toBe(journeyOfCollection.length + operations.length);
    expect(executions.slice(0, journeyOfCollection.length)).toEqual(journeyOfCollection);
    expect(executions.filter(({ code }) => code === 401 || code >= 500)).toEqual([]);
    expect(executions.filter(({ code }) => code < 300).length).toBeGreaterThan(operations.length / 2);
  });
});

describe('schemathesis', { timeout: programTimeoutMs }, () => {
  test.each([
    ['contract 0.1', 'v0_1', () => callerOfContract('0.1')],
    ['contract 1.0', 'v1_0', () => callerOfContract('1.0')],
    ['the connector', 'connector', callerOfConnector],
    // The last, since it changes the settings of accounts whose ids it finds in answers.
    ['the operators', 'operators', operator],
  ] as const)(
    'finds nothing but the exemptions in what it calls of every operation of %s',
    async (_of, name, caller) => {
      const { code, output } = await toolchain.schemathesis(name, await caller());
      expect(code, output).toBe(0);
      const called = (await operationsOf(name)).filter((operation) => operation !== 'streamEvents');
      expect(testedIn(output)).toBe(called.length);
    },
  );

  test('is told of four exemptions, each with its reason', () => {
    const lines = readFileSync(join(project, 'schemathesis.toml'), 'utf8').split('\n');
    const settings = lines.filter((line) => /^(expected-statuses|checks[.].*|enabled) = /.test(line));
    const reasons = lines.filter((line) => /^# \d[.] .{40}/.test(line));
    expect([settings.length, reasons.length]).toEqual([4, 4]);
  });
});

/** The names of the operations that a description has. */
async function operationsOf(name: string): Promise<string[]> {
  const { paths } = JSON.parse(await readFile(join(project, 'generated', `${name}.json`), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  };
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
}

/** How many operations schemathesis has called, by what it prints at its end. */
function testedIn(output: string): number {
  return Number(/^ {2}Tested: (\d+)$/m.exec(output)?.[1]);
}

/** The first calls of the collection, and what they are answered with. */
const journeyOfCollection = [
  { name: 'Create a deposit', code: 201 },
  { name: 'Pay a test deposit as its payer would', code: 200 },
  { name: 'Read a deposit', code: 200 },
  { name: 'Refund a paid deposit, wholly or in part', code: 201 },
  { name: 'Read a refund', code: 200 },
  { name: 'List refunds, newest first', code: 200 },
];

/** A merchant with funds enough. */
async function fundedMerchant(apiVersion: string) {
  const merchant = await newMerchant(apiVersion);
  const keys = { public_key: merchant.publicKey, secret_key: merchant.secretKey };
  const client = new MerchantClient(stack.baseUrl, keys);
  const { body: funds } = await client.post('/v1/deposits', { amount_cents: 90_000_000_000, external_id: 'funds' });
  await client.post(`/v1/test/deposits/${funds.id}/pay`);
  return { ...merchant, client };
}

/** By a key that speaks the contract unasked. */
async function callerOfContract(contract: '0.1' | '1.0'): Promise<Caller> {
  const { publicKey, secretKey } = await fundedMerchant(contract);
  const credentials = { publicKey: { api_key: publicKey }, secretKey: { api_key: secretKey } };
  return { url: stack.baseUrl, credentials, ...(contract === '0.1' ? {} : { phases }) };
}

async function callerOfConnector(): Promise<Caller> {
  const { publicKey: clientId, secretKey: password, client } = await fundedMerchant('0.1');
  const { body } = await client.post('/compat/cli/client/authenticate', { clientId, password });
  const credentials = { token: { bearer: body.data.token } };
  return { url: `${stack.baseUrl}/compat/cli`, credentials, phases, known: { clientId, password } };
}

async function operator(): Promise<Caller> {
  const [{ accountId }, { accountId: spareAccountId }] = await Promise.all([newMerchant(), newMerchant()]);
  const credentials = { operator: { bearer: stack.dev.ops_tokens[0] } };
  return { url: stack.opsUrl, credentials, phases, known: { accountId, spareAccountId } };
}
