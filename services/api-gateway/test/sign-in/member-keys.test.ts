import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticateKey, getCaller, keyScopes } from '@gateway/contracts/accounts';
import { callRpc } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import { secretDigestOf } from '@gateway/runtime';
import { pictureEndpoints } from '#src/merchant/deposit-pictures.ts';
import { requireScopes, scopesByOperation } from '#src/merchant/key-scopes.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { KeyUsage, usageOfKeys } from '#src/request-log/key-usage.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';
import { createShop, ScriptedMoney, type TeamApproval, type TeamMember } from '../harness/team-money.ts';

const money = new ScriptedMoney();
let gateway: GatewayUnderTest;
let shop: string;
let owner: TeamMember;
let second: TeamMember;
let developer: TeamMember;
beforeAll(async () => {
  gateway = await startGateway(money.routes());
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  money.reset();
  shop = await createShop(gateway);
  [owner, second, developer] = [
    money.member(gateway, 'olga', shop, 'owner'),
    money.member(gateway, 'otto', shop, 'owner'),
    money.member(gateway, 'davi', shop, 'developer'),
  ];
});

const inTest = { 'x-environment': 'test' };
type Issued = KeyPair & { readonly error: { readonly code: string } };
const create = async (by: TeamMember, body: object, mode: Record<string, string> = inTest) => {
  const answer = await by.confirmed('POST', '/v1/keys', { name: 'till', ...body }, mode);
  return { status: answer.status, approval: answer.body.approval, key: answer.body as unknown as Issued };
};
const list = async (by = owner, mode: Record<string, string> = inTest) => {
  const { body } = await by.call('GET', '/v1/keys', undefined, mode);
  return body.data as unknown as readonly (Record<string, unknown> & { readonly public_key: string })[];
};
const statusOf = async (key: KeyPair, method: string, path: string, body?: object) => {
  const answer = await gateway.asMerchant(key, method, path, { ...(body ? { body } : {}) });
  return answer.status === 403 || answer.status === 401 ? answer.body.error.code : answer.status;
};
const decide = (by: TeamMember, { id, request_digest }: TeamApproval) =>
  by.confirmed('POST', `/approvals/${id}/approve`, { request_digest });

test('a key is issued with a confirmation, does what its scopes name and nothing else, and shows its secret once', async () => {
  const asked = await owner.call('POST', '/v1/keys', { name: 'till' }, inTest);
  expect(asked.body.error.code).toBe('STEP_UP_REQUIRED');
  const { status, key } = await create(owner, { scopes: ['payouts:read', 'webhooks:write'] });
  expect([status, key.secret_key]).toEqual([201, expect.stringMatching(/^sk_test_/)]);
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe(200);
  expect(await statusOf(key, 'GET', '/v1/account')).toBe(200);
  for (const [method, path] of [
    ['POST', '/v1/payouts'],
    ['GET', '/v1/deposits'],
    ['GET', '/v1/transactions'],
    ['GET', '/v1/webhooks'],
    ['PUT', '/v1/ip-allowlist'],
    ['GET', `/v1/deposits/${newId('deposit')}/qr.svg`],
  ] as const) {
    expect(await statusOf(key, method, path), path).toBe('SCOPE_MISSING');
  }
  const [shown] = await list();
  expect(shown).toMatchObject({ public_key: key.public_key, name: 'till', scopes: ['payouts:read', 'webhooks:write'] });
  expect(JSON.stringify(await list())).not.toContain(key.secret_key);
  const rows = await gateway.database.query<{ operator: string; row: string }>(
    'select operator, a::text as row from audit a where target = $1',
    [key.public_key],
  );
  expect(rows.map(({ operator }) => operator)).toEqual(['merchant:olga']);
  expect(rows[0]?.row).not.toContain(key.secret_key);
});

test('a key without scopes does everything, as those that were issued before', async () => {
  const { key } = await create(owner, {});
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe(200);
  expect((await list())[0]).toMatchObject({ scopes: null });
});

test('a limited key is refused to the connector, also for a token that was issued earlier', async () => {
  const { key } = await create(owner, { scopes: ['deposits:write'] });
  const { public_key: publicKey } = key;
  const secretDigest = secretDigestOf(key.secret_key).toString('hex');
  const bus = gateway.bus.within(2_000);
  const request = { publicKey, secretDigest, outsideAllowlist: 'refused' as const };
  await expect(callRpc(bus, authenticateKey, request)).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  const known = { publicKey, outsideAllowlist: 'refused' as const };
  await expect(callRpc(bus, getCaller, known)).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
});

test('a key has its allowlist from the first moment', async () => {
  const wrong = await owner.confirmed('POST', '/v1/keys', { name: 'till', ip_allowlist: ['home'] }, inTest);
  expect(wrong.body.error.details[0]?.path).toBe('ip_allowlist.0');
  const { key } = await create(owner, { ip_allowlist: ['203.0.113.7'] });
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe('AUTH_IP_BLOCKED');
  expect((await list())[0]).toMatchObject({ ip_allowlist: ['203.0.113.7'] });
});

