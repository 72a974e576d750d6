import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorGrant, readingPermissions } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import { operatorRoutes } from '#src/operator/routes.ts';
import { personAt, ScriptedIdentity } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const tokenOf = (name: string) => `token-of-${name}-0123456789`;
const configured = [
  { name: 'ana', token: tokenOf('ana') },
  { name: 'carla', token: tokenOf('carla'), roles: ['support'] },
  { name: 'davi', token: tokenOf('davi'), roles: ['admin', 'treasurer', 'duty'] },
] as const;
const serviceToken = `opst_${'s'.repeat(43)}`;

let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  identity = new ScriptedIdentity();
  // As in a deployment.
  gateway = await startGateway(identity.routes(), {
    ...{ DEV_LOGIN: 'false', OPS_OPERATORS: JSON.stringify(configured), TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  identity.serviceToken = undefined;
});

const bearing = (token: string) => (method: string, path: string, body?: object) =>
  gateway.asOperator(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body ? { body } : {}) });
const raised = { payout_limits: { per_payout_cents: 2_000 } };

/** An account with a limit, whose raising takes two people. */
const newAccount = async () => {
  const body = { name: 'Loja', payout_limits: { per_payout_cents: 1_000 } };
  return `/ops/accounts/${(await personAt(gateway, identity, 'founder').call('POST', '/ops/accounts', { body })).body.id}`;
};

describe.each(configured)('a configured token of a deployment, that of $name,', ({ token, ...rest }) => {
  const roles = 'roles' in rest ? rest.roles : undefined;

  test('reads what its roles read, and is refused every operation that changes anything', async () => {
    for (const { method, path, permission } of operatorRoutes) {
      const needed = [permission].flat();
      const reads = needed.some((each) => readingPermissions.includes(each) && (!roles || operatorGrant(roles, each)));
      // An unknown parameter is refused after the permission and before anything is done.
      const { status } = await bearing(token)(method, `${path.replaceAll(/:\w+/g, 'x')}?surprise=1`);
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} ${reads ? 400 : 403}`);
      if (reads) expect(method).toBe('GET');
    }
  });
});

test('a configured token of a deployment is shown personal data masked, and reveals none of it', async () => {
  const body = { name: 'Loja', document: '52998224725' };
  const founder = personAt(gateway, identity, 'founder');
  const { id } = (await founder.call('POST', '/ops/accounts', { body })).body;
  const read = (headers: Record<string, string> = {}) =>
    gateway.asOperator('GET', `/ops/accounts/${id}`, {
      headers: { authorization: `Bearer ${tokenOf('davi')}`, ...headers },
    });
  expect((await read()).body).toMatchObject({ name: 'Loja', document: '***.982.247-**' });
  expect((await read({ 'x-reveal': 'a script wants it' })).body.error.code).toBe('PERMISSION_DENIED');
});

test('what a token proposed while tokens decided is approved by no person: it may be that person’s token', async () => {
  const path = await newAccount();
  const [ana, bruno] = [personAt(gateway, identity, 'ana.lima'), personAt(gateway, identity, 'bruno.reis')];
  const { id } = (await ana.confirmed('PATCH', path, raised)).body.approval;
  await gateway.database.query(`update approval set proposed_by = 'ana', proposed_by_person = null where id = $1`, [
    id,
  ]);
  const approved = await bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
  expect([approved.status, approved.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
  const refused = await bruno.confirmed('POST', `/ops/approvals/${id}/refuse`, { reason: 'proposed by a token' });
  expect(refused.body.approval.state).toBe('REFUSED');
});

describe('a service token', () => {
  const proposing = (people: { createdBy: string; approvedBy: string | null }) => {
    identity.serviceToken = { token: serviceToken, scopes: ['accounts:propose', 'money:propose'], ...people };
    return bearing(serviceToken);
  };

  test('is both people who made it: neither who proposed nor who was shown it approves its proposal, a third does', async () => {
    const path = await newAccount();
    const [ana, bruno, clara] = ['ana', 'bruno', 'clara'].map((name) => personAt(gateway, identity, `${name}.two`));
    if (!ana || !bruno || !clara) throw new Error('three people are needed');
    const proposed = await proposing({ createdBy: ana.id, approvedBy: bruno.id })('PATCH', path, raised);
    expect([proposed.status, proposed.body.approval.responsible]).toEqual([202, [ana.id, bruno.id]]);
    const approve = `/ops/approvals/${proposed.body.approval.id}/approve`;
    for (const one of [ana, bruno]) {
      expect((await one.confirmed('POST', approve, {})).body.error.code).toBe('SECOND_PERSON_REQUIRED');
    }
    expect((await clara.confirmed('POST', approve, {})).body.approval.state).toBe('APPLIED');
    const trail = (await clara.call('GET', `/ops/audit?target=${proposed.body.approval.id}`)).text;
    expect(trail).toContain(`"responsible":["${ana.id}","${bruno.id}"]`);
  });

  test('whose approver is not known answers for nothing: no person approves what it proposed', async () => {
    const path = await newAccount();
    const [ana, bruno] = [personAt(gateway, identity, 'ana.four'), personAt(gateway, identity, 'bruno.four')];
    const { id } = (await proposing({ createdBy: ana.id, approvedBy: null })('PATCH', path, raised)).body.approval;
    const approved = await bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
    expect(approved.body.error.code).toBe('SECOND_PERSON_REQUIRED');
  });

  test('is used from the address that a proxy of TRUSTED_PROXIES names, which its allowlist is compared with', async () => {
    identity.serviceToken = { token: serviceToken, scopes: ['records:read'] };
    const headers = { authorization: `Bearer ${serviceToken}`, 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
    expect((await gateway.asOperator('GET', '/ops/deposits?surprise=1', { headers })).status).toBe(400);
    expect(identity.addresses.at(-1)).toBe('203.0.113.7');
  });

  test('is the second person of nothing, also where it may propose the same', async () => {
    const path = await newAccount();
    const ana = personAt(gateway, identity, 'ana.three');
    const { id } = (await ana.confirmed('PATCH', path, raised)).body.approval;
    const token = proposing({ createdBy: newId('person'), approvedBy: newId('person') });
    for (const what of ['approve', 'refuse', 'reject']) {
      expect((await token('POST', `/ops/approvals/${id}/${what}`)).body.error.code, what).toBe('PERMISSION_DENIED');
    }
    const { approval } = (await ana.call('GET', `/ops/approvals/${id}`)).body;
    expect(approval.state).toBe('PROPOSED');
  });
});
