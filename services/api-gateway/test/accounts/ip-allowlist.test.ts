import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticateKey, getCaller } from '@gateway/contracts/accounts';
import { callRpc } from '@gateway/messaging';
import { secretDigestOf } from '@gateway/runtime';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const home = '203.0.113.7';
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
beforeAll(async () => {
  gateway = await startGateway([], { TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  account = await gateway.newAccount();
});

type Gateway = Pick<GatewayUnderTest, 'asMerchant'>;
const from = (address: string) => ({ 'x-forwarded-for': address });
const put = (entries: unknown, { address = home, key = account.test }: { address?: string; key?: KeyPair } = {}) =>
  gateway.asMerchant(key, 'PUT', '/v1/ip-allowlist', { headers: from(address), body: { entries } });
const read = (address: string, { key = account.test, through = gateway }: { key?: KeyPair; through?: Gateway } = {}) =>
  through.asMerchant(key, 'GET', '/v1/ip-allowlist', { headers: from(address) });

describe('an allowlist', () => {
  test('is kept normalised, each entry once', async () => {
    expect((await read(home)).body).toEqual({ ip_allowlist: [] });
    const stored = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.1'];
    const answer = await put(['203.0.113.9/24', '2001:DB8:0::1/32', '::ffff:198.51.100.1', '198.51.100.1/32']);
    expect([answer.status, answer.body]).toEqual([200, { ip_allowlist: stored }]);
    expect((await read(home)).body).toEqual({ ip_allowlist: stored });
  });

  test.each([
    ['203.0.113.7', 200],
    ['::ffff:203.0.113.7', 200],
    ['2001:db8:1::5', 200],
    ['203.0.114.7', 401],
    ['2001:db9::5', 401],
    ['unknown', 401],
  ])('that holds a network of each family lets %s in with %i', async (address, status) => {
    await put(['203.0.113.0/24', '2001:db8::/32']);
    const answer = await read(address);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body.error.code).toBe('AUTH_IP_BLOCKED');
  });

  test('that leaves out its caller changes nothing', async () => {
    await put([home]);
    const refused = await put(['198.51.100.0/24']);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'IP_ALLOWLIST_EXCLUDES_CALLER']);
    expect((await read(home)).body).toEqual({ ip_allowlist: [home] });
  });

  test('that becomes empty restricts nobody any more', async () => {
    await put([home]);
    expect((await read('198.51.100.1')).status).toBe(401);
    expect((await put([])).body).toEqual({ ip_allowlist: [] });
    expect((await read('198.51.100.1')).status).toBe(200);
  });

  test('holds for its key alone', async () => {
    await put([home]);
    expect((await read('198.51.100.1', { key: account.live })).status).toBe(200);
  });

  test('has at most 100 entries', async () => {
    const entries = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
    const refused = await put(entries);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'LIMIT_REACHED']);
    expect((await put([...entries.slice(0, 99), home])).body.ip_allowlist).toHaveLength(100);
  });

  test.each<[string, unknown, string[]]>([
    ['no entries', undefined, ['entries']],
    ['null', null, ['entries']],
    ['text', '203.0.113.7', ['entries']],
    ['a number among them', [home, 7], ['entries.1']],
    ['names and broken addresses', [home, 'localhost', '10.0.0.0/33', ''], ['entries.1', 'entries.2', 'entries.3']],
  ])('with %s is refused by name', async (_case, entries, paths) => {
    const { status, body } = await put(entries);
    expect([status, body.error.details.map(({ path }) => path)]).toEqual([400, paths]);
  });
});

describe('the address of a caller', () => {
  test('is the one the trusted proxy saw, whatever the caller put before it', async () => {
    await put([home]);
    expect((await read(`${home}, 198.51.100.1`)).status).toBe(401);
    expect((await read(`198.51.100.1, ${home}`)).status).toBe(200);
  });

  test('is not what it says of itself where no proxy is trusted', async () => {
    await using open = await startGateway();
    const { test: key } = await open.newAccount();
    const change = (entries: string[]) =>
      open.asMerchant(key, 'PUT', '/v1/ip-allowlist', { headers: from(home), body: { entries } });
    expect((await change([home])).body.error.code).toBe('IP_ALLOWLIST_EXCLUDES_CALLER');
    expect((await change(['127.0.0.0/8'])).status).toBe(200);
  });

  test('is answered only to a caller with the secret', async () => {
    await put([home]);
    const guessed = await read('198.51.100.1', { key: { ...account.test, secret_key: 'sk_test_guess' } });
    expect(guessed.body.error.code).toBe('AUTH_INVALID');
  });
});

