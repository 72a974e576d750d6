import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorGrant, operatorPermissions, operatorRoleSchema, type OperatorRole } from '@gateway/contracts/identity';
import { approvePayout, getOperatorPayout, type OperatorPayout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { operatorPayoutOf } from '../harness/records.ts';
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

const waiting = new Map<string, OperatorPayout>();
const approvedBy: string[] = [];
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const answers = [
    answering(getOperatorPayout, async ({ id }) => ({ payout: waiting.get(id)! })),
    answering(approvePayout, async ({ id, operator }) => {
      approvedBy.push(operator);
      return { before: waiting.get(id)!, payout: { ...waiting.get(id)!, status: 'PROCESSING' as const } };
    }),
  ];
  gateway = await startGateway(answers, { OPS_OPERATORS: JSON.stringify(operators) });
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

/** Of people who have signed in: what they see of others, and of the data of payers. */
const ofPeople = ['pii:reveal', 'exports:create', 'people:read', 'people:write'];

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

describe('an operator on duty approves payouts', () => {
  const payoutOf = (amount: number, members: Partial<OperatorPayout> = {}) => {
    const payout = operatorPayoutOf({ id: newId('payout'), status: 'PENDING', amount, ...members });
    waiting.set(payout.id, payout);
    return payout.id;
  };
  const approve = async (role: string, id: string) => {
    const { status, body } = await as(role, 'POST', `/ops/payouts/${id}/approve`);
    return status === 200 ? 200 : body.error.code;
  };
  beforeEach(() => gateway.database.query('delete from payout_within_limit'));

  test('up to R$ 5,000 each, in BRL alone; a treasurer without a limit', async () => {
    const [within, beyond, pesos] = [payoutOf(500_000), payoutOf(500_001), payoutOf(100, { currency: 'MXN' })];
    expect(await approve('duty', within)).toBe(200);
    expect([await approve('duty', beyond), await approve('duty', pesos)]).toEqual(Array(2).fill('PERMISSION_DENIED'));
    expect(await approve('treasurer', beyond)).toBe(200);
    expect(approvedBy).toEqual(['duty', 'treasurer']);
  });

  test('up to R$ 50,000 a day and operator, also when they are approved at the same time', async () => {
    const ids = Array.from({ length: 12 }, () => payoutOf(500_000));
    const outcomes = await Promise.all(ids.map((id) => approve('duty', id)));
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(10);
    expect(await approve('second-duty', ids[outcomes.indexOf('PERMISSION_DENIED')]!)).toBe(200);
    // The same payout again counts once.
    expect(await approve('duty', ids[outcomes.indexOf(200)]!)).toBe(200);
    await gateway.database.query(`update payout_within_limit set approved_at = approved_at - interval '1 day'`);
    expect(await approve('duty', payoutOf(1))).toBe(200);
  });
});
