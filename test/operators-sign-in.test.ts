import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startEdge, type Edge } from './support/edge.ts';
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

test('one person proposes by a passkey, another approves by theirs, and a confirmation is of no use for another body', async () => {
  const path = `/ops/accounts/${await newAccount()}`;
  const asked = await ana.call('PATCH', path, raised);
  const more = { payout_limits: { per_payout_cents: 9_000 } };
  const replayed = await ana.call('PATCH', path, more, ana.confirmationOf(asked));
  expect([replayed.status, replayed.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const proposed = await ana.confirmed('PATCH', path, raised);
  expect([proposed.status, proposed.body.approval.proposed_by]).toEqual([202, 'ana.lima']);
  const approve = `/ops/approvals/${proposed.body.approval.id}/approve`;
  expect((await ana.confirmed('POST', approve)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  expect((await bruno.confirmed('POST', approve)).body.approval).toMatchObject({
    ...{ state: 'APPLIED', approved_by: 'bruno.reis' },
  });
});

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

test('no person comes in by a session while identity is away, and tokens that are configured do', async () => {
  const identity = edge.stack.process('identity');
  identity.kill('SIGSTOP');
  await eventually(async () => expect((await ana.call('GET', '/ops/accounts')).status).toBe(503));
  expect((await edge.operate('GET', '/ops/accounts')).status).toBe(200);
  identity.kill('SIGCONT');
  await eventually(async () => expect((await ana.call('GET', '/ops/accounts')).status).toBe(200));
});
