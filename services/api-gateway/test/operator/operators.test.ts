import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const fee = (fixed_cents: number, bps: number) => ({ fixed_cents, bps });
const create = (body: unknown) => gateway.asOperator('POST', '/ops/accounts', { body });
const auditOf = async (target: string) => {
  const { body } = await gateway.asOperator('GET', '/ops/audit?limit=200');
  return body.data.filter((row) => row.target === target);
};

describe('an operator', () => {
  test.each([
    ['no token', {}, 'AUTH_REQUIRED'],
    ['another scheme', { authorization: `Basic ${operatorTokens.ana}` }, 'AUTH_REQUIRED'],
    ['an unknown token', { authorization: `Bearer ${operatorTokens.ana}x` }, 'AUTH_INVALID'],
    ['the key of a merchant', { 'x-api-key': 'pk_test_1', 'x-api-secret': 'sk_test_1' }, 'AUTH_REQUIRED'],
  ])('with %s is turned away', async (_case, headers, code) => {
    const authorization = { authorization: '', ...headers } as Record<string, string>;
    const answer = await gateway.asOperator('GET', '/ops/accounts', { headers: authorization });
    expect([answer.status, answer.body.error.code]).toEqual([401, code]);
  });

  test('sets up an account with the defaults of the interface', async () => {
    const { status, body } = await create({ name: 'Loja Um' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'account',
      name: 'Loja Um',
      document: null,
      auto_approve_payouts: true,
      fees: { deposit: fee(0, 0), payout: fee(0, 0) },
      retention_days: 0,
      rate_limit: { per_second: 100, burst: 200 },
      payout_limits: { per_payout_cents: null, per_day_cents: null },
    });
    expect((await gateway.asOperator('GET', `/ops/accounts/${body.id}`)).body).toEqual(body);
  });

  test('changes what is named and leaves the rest', async () => {
    const settings = {
      document: '11.222.333/0001-81',
      fees: { deposit: fee(10, 99), payout: fee(50, 0) },
      payout_limits: { per_payout_cents: 1_000, per_day_cents: 5_000 },
    };
    const { body: account } = await create({ name: 'Loja Dois', ...settings });
    expect(account.document).toBe('11222333000181');
    const path = `/ops/accounts/${account.id}`;
    const patch = {
      auto_approve_payouts: false,
      fees: { deposit: { bps: 150 } },
      payout_limits: { per_day_cents: 4_000 },
    };
    const changed = await gateway.asOperator('PATCH', path, { body: patch });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...account,
        auto_approve_payouts: false,
        fees: { deposit: fee(10, 150), payout: fee(50, 0) },
        payout_limits: { per_payout_cents: 1_000, per_day_cents: 4_000 },
      },
    ]);
  });

  test('gives a currency fees and limits of its own, which follow the account where nothing is said, until they are taken away', async () => {
    const own = { fees: { deposit: fee(10, 99), payout: fee(50, 0), MXN: { payout: { fixed_cents: 800 } } } };
    const { body: account } = await create({ name: 'Loja México', ...own });
    const path = `/ops/accounts/${account.id}`;
    const read = async () => (await gateway.asOperator('GET', path)).body as unknown as Record<string, object>;
    expect(await read()).toMatchObject({
      fees: { deposit: fee(10, 99), payout: fee(50, 0), MXN: { deposit: fee(10, 99), payout: fee(800, 0) } },
    });
    expect((await read())['payout_limits']).not.toHaveProperty('MXN');
    const limited = { payout_limits: { MXN: { per_day_cents: 7_000 } }, fees: { MXN: { deposit: { bps: 200 } } } };
    await gateway.asOperator('PATCH', path, { body: limited });
    expect(await read()).toMatchObject({
      fees: { deposit: fee(10, 99), MXN: { deposit: fee(10, 200), payout: fee(800, 0) } },
      payout_limits: { per_day_cents: null, MXN: { per_payout_cents: null, per_day_cents: 7_000 } },
    });
    const lifted = await gateway.asOperator('PATCH', path, { body: { payout_limits: { MXN: null } } });
    expect(lifted.status).toBe(202);
    await gateway.asSecond('POST', `/ops/approvals/${lifted.body.approval.id}/approve`);
    const after = await read();
    expect([after['payout_limits'], after['fees']]).toMatchObject([
      { per_day_cents: null },
      { MXN: { payout: fee(800, 0) } },
    ]);
    expect(after['payout_limits']).not.toHaveProperty('MXN');
  });

  test.each<[object, string]>([
    [{ fees: { USD: { deposit: { bps: 1 } } } }, 'fees.USD'],
    [{ fees: { MXN: { deposit: { bps: 10_001 } } } }, 'fees.MXN.deposit.bps'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ document: '52998224726' }, 'document'],
    [{ auto_approve_payouts: 'yes' }, 'auto_approve_payouts'],
    [{ fees: { deposit: { fixed_cents: -1 } } }, 'fees.deposit.fixed_cents'],
    [{ fees: { payout: { bps: 10_001 } } }, 'fees.payout.bps'],
    [{ retention_days: 366 }, 'retention_days'],
    [{ rate_limit: { per_second: 0 } }, 'rate_limit.per_second'],
    [{ payout_limits: { per_payout_cents: 0 } }, 'payout_limits.per_payout_cents'],
  ])('that sends %j is refused by name', async (members, path) => {
    const { status, body } = await create({ name: 'Loja', ...members });
    expect([status, body.error.details.map(({ path: named }) => named)]).toEqual([400, [path]]);
  });

  test.each([
    ['GET', '/ops/accounts/acc_01k9zzzzzzzzzzzzzzzzzzzzzz'],
    ['PATCH', '/ops/accounts/acc_01k9zzzzzzzzzzzzzzzzzzzzzz'],
    ['GET', '/ops/accounts/nonsense'],
    ['POST', '/ops/accounts/acc_01k9zzzzzzzzzzzzzzzzzzzzzz/keys'],
    ['DELETE', '/ops/keys/pk_test_0123456789abcdef0123456789abcdef'],
    ['DELETE', '/ops/keys/nonsense'],
  ])('that asks %s %s is answered 404', async (method, path) => {
    const body = method === 'POST' ? { environment: 'test' } : method === 'PATCH' ? {} : undefined;
    expect((await gateway.asOperator(method, path, { body })).status).toBe(404);
  });

  test('pages through accounts without a gap, newest first', async () => {
    const made = [await create({ name: 'a' }), await create({ name: 'b' }), await create({ name: 'c' })];
    const ids = made.map(({ body }) => body.id).reverse();
    const first = await gateway.asOperator('GET', '/ops/accounts?limit=2');
    const second = await gateway.asOperator('GET', `/ops/accounts?limit=1&cursor=${first.body.next_cursor}`);
    const seen = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(seen).toEqual(ids);
    const foreign = await gateway.asOperator('GET', '/ops/accounts?cursor=acc_01k9zzzzzzzzzzzzzzzzzzzzzz');
    expect(foreign.body.error.details[0]?.path).toBe('cursor');
  });
});

