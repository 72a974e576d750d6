import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { authenticateKey, getCaller } from '@gateway/contracts/accounts';
import { getBalance } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { answering, callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { secretDigestOf } from '@gateway/runtime';
import { eventually, silentLogger } from '@gateway/test-kit';
import { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const asked: RequestOf<typeof getBalance>[] = [];
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  gateway = await startGateway([
    answering(getBalance, async (request) => {
      asked.push(request);
      return { balances: [] };
    }),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const balance = (key: KeyPair, headers: Record<string, string> = {}) =>
  gateway.asMerchant(key, 'GET', '/v1/balance', { headers });

const newKey = async (body: object): Promise<KeyPair> => {
  const issued = await gateway.asOperator('POST', `/ops/accounts/${account.id}/keys`, { body });
  if (issued.status === 201) return issued.body;
  const { approval } = (await gateway.asSecond('POST', `/ops/approvals/${issued.body.approval.id}/approve`)).body;
  return approval.outcome;
};

describe('a merchant', () => {
  test.each(['test', 'live'] as const)('calls with a %s key in that environment and no other', async (environment) => {
    expect((await balance(account[environment])).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({ environment, accountId: account.id });
    expect(account[environment].public_key).toMatch(new RegExp(`^pk_${environment}_`));
    expect(account[environment].secret_key).toMatch(new RegExp(`^sk_${environment}_`));
  });

  test.each([
    ['no headers', {}],
    ['no secret', { 'x-api-key': 'pk_test_0123456789abcdef0123456789abcdef' }],
    ['no key', { 'x-api-secret': 'sk_test_0' }],
    ['empty headers', { 'x-api-key': '', 'x-api-secret': '' }],
  ])('with %s is answered AUTH_REQUIRED', async (_case, headers) => {
    const answer = await gateway.call('GET', '/v1/balance', { headers });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_REQUIRED']);
  });

  test('with an unknown key, a wrong secret or a revoked key gets one and the same answer', async () => {
    const revoked = await newKey({ environment: 'test' });
    expect((await balance(revoked)).status).toBe(200);
    await gateway.asOperator('DELETE', `/ops/keys/${revoked.public_key}`);
    const { test: key, live } = account;
    const answers = [
      await balance({ ...key, public_key: 'pk_test_0123456789abcdef0123456789abcdef' }),
      await balance({ ...key, public_key: 'nonsense' }),
      await balance({ ...key, secret_key: live.secret_key }),
      await balance({ ...key, secret_key: 'x'.repeat(9_000) }),
      await balance(revoked),
    ];
    const refusals = answers.map(({ status, body: { error } }) => ({
      status,
      code: error.code,
      message: error.message,
    }));
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ status: 401, code: 'AUTH_INVALID' });
  });

  test('is refused before the body is looked at', async () => {
    const answer = await gateway.call('POST', '/v1/deposits', { body: '{' });
    expect(answer.body.error.code).toBe('AUTH_REQUIRED');
  });

  test.each([
    ['0.1', 200],
    ['1.0', 200],
    ['2.0', 400],
    ['', 400],
  ])('that asks for contract "%s" gets %i', async (version, status) => {
    const answer = await balance(account.test, { 'x-api-version': version });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error.details[0]?.path).toBe('x-api-version');
  });

  test('with a 1.0 key is answered in 1.0 unless it asks for another contract', async () => {
    const key = await newKey({ environment: 'live', api_version: '1.0' });
    expect(key.public_key).toMatch(/^ak_live_/);
    expect((await balance(key)).text).not.toContain('available_cents');
    expect((await balance(key, { 'x-api-version': '0.1' })).text).toContain('available_cents');
  });

  test('with a live key may not use test operations, whatever it sends', async () => {
    const path = '/v1/test/deposits/dep_01k9zzzzzzzzzzzzzzzzzzzzzz/pay';
    const answer = await gateway.asMerchant(account.live, 'POST', path, { body: '{' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'TEST_ONLY']);
  });
});

test('an unknown key that is tried again costs no second query: it is refused from memory, as a wrong secret is', async () => {
  const query = vi.fn(gateway.database.query.bind(gateway.database));
  const database = { query } as unknown as Database;
  await using directory = new CallerDirectory({ database, bus: gateway.bus, logger: silentLogger });
  const loads = () => query.mock.calls.filter(([, , name]) => name === 'load-key').length;
  const unknown = 'pk_test_0123456789abcdef0123456789abcdef';
  expect(await Promise.all([directory.find(unknown), directory.find(unknown)])).toEqual([undefined, undefined]);
  expect(await directory.find(unknown)).toBeUndefined();
  expect(loads()).toBe(1);
  expect(await directory.find(account.test.public_key)).toBeDefined();
  expect(await directory.find(account.test.public_key)).toBeDefined();
  expect(loads()).toBe(2);
});

describe('a revocation', () => {
  test('that nobody signalled takes effect all the same', async () => {
    const key = await newKey({ environment: 'test' });
    expect((await balance(key)).status).toBe(200);
    await gateway.database.query('update api_key set revoked_at = now() where public_key = $1', [key.public_key]);
    await eventually(async () => expect((await balance(key)).status).toBe(401));
  });

  test('leaves the other keys of the account in force', async () => {
    const [first, second] = [await newKey({ environment: 'test' }), await newKey({ environment: 'test' })];
    await gateway.asOperator('DELETE', `/ops/keys/${first.public_key}`);
    expect([(await balance(first)).status, (await balance(second)).status]).toEqual([401, 200]);
  });
});

describe('another service', () => {
  const authenticate = (key: KeyPair) =>
    callRpc(gateway.bus, authenticateKey, {
      publicKey: key.public_key,
      secretDigest: secretDigestOf(key.secret_key).toString('hex'),
    });

  test('learns who is behind a key pair', async () => {
    const caller = await authenticate(account.live);
    expect(caller).toMatchObject({ environment: 'live', apiVersion: '0.1', publicKey: account.live.public_key });
    expect(caller.account).toMatchObject({ id: account.id, autoApprovePayouts: true, retentionDays: 0 });
  });

  test('is answered AUTH_INVALID for a wrong secret and for a revoked key', async () => {
    const key = await newKey({ environment: 'test' });
    await expect(authenticate({ ...key, secret_key: 'sk_test_wrong' })).rejects.toMatchObject({ code: 'AUTH_INVALID' });
    expect(await callRpc(gateway.bus, getCaller, { publicKey: key.public_key })).toMatchObject({ environment: 'test' });
    await gateway.asOperator('DELETE', `/ops/keys/${key.public_key}`);
    const gone = callRpc(gateway.bus, getCaller, { publicKey: key.public_key });
    await expect(gone).rejects.toMatchObject({ code: 'AUTH_INVALID' });
  });
});

describe('of a key', () => {
  test('the secret is nowhere in the database', async () => {
    const rows = await gateway.database.query('select k::text as text from api_key k');
    const trail = await gateway.database.query('select a::text as text from audit a');
    const stored = JSON.stringify([rows, trail]);
    expect(stored).toContain(account.test.public_key);
    expect(stored).not.toContain(account.test.secret_key.slice('sk_test_'.length));
  });
});
