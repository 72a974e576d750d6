import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorGrant, operatorPermissions, operatorRoleSchema, type OperatorRole } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import type { OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const roles = operatorRoleSchema.options;
const tokenOf = (role: string) => `token-of-${role}-0123456789`;
const operators = [
  ...Object.entries(operatorTokens).map(([name, token]) => ({ name, token })),
  ...[...roles, 'second-duty'].map((name) => ({
    ...{ name, token: tokenOf(name) },
    roles: [name === 'second-duty' ? 'duty' : name],
  })),
];

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway([], { OPS_OPERATORS: JSON.stringify(operators) });
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const as = (role: string, method: string, path: string, body?: unknown) =>
  gateway.asOperator(method, path, {
    headers: { authorization: `Bearer ${tokenOf(role)}` },
    ...(body === undefined ? {} : { body }),
  });

const neededBy = ({ permission }: OperatorEndpointRow) => [permission].flat();
const mayCall = (role: OperatorRole, row: OperatorEndpointRow) =>
  neededBy(row).some((permission) => operatorGrant([role], permission) !== null);

describe.each(roles)('an operator with the role %s', (role) => {
  test.each(operatorRoutes.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'is refused %s, or is not, as the table of permissions says',
    async (_title, row) => {
      // An unknown parameter is refused after the permission and before anything is done.
      const { status, body } = await as(role, row.method, `${row.path.replaceAll(/:\w+/g, 'x')}?surprise=1`);
      expect([status, body.error.code]).toEqual(
        mayCall(role, row) ? [400, 'VALIDATION_ERROR'] : [403, 'PERMISSION_DENIED'],
      );
    },
  );
});

test('support and auditors change nothing', () => {
  const changing = operatorRoutes.filter(({ method }) => method !== 'GET');
  expect(changing.length).toBeGreaterThan(40);
  for (const role of ['support', 'auditor'] as const) {
    expect(changing.filter((row) => mayCall(role, row)).map(({ path }) => path)).toEqual([]);
  }
});

/** Of people who have signed in: lists as files. */
const ofPeople = ['exports:create'];

test('every other permission of operators is used by a route or by a kind of proposal', () => {
  const used = new Set(operatorRoutes.flatMap(neededBy));
  expect(Object.keys(operatorPermissions).filter((name) => !used.has(name as never))).toEqual(ofPeople);
});

describe('a proposal takes the permission of its kind,', () => {
  const adjustment = async () => {
    const { id } = (await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja' } })).body;
    const body = {
      account_id: id,
      environment: 'test',
      currency: 'BRL',
      amount_cents: -100,
      reason: 'twice',
      external_id: newId('account'),
    };
    return (await as('duty', 'POST', '/ops/adjustments', body)).body.approval;
  };
  const account = async (settings: object) =>
    (await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja', ...settings } })).body.id;

  test('and so does its decision, by whichever route', async () => {
    const { id, target } = await adjustment();
    for (const role of ['support', 'duty', 'auditor']) {
      for (const path of [
        `/ops/approvals/${id}/approve`,
        `/ops/adjustments/${target}/approve`,
        `/ops/approvals/${id}/refuse`,
      ]) {
        expect((await as(role, 'POST', path)).body.error.code, `${role} ${path}`).toBe('PERMISSION_DENIED');
      }
    }
    expect((await as('second-duty', 'POST', `/ops/approvals/${id}/reject`)).body.error.code).toBe('PERMISSION_DENIED');
    expect((await as('treasurer', 'POST', `/ops/approvals/${id}/refuse`)).status).toBe(200);
  });

  test('and its proposer may withdraw it, without the right to decide', async () => {
    const { id } = await adjustment();
    expect((await as('duty', 'POST', `/ops/approvals/${id}/withdraw`)).body.approval.state).toBe('WITHDRAWN');
  });

  test('which lowering a limit, in force at once, does not take, and raising it does', async () => {
    const id = await account({ payout_limits: { per_payout_cents: 1_000 } });
    const limit = (role: string, cents: number) =>
      as(role, 'PATCH', `/ops/accounts/${id}`, { payout_limits: { per_payout_cents: cents } });
    expect((await limit('duty', 500)).status).toBe(200);
    expect((await limit('duty', 900)).body.error.code).toBe('PERMISSION_DENIED');
    expect((await limit('treasurer', 900)).status).toBe(202);
    const renamed = (role: string) => as(role, 'PATCH', `/ops/accounts/${id}`, { name: 'Outra' });
    expect([(await renamed('duty')).status, (await renamed('treasurer')).status]).toEqual([403, 200]);
  });
});
