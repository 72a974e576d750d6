import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { approvePayout, getOperatorPayout, type OperatorPayout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorPayoutOf } from '../harness/records.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const roleOf = { duty: 'duty', 'second-duty': 'duty', treasurer: 'treasurer', 'second-treasurer': 'treasurer' };
const tokenOf = (name: string) => `token-of-${name}-0123456789`;
const operators = [
  ...Object.entries(operatorTokens).map(([name, token]) => ({ name, token })),
  ...Object.entries(roleOf).map(([name, role]) => ({ name, token: tokenOf(name), roles: [role] })),
];

const payouts = new Map<string, OperatorPayout>();
let sent: { readonly id: string; readonly operator: string; readonly approvalId?: string | undefined }[] = [];
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const answers = [
    answering(getOperatorPayout, async ({ id }) => ({ payout: payouts.get(id)! })),
    answering(approvePayout, async (request) => {
      const before = payouts.get(request.id)!;
      if (before.status !== 'PENDING') throw new DomainError('INVALID_STATE', `the payout is ${before.status}`);
      sent.push(request);
      const payout = { ...before, status: 'PROCESSING', decidedBy: request.operator } as const;
      payouts.set(request.id, payout);
      return { before, payout };
    }),
  ];
  gateway = await startGateway(answers, { OPS_OPERATORS: JSON.stringify(operators) });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  sent = [];
  await gateway.database.query('delete from payout_within_limit');
});

const eachMax = 500_000;

function waiting(amount: number, members: Partial<OperatorPayout> = {}): string {
  const payout = operatorPayoutOf({
    ...{ id: newId('payout'), environment: 'live', status: 'PENDING', amount },
    ...members,
  });
  payouts.set(payout.id, payout);
  return payout.id;
}

const as = (name: keyof typeof roleOf, path: string) =>
  gateway.asOperator('POST', path, { headers: { authorization: `Bearer ${tokenOf(name)}` } });
const approve = (name: keyof typeof roleOf, id: string) => as(name, `/ops/payouts/${id}/approve`);
const statusOf = async (name: keyof typeof roleOf, id: string) => (await approve(name, id)).status;

test('an installation has a limit of its own, for each payout and for a day', async () => {
  const answers = [
    answering(getOperatorPayout, async ({ id }) => ({ payout: payouts.get(id)! })),
    answering(approvePayout, async ({ id }) => ({ before: payouts.get(id)!, payout: payouts.get(id)! })),
  ];
  const limits = { OPS_APPROVAL_CENTS_MAX: '1000', OPS_APPROVAL_DAY_CENTS_MAX: '1500' };
  await using other = await startGateway(answers, { OPS_OPERATORS: JSON.stringify(operators), ...limits });
  const statusHere = async (cents: number) =>
    (await other.asOperator('POST', `/ops/payouts/${waiting(cents)}/approve`)).status;
  expect(await statusHere(1_001)).toBe(202);
  expect([await statusHere(1_000), await statusHere(500), await statusHere(1)]).toEqual([200, 200, 202]);
});

test('one operator approves a payout up to R$ 5,000, whatever the role', async () => {
  for (const name of ['duty', 'treasurer'] as const) expect(await statusOf(name, waiting(eachMax))).toBe(200);
  expect(sent.map(({ operator }) => operator)).toEqual(['duty', 'treasurer']);
});