test('a call that was blocked is no use of the key and takes nothing of its rate', async () => {
  account = await gateway.newAccount({ rate_limit: { per_second: 1, burst: 2 } });
  await put([home]);
  const blocked = [await read('198.51.100.1'), await read('198.51.100.1'), await read('198.51.100.1')];
  expect(blocked.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect((await read(home)).status).toBe(200);
});

test('other interfaces of the product hold a key to its list, and are refused without an address', async () => {
  await put([home]);
  const { public_key: publicKey, secret_key: secretKey } = account.test;
  const secretDigest = secretDigestOf(secretKey).toString('hex');
  const blocked = { code: 'AUTH_IP_BLOCKED' };
  await expect(callRpc(gateway.bus, authenticateKey, { publicKey, secretDigest })).rejects.toMatchObject(blocked);
  const elsewhere = { publicKey, address: '198.51.100.1' };
  await expect(callRpc(gateway.bus, getCaller, elsewhere)).rejects.toMatchObject(blocked);
  expect(await callRpc(gateway.bus, getCaller, { publicKey, address: home })).toMatchObject({ publicKey });
  const admitted = { ...elsewhere, outsideAllowlist: 'told' } as const;
  expect(await callRpc(gateway.bus, getCaller, admitted)).toMatchObject({ publicKey, outsideAllowlist: true });
  const atHome = await callRpc(gateway.bus, authenticateKey, { ...admitted, secretDigest, address: home });
  expect(atHome.outsideAllowlist).toBe(false);
});

describe('another gateway', () => {
  test('holds a key to its new list, also when the signal was lost', async () => {
    const replica = await gateway.startReplica();
    const outside = () => read('198.51.100.1', { through: replica });
    expect((await outside()).status).toBe(200);
    await put([home]);
    await eventually(async () => expect((await outside()).status).toBe(401));
    await gateway.database.query(
      `update api_key set ip_allowlist = '{}', version = version + 1, updated_at = now() where public_key = $1`,
      [account.test.public_key],
    );
    await eventually(async () => expect((await outside()).status).toBe(200));
  });

  test('knows nothing of a revoked key', async () => {
    const replica = await gateway.startReplica();
    expect((await read(home, { through: replica })).status).toBe(200);
    await gateway.asOperator('DELETE', `/ops/keys/${account.test.public_key}`);
    await eventually(async () => expect((await read(home, { through: replica })).status).toBe(401));
  });
});

describe('an allowlist of a key that its account is locked out of', () => {
  const propose = (entries: readonly string[], publicKey = account.test.public_key) =>
    gateway.asOperator('PUT', `/ops/keys/${publicKey}/allowlist`, { body: { entries, reason: 'new office' } });
  const approve = (id: string, as: 'asOperator' | 'asSecond' = 'asSecond') =>
    gateway[as]('POST', `/ops/approvals/${id}/approve`);

  test('is cleared by two operators, and by one alone nothing changes', async () => {
    await put([home]);
    const { status, body } = await propose([]);
    expect([status, body.approval.kind]).toEqual([202, 'key.allowlist']);
    expect(body.approval).toMatchObject({ before: { allowlist: [home] }, request: { allowlist: [] } });
    expect((await approve(body.approval.id, 'asOperator')).status).toBe(409);
    expect((await read('198.51.100.1')).status).toBe(401);
    expect((await approve(body.approval.id)).body.approval.state).toBe('APPLIED');
    await eventually(async () => expect((await read('198.51.100.1')).status).toBe(200));
    const trail = await gateway.asOperator('GET', `/ops/audit?target=${account.test.public_key}&action=key.allowlist`);
    expect(trail.body.data).toMatchObject([
      { operator: 'bruno', before: { ip_allowlist: [home] }, after: { ip_allowlist: [] } },
    ]);
  });

  test('that has changed since it was proposed stays as it is', async () => {
    await put([home]);
    const { body } = await propose([]);
    await put([home, '198.51.100.1']);
    const approved = await approve(body.approval.id);
    expect([approved.status, approved.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await read(home)).body).toEqual({ ip_allowlist: [home, '198.51.100.1'] });
  });

  test('is refused for what is no address, and for a key that is not there or was revoked', async () => {
    const wrong = await propose(['nowhere']);
    expect([wrong.status, wrong.body.error.details.map(({ path }) => path)]).toEqual([400, ['entries.0']]);
    expect((await propose([], `pk_test_${'0'.repeat(32)}`)).status).toBe(404);
    await gateway.asOperator('DELETE', `/ops/keys/${account.test.public_key}`);
    expect((await propose([])).status).toBe(404);
  });
});
