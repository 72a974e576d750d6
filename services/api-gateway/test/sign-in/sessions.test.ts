import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getOperatorDeposit, listOperatorDeposits, lookUpDeposit } from '@gateway/contracts/deposits';
import { operatorRoleSchema, sessionsRevokedSignal } from '@gateway/contracts/identity';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { operatorPageRoutes, operatorRoutes } from '#src/operator/routes.ts';
import { operatorDepositOf } from '../harness/records.ts';
import { browserOf, cookieName, origin, ownPage, personAt, ScriptedIdentity } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const document = '52998224725';
const deposit = operatorDepositOf({ payer: { name: 'Maria da Silva', document, email: null, phone: null } });
const traceUrl = 'https://grafana.example/trace/{trace_id}';
let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway(
    [
      ...identity.routes(),
      answering(getOperatorDeposit, async () => ({ deposit, payments: [], transfers: [] })),
      answering(lookUpDeposit, async () => ({ before: deposit, deposit })),
      answering(listOperatorDeposits, async () => ({ deposits: [deposit], nextCursor: null })),
    ],
    { TRACE_URL: traceUrl },
  );
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  identity.rotateTo = null;
  identity.dependents.clear();
});

const signedIn = (name: string, ...roles: Parameters<ScriptedIdentity['signIn']>[1]) => {
  const { token, session } = identity.signIn(name, roles);
  return { token, session, call: browserOf(gateway, token) };
};
const auditOf = async (requestId: string) =>
  (await gateway.asOperator('GET', `/ops/audit?request_id=${requestId}`)).body.data as unknown as Record<
    string,
    unknown
  >[];

describe('a session', () => {
  test('begins with a cookie that scripts cannot read and other sites do not send, and ends with it', async () => {
    const answer = await fetch(`${gateway.opsUrl}/session/link`, {
      method: 'POST',
      headers: ownPage,
      body: JSON.stringify({ token: 'l'.repeat(43) }),
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${cookieName}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`));
    const token = /=([\w-]{43});/.exec(cookie)?.[1] ?? '';
    const call = browserOf(gateway, token);
    const { body } = await call('GET', '/session');
    const shown = { withheld: [], trace_url: traceUrl };
    expect(body.session).toMatchObject({ person: { name: 'ana.lima', roles: ['admin'] }, ...shown });
    expect(body.session.permissions).toMatchObject({ 'money:decide': 'full' });
    expect(JSON.stringify(body)).not.toContain(token);
    const ended = await call('DELETE', '/session');
    expect([ended.status, ended.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  });

  test('puts a new token into the cookie when identity has replaced it', async () => {
    const { call } = signedIn('rotated', 'support');
    identity.rotateTo = 'n'.repeat(43);
    const answer = await call('GET', '/ops/accounts');
    expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([200, expect.stringContaining('n'.repeat(43))]);
  });

  test('is believed for a second at most, and not after a signal that it has ended', async () => {
    // The clock stands: nothing ends but by the signal, and then by the second that passes.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { call, session } = signedIn('watched', 'support');
    expect((await call('GET', '/ops/accounts')).status).toBe(200);
    const asked = identity.resolved;
    expect((await call('GET', '/ops/accounts')).status).toBe(200);
    expect(identity.resolved).toBe(asked);
    identity.sessions.clear();
    gateway.bus.connection.publish(sessionsRevokedSignal, JSON.stringify({ realm: 'operator', ids: [session.id] }));
    await eventually(async () => expect((await call('GET', '/ops/accounts')).body.error.code).toBe('SESSION_ENDED'));
    const { call: lost } = signedIn('lost-signal', 'support');
    expect((await lost('GET', '/ops/accounts')).status).toBe(200);
    identity.sessions.clear();
    expect((await lost('GET', '/ops/accounts')).status).toBe(200);
    clock.mockReturnValue(performance.now() + 1_001);
    expect((await lost('GET', '/ops/accounts')).status).toBe(401);
    clock.mockRestore();
  });

  test.each([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of the same machine', { 'sec-fetch-site': 'same-site' }],
    ['without the header of the console', { 'x-console': '' }],
    ['as a form', { 'content-type': 'text/plain' }],
  ])('changes nothing %s', async (_name, headers) => {
    const { call } = signedIn('forged', 'admin');
    const answer = await call('POST', '/ops/accounts', { headers, body: { name: 'Loja' } });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    const session = await call('DELETE', '/session', { headers });
    expect(session.status).toBe(403);
  });

  test('is refused without a cookie that is one, and never by CORS', async () => {
    const answer = await browserOf(gateway, 'nonsense')('GET', '/ops/accounts', { headers: { origin } });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'SESSION_ENDED']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe.each(operatorRoleSchema.options)('a person with the role %s', (role) => {
  test('is refused the operations that the table of permissions does not give, and no other', async () => {
    const { call } = signedIn(`every-${role}`, role);
    const { permissions } = (await call('GET', '/session')).body.session;
    for (const { method, path, permission, upload } of [...operatorRoutes, ...operatorPageRoutes]) {
      const headers: Record<string, string> = upload?.form ? { 'content-type': 'multipart/form-data; boundary=x' } : {};
      const answer = await call(method, `${path.replaceAll(/:\w+/g, 'x')}?surprise=1`, { headers });
      const may = [permission].flat().some((each) => each in permissions);
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} ${may ? 400 : 403}`);
    }
  });
});