test('an allowlist that a person of the account assigns is in force within a second, and in the audit trail', async () => {
  const { key } = await create(owner, {});
  const path = `/v1/keys/${key.public_key}/ip-allowlist`;
  const assign = (by: TeamMember, entries: string[], mode: Record<string, string> = inTest) =>
    by.confirmed('PUT', path, { entries }, mode);
  const wrong = await assign(owner, ['203.0.113.7', 'home']);
  expect(wrong.body.error.details[0]?.path).toBe('entries.1');
  const stranger = money.member(gateway, 'rita', await createShop(gateway), 'owner');
  for (const refused of [await assign(stranger, []), await assign(owner, [], {})]) expect(refused.status).toBe(404);
  expect((await owner.call('PUT', path, { entries: [] }, inTest)).body.error.code).toBe('STEP_UP_REQUIRED');
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe(200);
  const { body } = await assign(developer, ['203.0.113.7', '203.0.113.7/32', '2001:DB8::/32']);
  expect(body).toEqual({ ip_allowlist: ['203.0.113.7', '2001:db8::/32'] });
  await eventually(async () => expect(await statusOf(key, 'GET', '/v1/balance')).toBe('AUTH_IP_BLOCKED'));
  const rows = await gateway.database.query<{ operator: string; after: object }>(
    `select operator, after from audit where target = $1 and action = 'key.allowlist'`,
    [key.public_key],
  );
  expect(rows).toMatchObject([
    { operator: 'merchant:davi', after: { ip_allowlist: ['203.0.113.7', '2001:db8::/32'] } },
  ]);
  const { status } = await developer.confirmed('DELETE', `/v1/keys/${key.public_key}`, undefined, inTest);
  expect([status, (await assign(owner, [])).status]).toEqual([204, 404]);
});

