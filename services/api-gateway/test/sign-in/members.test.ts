import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getDeposit, listDeposits } from '@gateway/contracts/deposits';
import {
  merchantGrant,
  merchantPermissions,
  merchantRoleSchema,
  type Membership,
  type MerchantRole,
} from '@gateway/contracts/identity';
import type { Environment } from '@gateway/contracts/values';
import { deleteWebhook, registerWebhook } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { keyOperations, sessionOperations } from '#src/members/session-operations.ts';
import { memberRoutes } from '#src/members/for-members.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorDepositOf } from '../harness/records.ts';
import {
  browserOf,
  cookieName,
  memberBrowserOf,
  memberCookieName,
  memberOrigin,
  origin,
  ownPage,
  ScriptedIdentity,
  stepUpOf,
} from '../harness/signing-in.ts';
import { operatorTokens, startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const document = '52998224725';
const deposit = operatorDepositOf({ payer: { name: 'Maria da Silva', document, email: null, phone: null } });
const asked: unknown[] = [];
let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
let shop: { id: string; test: KeyPair; live: KeyPair };
let other: { id: string };
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway([
    ...identity.routes(),
    answering(getDeposit, async (request) => {
      asked.push(request);
      return { deposit };
    }),
    answering(listDeposits, async () => ({ deposits: [deposit], nextCursor: null })),
    answering(registerWebhook, async () => {
      throw new Error('reached');
    }),
    answering(deleteWebhook, async () => ({})),
  ]);
  const unlimited = { rate_limit: { per_second: 100_000, burst: 100_000 } };
  [shop, other] = [await gateway.newAccount(unlimited), await gateway.newAccount(unlimited)];
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const both: Environment[] = ['test', 'live'];
const partIn = (accountId: string, roles: MerchantRole[], environments = both): Membership => ({
  ...{ accountId, roles, environments },
});
const member = (name: string, ...memberships: Membership[]) => {
  const { token } = identity.signInMember(name, memberships);
  return { token, call: memberBrowserOf(gateway, token) };
};
const within = (accountId: string, environment: string) => ({ 'x-account': accountId, 'x-environment': environment });

describe.each(merchantRoleSchema.options)('a person with the role %s', (role) => {
  test.each(both)(
    'is refused in %s mode what the table of permissions does not give, and nothing else',
    async (mode) => {
      const { call } = member(`every-${role}`, partIn(shop.id, [role]));
      for (const { method, path, permission, withSecond = false, upload } of memberRoutes) {
        const form: Record<string, string> = upload ? { 'content-type': 'multipart/form-data; boundary=x' } : {};
        const headers = { ...within(shop.id, mode), ...form };
        const answer = await call(method, `${path.replaceAll(/:\w+/g, 'x')}?surprise=1`, { headers });
        const grant = merchantGrant([role], permission);
        const isProposed = withSecond && grant === 'second_person';
        const isGiven = grant === 'full' || isProposed || (mode === 'test' && grant !== null);
        // In live mode an operation of test mode is refused for that, before anybody's permission is looked at.
        const isRefused = !isGiven || (mode === 'live' && path.startsWith('/v1/test/'));
        expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} ${isRefused ? 403 : 400}`);
      }
    },
  );
});

test('every operation of merchants is used by a session with a permission, or takes a key for a reason', () => {
  const named = [...Object.keys(sessionOperations), ...Object.keys(keyOperations)];
  expect(named.sort()).toEqual(merchantRoutes.map(({ operation }) => operation).sort());
});

test('a session converts once its person has confirmed that one conversion', async () => {
  const { call } = member('spender', partIn(shop.id, ['finance']));
  const body = { external_id: 'conv-1', quote_id: newId('quote') };
  const answer = await call('POST', '/v1/conversions', { headers: within(shop.id, 'live'), body });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
});

test('a session ends an endpoint, and what waits for it, once its person has confirmed that', async () => {
  const { call } = member('ending', partIn(shop.id, ['developer']));
  const path = `/v1/webhooks/${newId('webhook')}`;
  const headers = within(shop.id, 'live');
  const first = await call('DELETE', path, { headers });
  expect([first.status, first.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const confirmed = { ...headers, 'x-step-up': stepUpOf(first.body.error.step_up_id) };
  expect((await call('DELETE', path, { headers: confirmed })).status).toBe(204);
});

test('evidence by a session is confirmed with the SHA-256 of each file: another file takes another confirmation', async () => {
  const { call } = member('defender', partIn(shop.id, ['finance']));
  const path = `/v1/disputes/${newId('dispute')}/evidence`;
  const naming = (sha256: string) => ({ text: 'sent', files: [{ id: newId('file'), sha256: sha256.repeat(64) }] });
  const [shown, another] = [naming('a'), naming('b')];
  const headers = within(shop.id, 'live');
  const first = await call('POST', path, { headers, body: shown });
  expect([first.status, first.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const confirmedBy = { ...headers, 'x-step-up': stepUpOf(first.body.error.step_up_id) };
  const swapped = await call('POST', path, { headers: confirmedBy, body: another });
  expect([swapped.status, swapped.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
});

test('every permission of people but that of revealing is one that an operation takes', () => {
  const used = new Set(memberRoutes.map(({ permission }) => permission));
  const unused = Object.keys(merchantPermissions).filter((name) => !used.has(name as never));
  expect(unused).toEqual(['pii:reveal']);
});

describe('the two realms', () => {
  const statusOf = async (url: string, headers: Record<string, string>) => (await fetch(url, { headers })).status;

  test('take no session of each other, under whichever cookie', async () => {
    const operator = identity.signIn('ana.lima', ['admin', 'treasurer']).token;
    const owner = member('owner', partIn(shop.id, ['owner'])).token;
    const at = (url: string, cookie: string) => statusOf(url, { cookie, ...within(shop.id, 'live') });
    for (const path of ['/session', '/accounts', '/v1/balance', '/v1/deposits']) {
      const url = `${gateway.consoleUrl}${path}`;
      expect(await at(url, `${memberCookieName}=${operator}`), path).toBe(401);
      expect(await at(url, `${cookieName}=${operator}`), path).toBe(401);
      expect(await at(url, `${cookieName}=${owner}`), path).toBe(401);
    }
    for (const path of ['/session', '/ops/accounts']) {
      const url = `${gateway.opsUrl}${path}`;
      expect(await at(url, `${cookieName}=${owner}`), path).toBe(401);
      expect(await at(url, `${memberCookieName}=${owner}`), path).toBe(401);
    }
    expect(await at(`${gateway.baseUrl}/v1/balance`, `${memberCookieName}=${owner}`)).toBe(401);
  });

  test('take no key and no token at the console', async () => {
    const at = `${gateway.consoleUrl}/v1/deposits`;
    const chosen = within(shop.id, 'live');
    const key = { 'x-api-key': shop.live.public_key, 'x-api-secret': shop.live.secret_key };
    expect(await statusOf(at, { ...chosen, ...key })).toBe(401);
    expect(await statusOf(at, { ...chosen, authorization: `Bearer ${operatorTokens.ana}` })).toBe(401);
    identity.serviceToken = { token: 'opst_nightly', scopes: ['records:read'] };
    expect(await statusOf(at, { ...chosen, authorization: 'Bearer opst_nightly' })).toBe(401);
  });

  test('have no operation in common but those of signing in', async () => {
    const { call } = member('curious', partIn(shop.id, ['owner']));
    expect((await call('GET', '/ops/accounts', { headers: within(shop.id, 'live') })).status).toBe(404);
    const operator = browserOf(gateway, identity.signIn('bruno', ['admin']).token);
    expect((await operator('GET', '/v1/deposits', { headers: within(shop.id, 'live') })).status).toBe(404);
  });

  test.each([
    ['of the operators’ console', { origin }],
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of another port of the same machine', { 'sec-fetch-site': 'same-site' }],
    ['that is a form', { 'content-type': 'text/plain' }],
  ])('a change from a page %s changes nothing', async (_name, headers) => {
    const { call } = member('forged', partIn(shop.id, ['owner']));
    const parts = { headers: { ...within(shop.id, 'test'), ...headers }, body: { amount_cents: 100 } };
    expect((await call('POST', '/v1/deposits', parts)).body.error.code).toBe('PERMISSION_DENIED');
    const ended = await call('DELETE', '/session', { headers });
    expect(ended.status).toBe(403);
  });
});

describe('a session acts', () => {
  test('on the one account and environment that it names, and on none of another', async () => {
    const { call } = member('agency', partIn(shop.id, ['finance'], ['test']), partIn(newId('account'), ['owner']));
    const read = async (headers: Record<string, string>) =>
      (await call('GET', `/v1/deposits/${deposit.id}`, { headers })).status;
    expect(await read(within(shop.id, 'test'))).toBe(200);
    expect(asked.at(-1)).toMatchObject({ accountId: shop.id, environment: 'test', id: deposit.id });
    expect(await read(within(shop.id, 'live'))).toBe(403);
    expect(await read(within(other.id, 'test'))).toBe(403);
    const { body } = await call('GET', '/accounts');
    expect(body.data).toEqual([
      { id: shop.id, name: 'Loja', roles: ['finance'], environments: ['test'], frozen: { test: null }, recoveries: [] },
    ]);
  });

  test.each([
    ['no account', { 'x-environment': 'live' }, 'x-account'],
    ['an account that is none', within('loja', 'live'), 'x-account'],
    ['no environment', { 'x-account': newId('account') }, 'x-environment'],
    ['another environment', within(newId('account'), 'sandbox'), 'x-environment'],
  ])('with %s on nothing', async (_name, headers, path) => {
    const { call } = member('choosing', partIn(shop.id, ['owner']));
    const { status, body } = await call('GET', '/v1/deposits', { headers });
    expect([status, body.error.details[0]?.path]).toEqual([400, path]);
  });

  test('with the roles of that account alone', async () => {
    const { call } = member('two', partIn(shop.id, ['viewer']), partIn(other.id, ['owner']));
    const pause = (id: string) =>
      call('POST', `/v1/webhooks/${newId('webhook')}/test`, { headers: within(id, 'test') });
    expect((await pause(shop.id)).status).toBe(403);
    expect((await pause(other.id)).status).toBe(503);
  });

  test('on an account that is not frozen, from the moment on', async () => {
    const frozen = await gateway.newAccount();
    const { call } = member('frozen', partIn(frozen.id, ['owner']));
    const path = `/ops/accounts/${frozen.id}/freeze`;
    await gateway.asOperator('POST', path, { body: { level: 'writes', reason: 'asked by the owner' } });
    const headers = within(frozen.id, 'live');
    const answer = await call('POST', '/v1/deposits', { headers, body: { amount_cents: 100 } });
    expect(answer.body.error.code).toBe('ACCOUNT_FROZEN');
    expect((await call('GET', '/v1/account', { headers })).status).toBe(200);
  });
});

describe('a person', () => {
  test('confirms what shows a secret, for that account and that environment alone', async () => {
    const { call } = member('confirming', partIn(shop.id, ['owner']), partIn(other.id, ['owner']));
    const body = { name: 'shop', url: 'https://shop.example/hook', events: ['deposit.paid'] };
    const create = (headers: Record<string, string>) => call('POST', '/v1/webhooks', { headers, body });
    const confirmationOf = async () => {
      const { error } = (await create(within(shop.id, 'live'))).body;
      expect(error.code).toBe('STEP_UP_REQUIRED');
      const passkey = { id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {} };
      const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' };
      const given = { stepUpId: error.step_up_id, answer: { kind: 'passkey', passkey: { ...passkey, response } } };
      return { 'x-step-up': Buffer.from(JSON.stringify(given)).toString('base64url') };
    };
    for (const elsewhere of [within(other.id, 'live'), within(shop.id, 'test')]) {
      const moved = await create({ ...elsewhere, ...(await confirmationOf()) });
      expect([moved.status, moved.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
    }
    const done = await create({ ...within(shop.id, 'live'), ...(await confirmationOf()) });
    expect([done.status, done.headers.getSetCookie()[0]]).toEqual([500, expect.stringContaining('r'.repeat(43))]);
  });

  test('reads personal data masked, and in a file when exports are among the permissions', async () => {
    const headers = within(shop.id, 'live');
    const viewer = member('viewer', partIn(shop.id, ['viewer']));
    const read = await viewer.call('GET', `/v1/deposits/${deposit.id}`, { headers });
    expect([read.status, read.text.includes(document)]).toEqual([200, false]);
    const csv = { headers: { ...headers, accept: 'text/csv' } };
    expect((await viewer.call('GET', '/v1/deposits', csv)).status).toBe(403);
    const finance = member('finance', partIn(shop.id, ['finance']));
    const { body } = await finance.call('GET', '/v1/deposits', csv);
    expect(body.error.code).toBe('STEP_UP_REQUIRED');
    const confirmed = { headers: { ...csv.headers, 'x-step-up': stepUpOf(body.error.step_up_id) } };
    expect((await finance.call('GET', '/v1/deposits', confirmed)).text).toContain(deposit.id);
  });

  test('signs in at the console by its own cookie', async () => {
    const { call } = member('signing', partIn(shop.id, ['approver']));
    expect((await call('GET', '/session')).body.session).toMatchObject({ person: { name: 'signing', roles: [] } });
    const headers = { ...ownPage, origin: memberOrigin };
    const parts = { method: 'POST', headers, body: JSON.stringify({ token: 'l'.repeat(43) }) };
    const answer = await fetch(`${gateway.consoleUrl}/session/link`, parts);
    expect(answer.headers.getSetCookie()[0]).toMatch(new RegExp(`^${memberCookieName}=[\\w-]{43}; Path=/; HttpOnly`));
  });
});

test('one origin for both consoles is refused at the start', async () => {
  const open = startGateway([], { CONSOLE_URL: origin });
  await expect(open).rejects.toThrow(/CONSOLE_URL must be another origin than OPERATOR_CONSOLE_URL/);
});
