import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';
import { createShop, ScriptedMoney, type TeamMember } from '../harness/team-money.ts';

const money = new ScriptedMoney();
let gateway: GatewayUnderTest;
let shop: string;
let finance: TeamMember;
let owner: TeamMember;
let approver: TeamMember;
beforeAll(async () => {
  gateway = await startGateway(money.routes());
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  money.reset();
  shop = await createShop(gateway);
  [finance, owner, approver] = [
    money.member(gateway, 'fabio', shop, 'finance'),
    money.member(gateway, 'olga', shop, 'owner'),
    money.member(gateway, 'paulo', shop, 'approver'),
  ];
});

const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
const payout = (externalId: string, amount = 1_200) => ({
  ...{ amount, external_id: externalId, payout_key: 'maria@example.com', payout_key_type: 'email', recipient },
});
const propose = async (by = finance, body: object = payout(newId('request'))) => {
  const { status, body: answer } = await by.confirmed('POST', '/v1/payouts', body);
  expect(status).toBe(202);
  return answer.approval;
};
const decide = async (by: TeamMember, { id, request_digest }: { id: string; request_digest: string }) =>
  await by.confirmed('POST', `/approvals/${id}/approve`, { request_digest });
const stateOf = async (id: string) => (await owner.call('GET', `/approvals/${id}`)).body.approval;

test('what a person sends is held before it is created, and made once another person of the account approves it', async () => {
  const proposed = await propose(finance, payout('held-1'));
  expect(proposed).toMatchObject({
    state: 'PROPOSED',
    proposed_by: 'fabio',
    actions: ['withdraw'],
    kind: 'team.payouts',
  });
  expect([money.payouts, money.available]).toEqual([[], 1_000_000]);
  const waiting = (await approver.call('GET', '/approvals?state=PROPOSED')).body.data;
  expect(waiting).toMatchObject([{ id: proposed.id, totals: [{ currency: 'BRL', amount: 1_200, count: 1 }] }]);
  expect(waiting[0]?.actions).toEqual(['approve', 'refuse']);
  const { status, body } = await decide(approver, proposed);
  expect([status, body.approval.state, body.approval['approved_by']]).toEqual([200, 'APPLIED', 'paulo']);
  expect(money.payouts).toMatchObject([{ externalId: 'held-1', amount: 1_200, accountId: shop, environment: 'live' }]);
  const [made] = money.payouts;
  expect(body.approval['outcome']).toEqual({
    payouts: [{ external_id: 'held-1', id: made?.id, status: 'PROCESSING', failure: null }],
  });
});