describe('the accounts an operator looks for', () => {
  const cnpj = '04252011000110';
  const idsOf = async (query: string) => {
    const { status, body } = await gateway.asOperator('GET', `/ops/accounts?${query}`);
    expect(status, query).toBe(200);
    return body.data.map(({ id }) => id);
  };

  test('are found by a part of the name, the document, the approval of payouts and the time of creation', async () => {
    const shop = (await create({ name: 'Açaí 100%_Puro', document: cnpj, auto_approve_payouts: false })).body;
    const other = (await create({ name: 'Padaria' })).body;
    expect(await idsOf(`name=${encodeURIComponent('AÇAÍ 100%_')}`)).toEqual([shop.id]);
    expect(await idsOf(`name=${encodeURIComponent('1%0')}`)).toEqual([]);
    expect(await idsOf('document=04.252.011%2F0001-10')).toEqual([shop.id]);
    expect(await idsOf('auto_approve_payouts=false&name=puro')).toEqual([shop.id]);
    expect(await idsOf('auto_approve_payouts=true&name=puro')).toEqual([]);
    const { created_at: at } = other;
    expect(await idsOf(`from=${at}&to=${at + 1}&name=padaria`)).toEqual([other.id]);
    expect(await idsOf(`from=${at + 1}`)).toEqual([]);
    expect(await idsOf(`to=${at}&name=padaria`)).toEqual([]);
    expect(await idsOf(`from=${new Date(at * 1_000).toISOString()}&to=2999-01-01&name=padaria`)).toEqual([other.id]);
    expect(await idsOf(`to=2020-01-01T00:00:00Z&name=padaria`)).toEqual([]);
    expect(await idsOf(`limit=1&cursor=${other.id}&name=a`)).toEqual([shop.id]);
  });

  test.each([
    ['accounts?name=', 'name'],
    ['accounts?document=123', 'document'],
    ['accounts?auto_approve_payouts=1', 'auto_approve_payouts'],
    ['accounts?from=yesterday', 'from'],
    ['reconciliations?status=PERHAPS', 'status'],
    ['reconciliations?to=-1', 'to'],
    ['accounts/{id}/keys?status=gone', 'status'],
    ['accounts/{id}/keys?environment=prod', 'environment'],
    ['accounts/{id}/keys?api_version=2.0', 'api_version'],
  ])('by %s are asked for in a way that is refused by name', async (path, field) => {
    const { body: account } = await create({ name: 'Loja' });
    const { status, body } = await gateway.asOperator('GET', `/ops/${path.replace('{id}', account.id)}`);
    expect([status, body.error.details.map(({ path: named }) => named)]).toEqual([400, [field]]);
  });
});

