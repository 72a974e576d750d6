import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createServiceToken,
  listServiceTokens,
  resolveServiceToken,
  revokeServiceToken,
} from '@gateway/contracts/identity';
import { digestOf, Identity, type Enrolled } from './harness.ts';

let identity: Identity;
let ana: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  ana = await identity.operator('ana');
});
afterAll(async () => identity[Symbol.asyncDispose]());

const create = (allowlist: string[] = []) =>
  identity.ask(createServiceToken, { name: 'export', scopes: ['records:read'], allowlist, lifeSec: 3_600, by: ana.id });
const resolve = (token: string, address = '203.0.113.7') =>
  identity.codeOf(identity.ask(resolveServiceToken, { tokenDigest: digestOf(token), address }));

test('a service token has its scopes until its end, and its secret is stored nowhere', async () => {
  const { serviceToken, token } = await create();
  expect(token).toMatch(/^opst_[\w-]{43}$/);
  expect(serviceToken).toMatchObject({
    scopes: ['records:read'],
    createdBy: ana.id,
    approvedBy: null,
    lastUsedAt: null,
  });
  identity.pass(3_599);
  expect(await resolve(token)).toBe('answered');
  const { serviceTokens } = await identity.ask(listServiceTokens, {});
  expect(serviceTokens[0]?.lastUsedAt).toBe(Math.floor(identity.at.getTime() / 1_000));
  identity.pass(1);
  expect(await resolve(token)).toBe('AUTH_INVALID');
});

test('a service token that two made names both people wherever it is resolved', async () => {
  const bea = await identity.operator('bea');
  const both = { by: ana.id, approvedBy: bea.id };
  const asked = { name: 'limits', scopes: ['accounts:propose' as const], lifeSec: 60, ...both };
  const { token } = await identity.ask(createServiceToken, asked);
  const resolved = await identity.ask(resolveServiceToken, { tokenDigest: digestOf(token), address: '203.0.113.7' });
  expect(resolved.serviceToken).toMatchObject({ createdBy: ana.id, approvedBy: bea.id });
});

test('a service token is refused from outside its allowlist, and from everywhere once it is revoked', async () => {
  const { serviceToken, token } = await create(['203.0.113.0/24', '2001:db8::/32']);
  expect(await resolve(token, '203.0.113.200')).toBe('answered');
  expect(await resolve(token, '2001:db8::1')).toBe('answered');
  expect(await resolve(token, '198.51.100.1')).toBe('AUTH_IP_BLOCKED');
  await identity.ask(revokeServiceToken, { id: serviceToken.id, by: ana.id });
  expect(await resolve(token)).toBe('AUTH_INVALID');
  const payload = { realm: 'operator', ids: [serviceToken.id] };
  expect(identity.signals).toContainEqual({ subject: 'signal.sessions.revoked', payload });
});

test('a service token decides nothing and changes no people: such scopes are refused', async () => {
  for (const scope of ['money:decide', 'accounts:decide', 'payouts:approve', 'people:write', 'pii:reveal']) {
    const asked = { name: 'x', scopes: [scope as 'records:read'], lifeSec: 60, by: ana.id };
    await expect(identity.ask(createServiceToken, asked)).rejects.toThrow('Invalid');
  }
});