test('proposals and decisions are confirmed, for exactly that request', async () => {
  const asked = await finance.call('POST', '/v1/payouts', payout('confirmed-1'));
  expect([asked.status, asked.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const proposed = await propose();
  const approving = await approver.call('POST', `/approvals/${proposed.id}/approve`, {
    request_digest: proposed.request_digest,
  });
  expect([approving.status, approving.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  expect((await stateOf(proposed.id)).state).toBe('PROPOSED');
});

test('the proposer approves nothing, by whatever role and session, and neither does who may not decide', async () => {
  const proposed = await propose(owner);
  const again = money.member(gateway, 'olga', shop, 'approver');
  for (const who of [owner, again]) {
    expect((await decide(who, proposed)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  }
  expect((await decide(finance, proposed)).body.error.code).toBe('PERMISSION_DENIED');
  await gateway.database.query('update approval set proposed_by_person = $2 where id = $1', [proposed.id, approver.id]);
  expect((await decide(approver, proposed)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  expect([money.payouts, (await stateOf(proposed.id)).state]).toEqual([[], 'PROPOSED']);
});

test('nobody but the people of that account, in that environment, reaches a proposal', async () => {
  const proposed = await propose();
  const stranger = money.member(gateway, 'vera', await createShop(gateway), 'owner');
  const path = `/approvals/${proposed.id}`;
  const { request_digest } = proposed;
  expect((await stranger.call('GET', path)).status).toBe(404);
  expect((await decide(stranger, proposed)).status).toBe(404);
  expect((await stranger.confirmed('POST', `${path}/refuse`, { reason: 'no' })).status).toBe(404);
  const inTest = { 'x-environment': 'test' };
  expect((await approver.confirmed('POST', `${path}/approve`, { request_digest }, inTest)).status).toBe(404);
  expect((await approver.call('GET', '/approvals', undefined, inTest)).body.data).toEqual([]);
  // Operators have their own: none of theirs is a team's, and none of a team's is theirs.
  for (const [method, at] of [
    ['GET', ''],
    ['POST', '/approve'],
    ['POST', '/refuse'],
  ] as const) {
    expect((await gateway.asSecond(method, `/ops/approvals/${proposed.id}${at}`)).status).toBe(404);
  }
  expect((await gateway.asOperator('GET', `/ops/approvals?account_id=${shop}`)).body.data).toEqual([]);
  const body = { auto_approve_payouts: true, payout_limits: { per_day_cents: null }, fees: {} };
  await gateway.asOperator('PATCH', `/ops/accounts/${shop}`, { body: { auto_approve_payouts: false } });
  const { approval } = (await gateway.asOperator('PATCH', `/ops/accounts/${shop}`, { body })).body;
  expect((await approver.call('GET', `/approvals/${approval.id}`)).status).toBe(404);
  const given = { id: approval.id, request_digest: '0'.repeat(64) };
  expect((await decide(approver, given)).status).toBe(404);
  expect((await stateOf(proposed.id)).state).toBe('PROPOSED');
});

test('another request than the one that was shown is not approved, and one that was changed behind is not carried out', async () => {
  const [shown, changed] = [await propose(), await propose()];
  const other = await decide(approver, { id: shown.id, request_digest: changed.request_digest });
  expect([other.status, (await stateOf(shown.id)).state]).toEqual([409, 'PROPOSED']);
  await gateway.database.query(
    `update approval set request = jsonb_set(request, '{payouts,0,amount}', '999') where id = $1`,
    [changed.id],
  );
  expect((await decide(approver, changed)).status).toBe(409);
  await gateway.database.query(`update approval set request_digest = 'x' where id = $1`, [shown.id]);
  expect((await decide(approver, { ...shown })).status).toBe(409);
  expect(money.payouts).toEqual([]);
});

test('two who approve at the same moment apply it once', async () => {
  const proposed = await propose();
  const answers = await Promise.all([decide(approver, proposed), decide(owner, proposed)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(money.payouts).toHaveLength(1);
});

test('one approver who presses twice applies it once', async () => {
  const proposed = await propose();
  const answers = await Promise.all([decide(approver, proposed), decide(approver, proposed)]);
  expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
  await eventually(async () => expect((await stateOf(proposed.id)).state).toBe('APPLIED'));
  expect(money.payouts).toHaveLength(1);
});

describe('at the time of approval', () => {
  test('money that has gone is 422, and nothing was made', async () => {
    const proposed = await propose();
    money.available = 10;
    const { status, body } = await decide(approver, proposed);
    expect([status, body.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await stateOf(proposed.id)).toMatchObject({ state: 'FAILED', outcome: null });
    expect(money.payouts).toEqual([]);
  });

  test.each([
    ['is suspended', { state: 'SUSPENDED' as const }],
    ['has left the account', { memberships: [] }],
  ])('a proposer who %s sends nothing', async (_name, change) => {
    const proposed = await propose();
    Object.assign(finance.person, change);
    const { status, body } = await decide(approver, proposed);
    expect([status, body.error.code, money.payouts]).toEqual([403, 'PERMISSION_DENIED', []]);
    expect((await stateOf(proposed.id)).state).toBe('FAILED');
  });

  test('a proposer with another role, or in another environment alone, sends nothing', async () => {
    for (const change of [{ roles: ['viewer' as const] }, { environments: ['test' as const] }]) {
      const proposed = await propose();
      const [before] = finance.person.memberships;
      if (before) finance.person.memberships.splice(0, 1, { ...before, ...change });
      expect((await decide(approver, proposed)).body.error.code).toBe('PERMISSION_DENIED');
      if (before) finance.person.memberships.splice(0, 1, before);
    }
    expect(money.payouts).toEqual([]);
  });

  test('an account that was frozen between sends nothing, also when it is frozen after the approval was let in', async () => {
    const [first, second] = [await propose(), await propose()];
    const freeze = async () => {
      const body = { level: 'payouts', reason: 'reported' };
      expect((await gateway.asOperator('POST', `/ops/accounts/${shop}/freeze`, { body })).status).toBe(200);
    };
    const batch = await owner.confirmed('POST', '/payout-batches', { payouts: [payout('b-1'), payout('b-2')] });
    money.made = async (externalId) => (externalId === 'b-1' ? freeze() : undefined);
    const { body } = await decide(approver, batch.body.approval);
    expect(body.approval['outcome']).toMatchObject({
      payouts: [
        { external_id: 'b-1', failure: null },
        { external_id: 'b-2', id: null, failure: { code: 'ACCOUNT_FROZEN' } },
      ],
    });
    expect((await decide(approver, first)).body.error.code).toBe('ACCOUNT_FROZEN');
    const refused = await approver.confirmed('POST', `/approvals/${second.id}/refuse`, { reason: 'frozen' });
    expect([refused.status, refused.body.approval.state]).toEqual([200, 'REFUSED']);
    expect(money.payouts).toHaveLength(1);
  });

  test('a reference that a key has used for another payout in between makes nothing', async () => {
    const other = await propose(owner, { ...payout('by-key', 7), payout_key: 'other@example.com' });
    await decide(approver, other);
    const proposed = await propose(finance, payout('taken'));
    const [made] = money.payouts;
    if (made) money.payouts.splice(0, 1, { ...made, externalId: 'taken' });
    expect((await decide(approver, proposed)).body.error.code).toBe('INVALID_STATE');
    expect(money.payouts).toHaveLength(1);
  });

  test('what was not decided within 72 hours has expired', async () => {
    const proposed = await propose();
    await gateway.database.query(`update approval set expires_at = now() - interval '1 s' where id = $1`, [
      proposed.id,
    ]);
    expect((await decide(approver, proposed)).status).toBe(409);
    expect([(await stateOf(proposed.id)).state, money.payouts]).toEqual(['EXPIRED', []]);
  });
});

test('a proposal is refused with a reason by another, and withdrawn by its proposer alone', async () => {
  const [refused, withdrawn] = [await propose(), await propose()];
  const path = `/approvals/${refused.id}/refuse`;
  expect((await approver.confirmed('POST', path, {})).body.error.details).toMatchObject([{ path: 'reason' }]);
  const ended = await approver.confirmed('POST', path, { reason: 'not ours' });
  expect(ended.body.approval).toMatchObject({ state: 'REFUSED', decision_reason: 'not ours', decided_by: 'paulo' });
  expect((await owner.call('POST', `/approvals/${withdrawn.id}/withdraw`, {})).status).toBe(409);
  const own = await finance.call('POST', `/approvals/${withdrawn.id}/withdraw`, {});
  expect(own.body.approval.state).toBe('WITHDRAWN');
  for (const proposal of [refused, withdrawn]) expect((await decide(approver, proposal)).status).toBe(409);
  expect(money.payouts).toEqual([]);
});
