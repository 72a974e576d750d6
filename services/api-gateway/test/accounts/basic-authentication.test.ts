import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
beforeAll(async () => {
  gateway = await startGateway([answering(getBalance, async () => ({ balances: [] }))]);
  account = await gateway.newAccount({ rate_limit: { per_second: 1_000, burst: 1_000 } });
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const encoded = (text: string) => Buffer.from(text).toString('base64');
const basicOf = (key: KeyPair) => ({ authorization: `Basic ${encoded(`${key.public_key}:${key.secret_key}`)}` });
const headersOf = (key: KeyPair) => ({ 'x-api-key': key.public_key, 'x-api-secret': key.secret_key });
/** With one request id for all, so that whole answers can be compared. */
const read = (headers: Record<string, string>, path = '/v1/balance') =>
  gateway.call('GET', path, { headers: { 'x-request-id': 'the-same', ...headers } });

/** Everything of an answer but what follows from the time and the connection. */
const whole = ({ status, headers, text }: Awaited<ReturnType<typeof read>>) => {
  const varying = ['date', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return { status, text, headers: [...headers].filter(([name]) => !varying.includes(name)).sort() };
};

describe('a key pair as HTTP Basic', () => {
  test('is admitted to every operation that the two headers are admitted to', async () => {
    const answers = merchantRoutes.map(async ({ method, path }) => {
      const filled = path.replace(/:\w+/g, '01k9zzzzzzzzzzzzzzzzzzzzzz');
      const { status } = await gateway.call(method, filled, { headers: basicOf(account.test) });
      return [method, path, status === 401];
    });
    expect(await Promise.all(answers)).toEqual(merchantRoutes.map(({ method, path }) => [method, path, false]));
  });

  test.each([
    ['as it is', (header: string) => header],
    ['with the scheme in small letters', (header: string) => header.replace('Basic', 'basic')],
    ['with more than one blank', (header: string) => header.replace(' ', '   ')],
    ['without the padding of base64', (header: string) => header.replace(/=+$/, '')],
  ])('is the same caller as the two headers: %s', async (_form, changed) => {
    const { authorization } = basicOf(account.live);
    const [basic, headers] = [
      await read({ authorization: changed(authorization) }),
      await read(headersOf(account.live)),
    ];
    expect([basic.status, whole(basic)]).toEqual([200, whole(headers)]);
  });

  test('shares the limits of the key, and counts as its use', async () => {
    const limited = await gateway.newAccount({ rate_limit: { per_second: 1, burst: 4 } });
    const key = limited.live;
    const forms = [basicOf(key), headersOf(key)];
    const answers = [];
    for (let call = 0; call < 12; call++) answers.push(await read(forms[call % 2]!));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(new Set(refused.map((each) => JSON.stringify(whole(each)))).size).toBe(1);
    const unused = (await gateway.newAccount()).test;
    expect((await read(basicOf(unused))).status).toBe(200);
    await eventually(async () => {
      const rows = await gateway.database.query<{ last_used_at: Date | null }>(
        'select last_used_at from api_key where public_key = $1',
        [unused.public_key],
      );
      expect(rows[0]?.last_used_at).not.toBeNull();
    });
  });

  test('ends with the key within a second, like the two headers', async () => {
    const { test: key } = await gateway.newAccount();
    expect((await read(basicOf(key))).status).toBe(200);
    await gateway.asOperator('DELETE', `/ops/keys/${key.public_key}`);
    expect((await read(basicOf(key))).status).toBe(401);
  });
});

describe('a refusal of HTTP Basic', () => {
  const refusedAlike = async (basic: Record<string, string>, headers: Record<string, string>, code: string) => {
    const [one, other] = [await read(basic), await read(headers)];
    expect([one.status, one.body.error.code]).toEqual([401, code]);
    expect(whole(one)).toEqual(whole(other));
    expect(one.headers.get('www-authenticate')).toBeNull();
  };

  test('is that of the two headers byte for byte: unknown key, wrong secret, revoked key', async () => {
    const { test: key } = await gateway.newAccount();
    const unknown = { ...key, public_key: 'pk_test_0123456789abcdef0123456789abcdef' };
    await refusedAlike(basicOf(unknown), headersOf(unknown), 'AUTH_INVALID');
    const wrong = { ...key, secret_key: account.live.secret_key };
    await refusedAlike(basicOf(wrong), headersOf(wrong), 'AUTH_INVALID');
    const long = { ...key, secret_key: 'x'.repeat(5_000) };
    await refusedAlike(basicOf(long), headersOf(long), 'AUTH_INVALID');
    await gateway.asOperator('DELETE', `/ops/keys/${key.public_key}`);
    await refusedAlike(basicOf(key), headersOf(key), 'AUTH_INVALID');
  });

  test('from outside the allowlist of the key is that of the two headers', async () => {
    const { test: key } = await gateway.newAccount();
    await gateway.database.query(`update api_key set ip_allowlist = '{203.0.113.7}' where public_key = $1`, [
      key.public_key,
    ]);
    await refusedAlike(basicOf(key), headersOf(key), 'AUTH_IP_BLOCKED');
  });

  test.each<[string, string]>([
    ['an empty one', 'Basic '],
    ['no base64', 'Basic %%%'],
    ['no colon', `Basic ${encoded('pk_test_0123456789abcdef0123456789abcdef')}`],
    ['no secret', `Basic ${encoded('pk_test_0123456789abcdef0123456789abcdef:')}`],
    ['no public key', `Basic ${encoded(':sk_test_0')}`],
    ['two tokens', `Basic ${encoded('a:b')} ${encoded('a:b')}`],
    ['another scheme', 'Bearer pk_test_0123456789abcdef0123456789abcdef'],
  ])('with %s is that of missing headers', async (_case, authorization) => {
    await refusedAlike({ authorization }, {}, 'AUTH_REQUIRED');
  });
});

test('beside x-api-key or x-api-secret an Authorization header counts for nothing', async () => {
  const { test: key } = account;
  const foreign = { authorization: `Basic ${encoded('proxy:password')}` };
  expect((await read({ ...headersOf(key), ...foreign })).status).toBe(200);
  expect((await read({ ...basicOf(key), 'x-api-secret': 'sk_test_0' })).body.error.code).toBe('AUTH_REQUIRED');
  expect((await read({ ...basicOf(key), 'x-api-key': key.public_key })).body.error.code).toBe('AUTH_REQUIRED');
  const wrong = { ...headersOf(key), 'x-api-secret': 'sk_test_0', ...basicOf(key) };
  expect((await read(wrong)).body.error.code).toBe('AUTH_INVALID');
});