describe('a live key', () => {
  const live = {};

  test('that pays out is agreed on by two, and opens nothing until one who may have keys fetches its secret, once', async () => {
    const proposed = await create(owner, { scopes: ['payouts:write'], ip_allowlist: ['127.0.0.1'] }, live);
    expect([proposed.status, await list(owner, live)]).toEqual([202, []]);
    expect((await decide(owner, proposed.approval)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
    const { approval } = (await decide(second, proposed.approval)).body;
    expect(approval).toMatchObject({ state: 'APPLIED', kind: 'team.key', proposed_by: 'olga', approved_by: 'otto' });
    const { public_key: publicKey } = approval['outcome'] as KeyPair;
    expect(JSON.stringify(approval)).not.toContain('secret');
    const claim = (by: TeamMember, mode = {}) => by.confirmed('POST', `/v1/keys/${publicKey}/claim`, {}, mode);
    const approver = money.member(gateway, 'paulo', shop, 'approver');
    expect((await claim(approver)).status).toBe(403);
    expect((await claim(owner, inTest)).status).toBe(404);
    const key = (await claim(owner)).body as unknown as KeyPair;
    expect(key).toEqual({ public_key: publicKey, secret_key: expect.stringMatching(/^sk_live_/) as string });
    await eventually(async () => expect(await statusOf(key, 'POST', '/v1/payouts', {})).toBe(400));
    expect(await statusOf(key, 'GET', '/v1/payouts')).toBe('SCOPE_MISSING');
    expect((await claim(developer)).status).toBe(404);
    const rows = await gateway.database.query<{ operator: string; action: string }>(
      'select operator, action from audit where target = $1 order by id',
      [publicKey],
    );
    expect(rows).toEqual([
      { operator: 'merchant:otto', action: 'key.issue' },
      { operator: 'merchant:olga', action: 'key.claim' },
    ]);
  });

  test('that refunds is agreed on by two as one that pays out', async () => {
    expect((await create(owner, { scopes: ['refunds:write'] }, live)).status).toBe(202);
    expect((await create(owner, { scopes: ['refunds:read'] }, live)).status).toBe(201);
  });

  test('without limits is agreed on by two as well, and one that does not pay out is an owner’s alone', async () => {
    expect((await create(owner, {}, live)).status).toBe(202);
    const { status, key } = await create(owner, { scopes: ['deposits:write', 'deposits:read'] }, live);
    expect([status, key.secret_key]).toEqual([201, expect.stringMatching(/^sk_live_/)]);
  });

  test('of a developer is decided by another person, whatever its scopes; one of test mode is not', async () => {
    const proposed = await create(developer, { scopes: ['deposits:read'] }, live);
    expect(proposed.status).toBe(202);
    expect((await decide(developer, proposed.approval)).status).toBe(403);
    const withdrawn = await developer.call('POST', `/approvals/${proposed.approval.id}/withdraw`, {});
    expect(withdrawn.body.approval.state).toBe('WITHDRAWN');
    expect((await create(developer, { scopes: ['deposits:read'] })).status).toBe(201);
  });

  test('is not issued when who proposed it may have no keys any more', async () => {
    const { approval } = await create(developer, { scopes: ['deposits:read'] }, live);
    Object.assign(developer.person, { memberships: [{ accountId: shop, roles: ['viewer'], environments: ['live'] }] });
    expect((await decide(owner, approval)).body.error.code).toBe('PERMISSION_DENIED');
    expect(await list(owner, live)).toEqual([]);
  });
});

test('a key is revoked within a second, by the people of its account, in its environment', async () => {
  const { key } = await create(owner, { scopes: ['payouts:read'] });
  const other = await createShop(gateway);
  const stranger = money.member(gateway, 'rita', other, 'owner');
  const path = `/v1/keys/${key.public_key}`;
  expect((await stranger.confirmed('DELETE', path, undefined, inTest)).status).toBe(404);
  expect((await owner.confirmed('DELETE', path)).status).toBe(404);
  expect((await owner.call('DELETE', path, undefined, inTest)).body.error.code).toBe('STEP_UP_REQUIRED');
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe(200);
  expect((await developer.confirmed('DELETE', path, undefined, inTest)).status).toBe(204);
  expect(await statusOf(key, 'GET', '/v1/balance')).toBe('AUTH_INVALID');
  expect(await list(stranger)).toEqual([]);
});

test('while payouts of the account are frozen its people still say from where a key may be used, and revoke it', async () => {
  const { key } = await create(owner, { scopes: ['payouts:read'] }, {});
  const body = { level: 'payouts', environment: 'live', reason: 'the key has leaked' };
  expect((await gateway.asOperator('POST', `/ops/accounts/${shop}/freeze`, { body })).status).toBe(200);
  const path = `/v1/keys/${key.public_key}`;
  expect((await owner.confirmed('PUT', `${path}/ip-allowlist`, { entries: ['203.0.113.7'] })).status).toBe(200);
  expect((await owner.confirmed('DELETE', path)).status).toBe(204);
});

test('every operation of the merchant API has the scopes that a limited key needs for it', () => {
  const operations = [...merchantRoutes, ...pictureEndpoints].map(({ operation }) => operation);
  expect(Object.keys(scopesByOperation).sort()).toEqual(operations.sort());
  expect(() => requireScopes({ scopes: [...keyScopes] }, 'createMoney')).toThrow('a key without limits');
});

test.each([
  ['a scope that is none', { scopes: ['deposits'] }, 'scopes.0'],
  ['a scope twice', { scopes: ['deposits:read', 'deposits:read'] }, 'scopes'],
  ['no scope', { scopes: [] }, 'scopes'],
  ['another environment', { environment: 'live' }, 'environment'],
])('%s is refused, by its name', async (_title, body, path) => {
  const { status, body: answer } = await owner.confirmed('POST', '/v1/keys', { name: 'till', ...body }, inTest);
  expect([status, answer.error.details[0]?.path]).toEqual([400, path]);
});

test('what each key called is counted by its contract, with what was over its rate, and shown to the people of its account alone', async () => {
  const limited = await createShop(gateway, { rate_limit: { per_second: 1, burst: 2 } });
  const davi = money.member(gateway, 'davi', limited, 'developer');
  const { key } = await create(davi, { api_version: '1.0' });
  const usageSeenBy = async (by: TeamMember) =>
    (await by.call('GET', '/v1/keys/usage', undefined, inTest)).body as unknown as {
      data: object[];
      rate_limit: object;
    };
  const answers = await Promise.all(Array.from({ length: 6 }, () => gateway.asMerchant(key, 'GET', '/v1/balance')));
  const refused = answers.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  await eventually(async () => {
    const { data, rate_limit } = await usageSeenBy(davi);
    expect(rate_limit).toEqual({ per_second: 1, burst: 2 });
    expect(data).toEqual([{ public_key: key.public_key, api_version: '1.0', calls: 6, limited: refused }]);
  });
  expect((await usageSeenBy(developer)).data).toEqual([]);
});

test('counts that could not be written are written later, once, and those of before eight days are dropped', async () => {
  await using usage = new KeyUsage(gateway.database, silentLogger);
  const caller = { environment: 'test', publicKey: 'pk_of_counts', account: { id: shop } } as const;
  const note = (atMs: number) => usage.note({ caller, apiVersion: '0.1', status: 200, atMs });
  const counted = async () =>
    await usageOfKeys(gateway.database, { environment: 'test', accountId: shop }, new Date(0));
  note(Date.now());
  await gateway.database.query('alter table key_usage rename to key_usage_away');
  await expect(usage.write()).rejects.toThrow('key_usage');
  await gateway.database.query('alter table key_usage_away rename to key_usage');
  note(Date.now());
  await usage.write();
  await usage.write();
  expect(await counted()).toMatchObject([{ publicKey: 'pk_of_counts', calls: 2, limited: 0 }]);
  await usage.drop(new Date(Date.now() + 9 * 86_400_000));
  expect(await counted()).toEqual([]);
});