test.each<[string, () => string]>([
  ['a larger one', () => waiting(eachMax + 1)],
  ['one in another currency', () => waiting(100, { currency: 'MXN' })],
])('%s waits for a second one, who sends it by the same call', async (_what, made) => {
  const id = made();
  const proposed = await approve('treasurer', id);
  expect([proposed.status, proposed.body]).toMatchObject([
    202,
    {
      status: 'PROPOSED',
      payout: { id, status: 'PENDING' },
      approval: { kind: 'payout.approve', target: id, state: 'PROPOSED', proposed_by: 'treasurer' },
    },
  ]);
  const again = await approve('treasurer', id);
  expect([again.status, again.body.approval.id, sent]).toEqual([202, proposed.body.approval.id, []]);
  const decided = await approve('second-treasurer', id);
  expect([decided.status, decided.body]).toMatchObject([200, { payout: { status: 'PROCESSING' } }]);
  expect(sent).toEqual([{ id, operator: 'second-treasurer', approvalId: proposed.body.approval.id }]);
  expect((await approve('second-treasurer', id)).body.error.code).toBe('INVALID_STATE');
});

test('on duty one proposes, and does not decide; the proposal is decided by its id as any other', async () => {
  const id = waiting(eachMax + 1);
  const { approval } = (await approve('duty', id)).body;
  expect((await approve('second-duty', id)).body.error.code).toBe('PERMISSION_DENIED');
  const path = `/ops/approvals/${approval.id}/approve`;
  expect((await as('duty', path)).body.error.code).toBe('PERMISSION_DENIED');
  expect((await as('treasurer', path)).body.approval).toMatchObject({
    state: 'APPLIED',
    outcome: { status: 'APPLIED', payout: { status: 'PROCESSING' } },
  });
  expect(sent).toHaveLength(1);
});

test('of two who approve at the same moment one proposes, the other decides, and it is sent once', async () => {
  const id = waiting(eachMax + 1);
  const statuses = await Promise.all([statusOf('treasurer', id), statusOf('second-treasurer', id)]);
  expect(statuses.toSorted()).toEqual([200, 202]);
  expect(sent).toHaveLength(1);
});

test('in test mode, where no money moves, one operator approves any amount', async () => {
  expect(await statusOf('duty', waiting(eachMax * 100, { environment: 'test' }))).toBe(200);
});

test('one operator approves R$ 50,000 a day, also at the same time; what is beyond takes two', async () => {
  const ids = Array.from({ length: 12 }, () => waiting(eachMax));
  const statuses = await Promise.all(ids.map((id) => statusOf('duty', id)));
  expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(200), 202, 202]);
  await gateway.database.query(`update payout_within_limit set approved_at = approved_at - interval '1 day'`);
  expect(await statusOf('duty', waiting(1))).toBe(200);
});

test('what one has taken of a day stays taken when another one tries the same payouts', async () => {
  const ids = Array.from({ length: 10 }, () => waiting(eachMax));
  for (const id of ids) expect(await statusOf('duty', id)).toBe(200);
  // As if the calls of both had found it waiting.
  for (const id of ids) {
    payouts.set(id, { ...payouts.get(id)!, status: 'PENDING' });
    expect(await statusOf('treasurer', id)).toBe(200);
  }
  expect(await statusOf('duty', waiting(1))).toBe(202);
});

test('what is not waiting any more takes nothing of a day', async () => {
  const id = waiting(eachMax, { status: 'PAID' });
  expect(await statusOf('duty', id)).toBe(409);
  expect(await gateway.database.query('select from payout_within_limit')).toEqual([]);
});

test('an account that was frozen since the proposal keeps its payout', async () => {
  const { id: accountId } = (await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja' } })).body;
  const id = waiting(eachMax + 1, { accountId });
  expect(await statusOf('treasurer', id)).toBe(202);
  const { approval } = (await approve('treasurer', id)).body;
  const freeze = { level: 'payouts', environment: 'live', reason: 'the key was stolen' };
  expect((await gateway.asOperator('POST', `/ops/accounts/${accountId}/freeze`, { body: freeze })).status).toBe(200);
  const refusals = [
    await approve('second-treasurer', id),
    await as('second-treasurer', `/ops/approvals/${approval.id}/approve`),
  ];
  expect(refusals.map(({ body }) => body.error.code)).toEqual(['ACCOUNT_FROZEN', 'ACCOUNT_FROZEN']);
  expect(sent).toEqual([]);
});