describe('personal data', () => {
  test('is masked for people, and shown of one record with a reason that is in the audit trail first', async () => {
    const { call } = signedIn('curious', 'support');
    const read = await call('GET', `/ops/deposits/${deposit.id}`);
    expect([read.status, read.text.includes(document)]).toEqual([200, false]);
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId, 'x-reveal': 'the payer calls' };
    expect((await call('GET', `/ops/deposits/${deposit.id}`, { headers })).text).toContain(document);
    expect(await auditOf(requestId)).toMatchObject([
      { operator: 'curious', action: 'deposit.read', filter: { reveal: 'the payer calls' } },
    ]);
    expect((await call('GET', '/ops/deposits', { headers })).text).not.toContain(document);
    const admin = signedIn('admin-only', 'admin');
    expect((await admin.call('GET', `/ops/deposits/${deposit.id}`, { headers })).status).toBe(403);
  });

  test('stays masked in the answer of an operation that leaves no trace of a read, whatever reason is given', async () => {
    const { call } = signedIn('asking', 'duty');
    const path = `/ops/deposits/${deposit.id}`;
    const headers = { 'x-reveal': 'the payer calls' };
    expect((await call('GET', path, { headers })).text).toContain(document);
    const asked = await call('POST', `${path}/look-up`, { headers: { ...ownPage, ...headers }, body: {} });
    expect([asked.status, asked.text.includes(document)]).toEqual([200, false]);
  });

  test('is in a file only for those who may make exports, and who confirm that one file', async () => {
    const file = '/ops/deposits?format=csv';
    const refused = await signedIn('support', 'support').call('GET', file);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    const { call, confirmed } = personAt(gateway, identity, 'auditor', 'auditor');
    expect((await call('GET', '/ops/deposits')).status).toBe(200);
    const asked = await call('GET', file);
    expect([asked.body.error.code, asked.text.includes(deposit.id)]).toEqual(['STEP_UP_REQUIRED', false]);
    const other = await confirmed('GET', file, undefined, { path: `${file}&status=PAID` });
    expect([other.body.error.code, other.text.includes(deposit.id)]).toEqual(['STEP_UP_REQUIRED', false]);
    expect((await confirmed('GET', file)).text).toContain(deposit.id);
  });

  test('is not revealed when the row cannot be written', async () => {
    const { call } = signedIn('unwritten', 'support');
    await call('GET', '/session');
    await gateway.database.query('alter table audit rename to audit_away');
    const answer = await call('GET', `/ops/deposits/${deposit.id}`, { headers: { 'x-reveal': 'why' } });
    await gateway.database.query('alter table audit_away rename to audit');
    expect([answer.status, answer.text.includes(deposit.id)]).toEqual([503, false]);
  });
});

describe('automation', () => {
  test('has the scopes of its token, is named by its id, and never decides', async () => {
    identity.serviceToken = { token: 'opst_nightly', scopes: ['records:read'] };
    const as = (method: string, path: string, token: string) =>
      gateway.asOperator(method, path, { headers: { authorization: `Bearer ${token}` } });
    expect((await as('GET', '/ops/accounts', 'opst_nightly')).status).toBe(200);
    expect((await as('POST', '/ops/reconciliations', 'opst_nightly')).body.error.code).toBe('PERMISSION_DENIED');
    expect((await as('GET', '/ops/accounts', 'opst_other')).body.error.code).toBe('AUTH_INVALID');
  });
});
