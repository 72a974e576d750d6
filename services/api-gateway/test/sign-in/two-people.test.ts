import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperatorRole } from '@gateway/contracts/identity';
import { approvePayout, getOperatorPayout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { operatorPayoutOf } from '../harness/records.ts';
import { personAt, ScriptedIdentity, stepUpOf } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const waiting = operatorPayoutOf({ status: 'PENDING' });
let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway([
    ...identity.routes(),
    answering(getOperatorPayout, async () => ({ payout: waiting })),
    answering(approvePayout, async () => ({ before: waiting, payout: { ...waiting, status: 'PROCESSING' as const } })),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => identity.dependents.clear());

const person = (name: string, role?: OperatorRole) => personAt(gateway, identity, name, role);

const newAccount = async (): Promise<string> => {
  const body = { name: 'Loja', payout_limits: { per_payout_cents: 1_000 } };
  return (await gateway.asOperator('POST', '/ops/accounts', { body })).body.id;
};
const raised = { payout_limits: { per_payout_cents: 2_000 } };

test('a proposal and its decision are confirmed by their person first, and the approval applies once', async () => {
  const account = await newAccount();
  const [ana, bruno] = [person('ana.one'), person('bruno.one')];
  const asked = await ana.call('PATCH', `/ops/accounts/${account}`, { body: raised });
  expect([asked.status, asked.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  expect(JSON.parse(asked.body.error.step_up_passkey)).toEqual({ challenge: 'c' });
  const proposed = await ana.confirmed('PATCH', `/ops/accounts/${account}`, raised);
  expect([proposed.status, proposed.body.approval.proposed_by]).toEqual([202, 'ana.one']);
  expect(proposed.headers.getSetCookie()[0]).toContain('r'.repeat(43));
  const path = `/ops/approvals/${proposed.body.approval.id}/approve`;
  expect((await bruno.call('POST', path, { body: {} })).body.error.code).toBe('STEP_UP_REQUIRED');
  expect((await bruno.confirmed('POST', path, {})).body.approval).toMatchObject({
    state: 'APPLIED',
    approved_by: 'bruno.one',
  });
});

test('a confirmation is of no use for another target, another body, or a second time', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const ana = person('ana.two');
  const path = `/ops/accounts/${one}`;
  const refused = [
    await ana.confirmed('PATCH', path, raised, { path: `/ops/accounts/${other}` }),
    await ana.confirmed('PATCH', path, raised, { body: { payout_limits: { per_payout_cents: 9_000 } } }),
  ];
  const { step_up_id: id } = (await ana.call('PATCH', path, { body: raised })).body.error;
  const twice = async () => await ana.call('PATCH', path, { body: raised, headers: { 'x-step-up': stepUpOf(id) } });
  expect((await twice()).status).toBe(202);
  refused.push(await twice());
  expect(refused.map(({ body }) => body.error.code)).toEqual(Array(3).fill('STEP_UP_REQUIRED'));
});

test('neither the proposer decides, nor a person whom the proposer has invited, nor by another session', async () => {
  const account = await newAccount();
  const [ana, invited, carla] = [person('ana.three'), person('invited'), person('carla')];
  const { id } = (await ana.confirmed('PATCH', `/ops/accounts/${account}`, raised)).body.approval;
  const path = `/ops/approvals/${id}/approve`;
  identity.dependents.add(invited.id);
  for (const decider of [ana, invited]) {
    expect((await decider.confirmed('POST', path, {})).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  }
  expect((await carla.confirmed('POST', path, {})).body.approval.state).toBe('APPLIED');
});

test('a proposal is refused with a confirmation, and withdrawn by its proposer without one', async () => {
  const path = `/ops/accounts/${await newAccount()}`;
  const [ana, bruno] = [person('ana.four'), person('bruno.four')];
  const propose = async () => (await ana.confirmed('PATCH', path, raised)).body.approval.id;
  const first = await propose();
  const body = { reason: 'not agreed' };
  expect((await bruno.call('POST', `/ops/approvals/${first}/refuse`, { body })).body.error.code).toBe(
    'STEP_UP_REQUIRED',
  );
  expect((await bruno.confirmed('POST', `/ops/approvals/${first}/refuse`, body)).body.approval.state).toBe('REFUSED');
  const withdrawn = await ana.call('POST', `/ops/approvals/${await propose()}/withdraw`, { body: {} });
  expect(withdrawn.body.approval.state).toBe('WITHDRAWN');
});

test('freezing takes no confirmation: money is stopped at once', async () => {
  const account = await newAccount();
  const body = { level: 'payouts', reason: 'the key was stolen' };
  const frozen = await person('on-duty', 'duty').call('POST', `/ops/accounts/${account}/freeze`, { body });
  expect(frozen.status).toBe(200);
});

test('a payout is approved and refused with a confirmation alone', async () => {
  const carla = person('carla.two');
  const path = `/ops/payouts/${waiting.id}`;
  for (const what of ['approve', 'refuse']) {
    expect((await carla.call('POST', `${path}/${what}`, { body: {} })).body.error.code).toBe('STEP_UP_REQUIRED');
  }
  expect((await carla.confirmed('POST', `${path}/approve`, {})).body.payout.status).toBe('PROCESSING');
});

test('what a person proposed who may propose it no longer is not approved, and waits for another decision', async () => {
  const [ana, bruno] = [person('ana.moved'), person('bruno.moved')];
  const { id } = (await ana.confirmed('PATCH', `/ops/accounts/${await newAccount()}`, raised)).body.approval;
  const [session] = [...identity.sessions.values()].filter(({ personId }) => personId === ana.id);
  session?.roles.splice(0, 1, 'support');
  const approved = await bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
  expect([approved.status, approved.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
  expect((await bruno.call('GET', `/ops/approvals/${id}`)).body.approval.state).toBe('PROPOSED');
});

test('what is not what was proposed any more is not carried out: the proposal has failed', async () => {
  const account = await newAccount();
  const [ana, bruno] = [person('ana.changed'), person('bruno.changed')];
  const { id } = (await ana.confirmed('PATCH', `/ops/accounts/${account}`, raised)).body.approval;
  await gateway.database.query(
    `update approval set request = jsonb_set(request::jsonb, '{payout_limits,per_payout_cents}', '900000') where id = $1`,
    [id],
  );
  const refused = await bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await ana.call('GET', `/ops/approvals/${id}`)).body.approval.state).toBe('FAILED');
  const { body } = await ana.call('GET', `/ops/accounts/${account}`);
  expect(body).toMatchObject({ payout_limits: { per_payout_cents: 1_000 } });
});