describe('the audit trail', () => {
  test('has a row for every change, by whom, with before and after and never a secret', async () => {
    const headers = { authorization: `Bearer ${operatorTokens.bruno}`, 'x-request-id': 'the-change' };
    const { body: account } = await create({ name: 'Loja' });
    const path = `/ops/accounts/${account.id}`;
    const { body: changed } = await gateway.asOperator('PATCH', path, { headers, body: { name: 'Loja Nova' } });
    expect(await auditOf(account.id)).toMatchObject([
      { operator: 'bruno', action: 'account.update', before: account, after: changed, request_id: 'the-change' },
      { operator: 'ana', action: 'account.create', before: null, after: account },
    ]);
    const issued = await gateway.asOperator('POST', `${path}/keys`, { body: { environment: 'test', name: 'till' } });
    const key = issued.body;
    await gateway.asOperator('DELETE', `/ops/keys/${key.public_key}`, { headers });
    await gateway.asOperator('DELETE', `/ops/keys/${key.public_key}`, { headers });
    const rows = await auditOf(key.public_key);
    expect(rows).toMatchObject([
      { operator: 'bruno', action: 'key.revoke', before: { revoked_at: null }, after: { account_id: account.id } },
      { operator: 'ana', action: 'key.issue', before: null, after: { environment: 'test', name: 'till' } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(key.secret_key.slice(8));
  });

  test('has no row for a change that was refused', async () => {
    const before = (await gateway.asOperator('GET', '/ops/audit')).body.data[0]?.id;
    await create({ name: '' });
    await gateway.asOperator('PATCH', '/ops/accounts/acc_01k9zzzzzzzzzzzzzzzzzzzzzz', { body: { name: 'x' } });
    expect((await gateway.asOperator('GET', '/ops/audit')).body.data[0]?.id).toBe(before);
  });
});

test('the keys of an account are listed with their last use and without their secrets, page by page', async () => {
  const account = await gateway.newAccount();
  const other = await gateway.newAccount();
  await gateway.asOperator('DELETE', `/ops/keys/${account.live.public_key}`);
  const page = (query: string) => gateway.asOperator('GET', `/ops/accounts/${account.id}/keys?${query}`);
  const first = await page('limit=1');
  const second = await page(`limit=1&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...second.body.data]).toMatchObject([
    { public_key: account.live.public_key, environment: 'live', revoked_at: expect.any(Number) as number },
    { public_key: account.test.public_key, environment: 'test', revoked_at: null, last_used_at: null },
  ]);
  expect([second.body.next_cursor, first.text.includes('secret')]).toEqual([null, false]);
  for (const filter of ['status=revoked', 'environment=live', 'environment=live&api_version=0.1']) {
    expect(
      (await page(filter)).body.data.map((key) => key.public_key),
      filter,
    ).toEqual([account.live.public_key]);
  }
  for (const filter of ['status=active', 'environment=test', 'limit=1&from=2020-01-01&status=active']) {
    expect(
      (await page(filter)).body.data.map((key) => key.public_key),
      filter,
    ).toEqual([account.test.public_key]);
  }
  for (const filter of [
    'api_version=1.0',
    'name=till',
    'to=2020-01-01&zone=UTC',
    'from=99999999999',
    'status=revoked&environment=test',
  ]) {
    expect((await page(filter)).body.data, filter).toEqual([]);
  }
  const named = { environment: 'test', name: 'Till 1' };
  const till = await gateway.asOperator('POST', `/ops/accounts/${account.id}/keys`, { body: named });
  expect((await page('name=till')).body.data).toMatchObject([{ public_key: till.body.public_key }]);
  expect((await page(`cursor=${other.test.public_key}`)).body.error.details[0]?.path).toBe('cursor');
  expect((await gateway.asOperator('GET', '/ops/accounts/nonsense/keys')).status).toBe(404);
});

test('dead letters that one service does not answer for are refused rather than shown with holes', async () => {
  const letters = (path = '') => gateway.asOperator('GET', `/ops/dead-letters${path}`);
  expect((await letters()).status).toBe(503);
  expect((await letters('?service=api-gateway')).body).toEqual({ data: [], next_cursor: null });
  expect((await letters(`/${newId('deadLetter')}`)).status).toBe(503);
});

test('the last use of a key is noted when the gateway stops, at the latest', async () => {
  const other = await startGateway();
  const account = await other.newAccount();
  await other.asMerchant(account.test, 'GET', '/v1/account');
  await other.stop();
  const used = 'select last_used_at from api_key where public_key = $1';
  await eventually(async () => {
    const [row] = await other.database.query<{ last_used_at: Date | null }>(used, [account.test.public_key]);
    expect(row?.last_used_at).toBeInstanceOf(Date);
  });
  await other[Symbol.asyncDispose]();
});
