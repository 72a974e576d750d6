import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { securityHeaders } from '@gateway/runtime/http';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { startGateway, type Answered, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  const balances = answering(getBalance, async ({ at }) => {
    if (at === 1) throw new Error('a secret of the house');
    return { balances: [{ currency: 'BRL' as const, available: 5, pending: 3, blocked: 2 }] };
  });
  gateway = await startGateway([balances]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const errorOf = (answer: Answered) => [answer.status, answer.body.error.code];

describe('an unknown route', () => {
  test.each(['/', '/v1', '/v1/nothing', '/v1/deposits/a/b', '/v1/deposits/%zz', `/v1/deposits/${'x'.repeat(500)}`])(
    '%s is 404 without credentials',
    async (path) => {
      const answer = await gateway.call('GET', path);
      const known = path.startsWith('/v1/deposits/') && !/%|\/a\/|x{500}/.test(path);
      expect(errorOf(answer)).toEqual(known ? [401, 'AUTH_REQUIRED'] : [404, 'NOT_FOUND']);
      expect(answer.headers.get('x-request-id')).toBe(answer.body.error.request_id);
    },
  );

  test('of an operator is not on the public port, and one of a merchant not on the operators', async () => {
    expect(errorOf(await gateway.call('GET', '/ops/accounts'))).toEqual([404, 'NOT_FOUND']);
    expect(errorOf(await gateway.asOperator('GET', '/v1/balance'))).toEqual([404, 'NOT_FOUND']);
  });
});

test('a known route with another method is 405 with Allow', async () => {
  const answer = await gateway.call('PUT', '/v1/deposits');
  expect(errorOf(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
});

describe('a body', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    gateway.asMerchant(account.test, 'POST', '/v1/deposits', { body, headers });

  test.each([
    ['{', 400, 'VALIDATION_ERROR'],
    ['{"a":1}}', 400, 'VALIDATION_ERROR'],
    ['', 400, 'VALIDATION_ERROR'],
    ['{"__proto__":{"admin":true},"amount_cents":1,"external_id":"a"}', 400, 'VALIDATION_ERROR'],
    ['{"constructor":{"prototype":{"admin":true}}}', 400, 'VALIDATION_ERROR'],
    [`{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400, 'VALIDATION_ERROR'],
    [JSON.stringify({ external_id: 'x'.repeat(65_536) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('%.40s is %i %s', async (body, status, code) => {
    expect(errorOf(await post(body))).toEqual([status, code]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])('in %s is 415', async (type) => {
    expect(errorOf(await post('a=1', { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('a query', () => {
  test.each([
    ['/v1/deposits?limit=0', 'limit'],
    ['/v1/deposits?limit=201', 'limit'],
    ['/v1/deposits?limit=1.5', 'limit'],
    ['/v1/deposits?limit=', 'limit'],
    ['/v1/deposits?limit=1&limit=2', 'limit'],
    ['/v1/deposits?status=LOST', 'status'],
    ['/v1/deposits?cursor=dep_1', 'cursor'],
    ['/v1/deposits?cursor=pyt_01k9zzzzzzzzzzzzzzzzzzzzzz', 'cursor'],
    ['/v1/deposits?external_id=%00', 'external_id'],
    ['/v1/deposits?min_amount=1.50', 'min_amount'],
    ['/v1/deposits?max_amount=-1', 'max_amount'],
    ['/v1/deposits?payer_document=', 'payer_document'],
    ['/v1/deposits?metadata=cart', 'metadata'],
    ['/v1/deposits?metadata==77', 'metadata'],
    ['/v1/deposits?metadata=cart%3D%00', 'metadata'],
    ['/v1/deposits?e2e_id=', 'e2e_id'],
    ['/v1/disputes?due_before=soon', 'due_before'],
    ['/v1/payouts?kind=GIFT', 'kind'],
    ['/v1/payouts?min_amount=1.50', 'min_amount'],
    ['/v1/payouts?max_amount=0', 'max_amount'],
    ['/v1/payouts?recipient_document=', 'recipient_document'],
    ['/v1/payouts?e2e_id=', 'e2e_id'],
    ['/v1/payouts?payer_document=52998224725', 'payer_document'],
    ['/v1/transactions?currency=EUR', 'currency'],
    ['/v1/transactions?type=GIFT', 'type'],
    ['/v1/transactions?from=yesterday', 'from'],
    ['/v1/balance?at=-1', 'at'],
    ['/v1/balance?__proto__=2', '__proto__'],
  ])('%s is 400 naming the parameter', async (path, parameter) => {
    const answer = await gateway.asMerchant(account.test, 'GET', path);
    expect(errorOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details.map(({ path: named }) => named)).toEqual([parameter]);
  });
});

test('the description of the interface names every operation, what it takes and what it answers', async () => {
  const { status, text } = await gateway.call('GET', '/openapi.json');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> };
  expect(status).toBe(200);
  for (const { method, path } of merchantRoutes) {
    expect(paths[path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase());
  }
  expect(Object.keys(paths).some((path) => path.startsWith('/compat') || path.startsWith('/ops'))).toBe(false);
  const referring = (name: string) => {
    return { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } };
  };
  expect(paths['/v1/payouts']?.['post']).toMatchObject({
    requestBody: referring('PayoutCreate'),
    responses: { 201: referring('PayoutAnswer') },
  });
});

describe('every answer', () => {
  const balance = (path = '/v1/balance', headers = {}) => gateway.asMerchant(account.test, 'GET', path, { headers });

  test('carries the request id of the caller when it is fit, else a new one', async () => {
    expect((await balance(undefined, { 'x-request-id': 'mine-1.A_b' })).headers.get('x-request-id')).toBe('mine-1.A_b');
    const unfit = await balance(undefined, { 'x-request-id': 'not mine' });
    expect(unfit.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });

  test.each(['/v1/balance', '/v1/nothing', '/%zz', '/v1/%', '/compat/%zz'])(
    'carries security headers and is not to be cached: %s',
    async (path) => {
      const { headers } = await balance(path);
      for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), name).toBe(value);
    },
  );

  test.each(['/ops/accounts', '/%zz', '/ops/%'])(
    "of the operators' listener carries security headers and is not to be cached: %s",
    async (path) => {
      const { headers } = await fetch(`${gateway.opsUrl}${path}`);
      for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), name).toBe(value);
    },
  );

  test('about a balance has both currencies and their sums', async () => {
    const empty = { available_cents: 0, pending_cents: 0, blocked_cents: 0, total_cents: 0 };
    expect((await balance()).body).toEqual({
      brl: { available_cents: 5, pending_cents: 3, blocked_cents: 2, total_cents: 10 },
      usdt: empty,
    });
  });

  test('to a fault of ours keeps the cause to itself', async () => {
    const answer = await balance('/v1/balance?at=1');
    expect(errorOf(answer)).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toContain('secret of the house');
  });

  test('while a neighbour is away is 503 with Retry-After', async () => {
    const answer = await gateway.asMerchant(account.test, 'GET', '/v1/payouts');
    expect(errorOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('about the own account says whose key it is', async () => {
    const { body } = await gateway.asMerchant(account.live, 'GET', '/v1/account');
    const fee = { fixed_cents: 0, bps: 0 };
    expect(body).toEqual({
      id: account.id,
      name: 'Loja',
      environment: 'live',
      api_version: '0.1',
      fees: { deposit: fee, payout: fee },
      auto_approve_payouts: true,
      retention_days: 0,
      frozen: null,
      // No webhooks service runs beside it.
      events_since: null,
    });
  });
});
