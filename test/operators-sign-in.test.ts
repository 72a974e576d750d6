import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspendPerson } from '@gateway/contracts/identity';
import { callRpc, connectBus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import { recipient, startEdge, type Edge } from './support/edge.ts';
import { OperatorBrowser, signedInOperator, timedCode } from './support/operator-browser.ts';

const password = 'correct horse battery staple';
let edge: Edge;
let ana: OperatorBrowser;
let bruno: OperatorBrowser;
beforeAll(async () => {
  edge = await startEdge();
  ana = await signedInOperator(edge, 'ana.lima', ['admin', 'duty']);
  bruno = await signedInOperator(edge, 'bruno.reis', ['treasurer']);
});
afterAll(async () => edge[Symbol.asyncDispose]());

const raised = { payout_limits: { per_payout_cents: 2_000 } };
const newAccount = async (): Promise<string> => {
  const body = { name: 'Loja', payout_limits: { per_payout_cents: 1_000 } };
  return (await edge.operate('POST', '/ops/accounts', body)).body.id;
};

test('one person proposes by a passkey and another approves by theirs; the proposer’s call answers 409, and a confirmation is of no use for another body', async () => {
  const path = `/ops/accounts/${await newAccount()}`;
  const asked = await ana.call('PATCH', path, raised);
  const more = { payout_limits: { per_payout_cents: 9_000 } };
  const replayed = await ana.call('PATCH', path, more, ana.confirmationOf(asked));
  expect([replayed.status, replayed.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const proposed = await ana.confirmed('PATCH', path, raised);
  expect([proposed.status, proposed.body.approval.proposed_by]).toEqual([202, 'ana.lima']);
  const approve = `/ops/approvals/${proposed.body.approval.id}/approve`;
  const own = await ana.confirmed('POST', approve);
  expect([own.status, own.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
  expect((await bruno.confirmed('POST', approve)).body.approval).toMatchObject({
    ...{ state: 'APPLIED', approved_by: 'bruno.reis' },
  });
});

test('step-up for one payout cannot be used for another', async () => {
  const shop = await edge.newMerchant({ payout_limits: { per_payout_cents: 100_000 } });
  const { id: funds } = (await shop.test.post('/v1/deposits', { amount_cents: 50_000, external_id: 'funds' })).body;
  await shop.test.post(`/v1/test/deposits/${funds}/pay`);
  const waiting = async (external_id: string) => {
    const to = { pix_key: 'approve@sandbox.test', pix_key_type: 'email', recipient };
    const { payout } = (await shop.test.post('/v1/payouts', { amount_cents: 1_000, external_id, ...to })).body;
    expect(payout.status).toBe('PENDING');
    return payout.id as string;
  };
  const [one, other] = [await waiting('first'), await waiting('second')];
  const statusOf = async (id: string) => (await shop.test.get(`/v1/payouts/${id}`)).body.payout.status;
  const approve = (id: string, headers = {}) => bruno.call('POST', `/ops/payouts/${id}/approve`, {}, headers);
  const confirmation = bruno.confirmationOf(await approve(one));
  const replayed = await approve(other, confirmation);
  expect([replayed.status, replayed.body.error.code, await statusOf(other)]).toEqual([
    403,
    'STEP_UP_REQUIRED',
    'PENDING',
  ]);
  expect((await approve(one, bruno.confirmationOf(await approve(one)))).status).toBe(200);
});

/** A proposal of the first person's that takes a second one, and how the second approves it. */
const proposed = async () => {
  const { body } = await ana.confirmed('PATCH', `/ops/accounts/${await newAccount()}`, raised);
  return { path: `/ops/approvals/${body.approval.id}`, approve: `/ops/approvals/${body.approval.id}/approve` };
};
const personOf = async (browser: OperatorBrowser) => (await browser.call('GET', '/session')).body.session.person.id;

test('a person who is suspended decides nothing from then on, also what they have confirmed already, and is out within a second', async () => {
  // As the gateway: the broker lets no other service ask for it.
  const { NATS_URL: url = '' } = edge.stack.process('api-gateway').definition.env;
  await using bus = await connectBus({ url, name: 'api-gateway', logger: silentLogger });
  const carla = await signedInOperator(edge, 'carla.dias', ['treasurer']);
  const who = { realm: 'operator', personId: await personOf(carla), by: await personOf(ana) } as const;
  const { path, approve } = await proposed();
  const confirmation = carla.confirmationOf(await carla.call('POST', approve));
  await callRpc(bus, suspendPerson, { ...who, reason: 'has left' });
  const suspended = performance.now();
  expect((await carla.call('POST', approve, {}, confirmation)).status).not.toBe(200);
  await eventually(
    async () => expect((await carla.call('GET', '/ops/accounts')).body.error?.code).toBe('SESSION_ENDED'),
    { timeoutMs: 1_000 - (performance.now() - suspended) },
  );
  expect((await carla.call('POST', approve, {}, confirmation)).body.error.code).toBe('SESSION_ENDED');
  expect((await bruno.call('GET', path)).body.approval.state).toBe('PROPOSED');
  expect((await bruno.confirmed('POST', approve)).body.approval.state).toBe('APPLIED');
});

test('people by passkey and by the token that they made are one person, and the token is the second of no other', async () => {
  const dora = await signedInOperator(edge, 'dora.luz', ['treasurer']);
  const call = await automationOf(await personOf(ana), await personOf(bruno));
  const { approve } = await proposed();
  expect((await call('POST', approve, {})).body.error.code).toBe('PERMISSION_DENIED');
  const byToken = await call('PATCH', `/ops/accounts/${await newAccount()}`, raised);
  expect(byToken.status).toBe(202);
  const path = `/ops/approvals/${byToken.body.approval.id}/approve`;
  for (const one of [ana, bruno]) {
    expect((await one.confirmed('POST', path)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  }
  expect((await dora.confirmed('POST', path)).body.approval.state).toBe('APPLIED');
});

/** A service token of these two people with every scope that proposes. */
async function automationOf(createdBy: string, approvedBy: string) {
  const token = `opst_${randomBytes(32).toString('base64url')}`;
  const identity = await edge.databaseOf('identity');
  const scopes = ['records:read', 'operations:write', 'money:propose', 'accounts:propose'];
  await identity.query(
    `insert into service_token (id, name, token_digest, scopes, allowlist, created_by, approved_by, created_at, ends_at)
     values ($1, 'nightly', $2, $3, '{}', $4, $5, now(), now() + interval '1 hour')`,
    [newId('serviceToken'), createHash('sha256').update(token).digest(), scopes, createdBy, approvedBy],
  );
  return async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${edge.stack.opsUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
}

test('a password with codes signs in elsewhere, and that session is refused within a second of its end', async () => {
  const { challenge_id, secret } = (await bruno.call('POST', '/password/begin')).body;
  const typed = { challenge_id, password, code: timedCode(secret) };
  expect((await bruno.call('PUT', '/password', typed)).status).toBe(204);
  const elsewhere = new OperatorBrowser(edge.stack.opsUrl);
  const code = timedCode(secret, 1);
  const signedIn = await elsewhere.call('POST', '/session/password', { name: 'bruno.reis', password, code });
  expect(signedIn.status).toBe(200);
  expect((await elsewhere.call('GET', '/ops/accounts')).status).toBe(200);
  expect((await bruno.call('DELETE', '/sessions')).body).toEqual({ ended: 1 });
  await eventually(
    async () => expect((await elsewhere.call('GET', '/ops/accounts')).body.error?.code).toBe('SESSION_ENDED'),
    { timeoutMs: 1_000 },
  );
  expect((await bruno.call('GET', '/ops/accounts')).status).toBe(200);
});

test('support may change nothing: all write routes are tried', async () => {
  const support = await signedInOperator(edge, 'sofia.mar', ['support']);
  const { paths } = JSON.parse(readFileSync('docs/api/operators.json', 'utf8')) as { paths: Record<string, object> };
  const writes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')] as const),
  );
  expect(writes.length).toBeGreaterThan(60);
  for (const [method, path] of writes) {
    const { status, body } = await support.call(method, path, {});
    expect([status, body.error?.code], `${method} ${path}`).toEqual([403, 'PERMISSION_DENIED']);
  }
});

test('no person comes in by a session while identity is away, and tokens that are configured do', async () => {
  const identity = edge.stack.process('identity');
  identity.kill('SIGSTOP');
  await eventually(async () => expect((await ana.call('GET', '/ops/accounts')).status).toBe(503));
  expect((await edge.operate('GET', '/ops/accounts')).status).toBe(200);
  identity.kill('SIGCONT');
  await eventually(async () => expect((await ana.call('GET', '/ops/accounts')).status).toBe(200));
});
