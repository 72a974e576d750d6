import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startEdge, type Edge } from './support/edge.ts';
import { OperatorBrowser, signedInOperator } from './support/operator-browser.ts';

let edge: Edge;
let ana: OperatorBrowser;
let bea: OperatorBrowser;
beforeAll(async () => {
  edge = await startEdge({ layout: 'together' });
  [ana, bea] = [
    await signedInOperator(edge, 'ana.lima', ['admin']),
    await signedInOperator(edge, 'bea.luz', ['admin']),
  ];
});
afterAll(async () => edge[Symbol.asyncDispose]());

const approve = (by: OperatorBrowser, id: string) => by.confirmed('POST', `/ops/approvals/${id}/approve`, {});
const personNamed = async (name: string): Promise<{ id: string; state: string; roles: string[] }> => {
  const { data } = (await ana.call('GET', '/ops/people')).body;
  return data.find((each: { name: string }) => each.name === name);
};
const statusOf = async (path: string, token: string) =>
  (await fetch(`${edge.stack.opsUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
const enrolled = async (link: string) => {
  const browser = new OperatorBrowser(edge.stack.opsUrl);
  const [, token] = link.split('#');
  const { challenge_id, options } = (await browser.call('POST', '/invitations/passkey', { token })).body;
  const credential = { kind: 'passkey', answer: browser.device.create(options), label: 'laptop' };
  expect((await browser.call('POST', '/invitations/accept', { token, challenge_id, credential })).status).toBe(200);
  return browser;
};
const signIn = async (browser: OperatorBrowser) => {
  const { challenge_id, options } = (await browser.call('POST', '/session/passkey/begin', {})).body;
  return (await browser.call('POST', '/session/passkey', { challenge_id, answer: browser.device.get(options) })).status;
};

test('two admins invite an operator, who signs in once the proposer has confirmed who that is', async () => {
  const proposed = await ana.confirmed('POST', '/ops/invitations', { name: 'carla.reis', roles: ['duty'] });
  expect(proposed.status).toBe(202);
  const { id } = proposed.body.approval;
  expect((await approve(ana, id)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  const { outcome } = (await approve(bea, id)).body.approval;
  expect(outcome.invitation_url).toMatch(/^http:\/\/localhost:\d+\/welcome#[\w-]{43}$/);
  expect(JSON.stringify((await ana.call('GET', `/ops/approvals/${id}`)).body)).not.toContain('welcome#');
  const carla = await enrolled(outcome.invitation_url);
  expect(await signIn(carla)).toBe(401);
  const confirm = `/ops/invitations/${outcome.invitation_id}/confirm`;
  expect((await bea.confirmed('POST', confirm)).body.error.code).toBe('INVALID_STATE');
  expect((await ana.confirmed('POST', confirm)).body.invitation.state).toBe('CONFIRMED');
  expect(await signIn(carla)).toBe(200);
  const { person, sessions } = (await bea.call('GET', `/ops/people/${(await personNamed('carla.reis')).id}`)).body;
  expect([person, sessions]).toMatchObject([
    { name: 'carla.reis', state: 'ACTIVE', roles: ['duty'] },
    [{ factor: 'passkey' }],
  ]);
});

test('one admin suspends at once, two let in again; roles are taken by one and given by two', async () => {
  const dora = await signedInOperator(edge, 'dora', ['duty', 'auditor']);
  const { id } = await personNamed('dora');
  const path = `/ops/people/${id}`;
  expect((await dora.call('GET', '/ops/people')).status).toBe(200);
  expect((await dora.call('POST', `${path}/suspend`, { reason: 'no' })).status).toBe(403);
  expect((await ana.confirmed('PATCH', path, { roles: ['duty'] })).body.person.roles).toEqual(['duty']);
  await eventually(async () => expect((await dora.call('GET', '/ops/people')).status).toBe(403));
  const raised = await ana.confirmed('PATCH', path, { roles: ['duty', 'admin'] });
  expect([raised.status, (await personNamed('dora')).roles]).toEqual([202, ['duty']]);
  expect((await approve(bea, raised.body.approval.id)).body.approval.state).toBe('APPLIED');
  expect((await personNamed('dora')).roles).toEqual(['duty', 'admin']);
  expect((await ana.confirmed('POST', `${path}/suspend`, { reason: 'the laptop was stolen' })).status).toBe(200);
  await eventually(async () => expect((await dora.call('GET', '/session')).status).toBe(401), { timeoutMs: 1_000 });
  const again = await ana.confirmed('POST', `${path}/reinstate`, { reason: 'it was found' });
  expect((await personNamed('dora')).state).toBe('SUSPENDED');
  expect((await approve(bea, again.body.approval.id)).status).toBe(200);
  expect((await personNamed('dora')).state).toBe('ACTIVE');
});

test('a person who lost every credential is reset by two others, and enrols anew by the link', async () => {
  const eva = await signedInOperator(edge, 'eva', ['admin']);
  const { id } = await personNamed('eva');
  const proposed = await ana.confirmed('POST', `/ops/people/${id}/recover`, { reason: 'the phone was lost' });
  const own = await approve(eva, proposed.body.approval.id);
  expect(own.body.error.code).toBe('SECOND_PERSON_REQUIRED');
  const other = await ana.confirmed('POST', `/ops/people/${id}/recover`, { reason: 'the phone was lost' });
  const { outcome } = (await approve(bea, other.body.approval.id)).body.approval;
  expect(await signIn(eva)).toBe(401);
  const anew = await enrolled(outcome.invitation_url);
  await ana.confirmed('POST', `/ops/invitations/${outcome.invitation_id}/confirm`);
  expect(await signIn(anew)).toBe(200);
});

test('a token that reads is one admin’s, one that writes takes two, who are neither the second of it; each is shown once and dead within a second', async () => {
  const reading = { name: 'nightly', scopes: ['records:read'], days: 1 };
  expect((await ana.call('POST', '/ops/service-tokens', reading)).body.error.code).toBe('STEP_UP_REQUIRED');
  const made = (await ana.confirmed('POST', '/ops/service-tokens', reading)).body;
  expect(await statusOf('/ops/accounts', made.token)).toBe(200);
  expect(await statusOf('/ops/people', made.token)).toBe(403);
  const writing = { ...reading, name: 'freezer', scopes: ['records:read', 'accounts:propose'] };
  const proposed = await ana.confirmed('POST', '/ops/service-tokens', writing);
  expect(proposed.status).toBe(202);
  const { outcome } = (await approve(bea, proposed.body.approval.id)).body.approval;
  expect(await statusOf('/ops/accounts', outcome.token)).toBe(200);
  const listed = await bea.call('GET', '/ops/service-tokens');
  const people = { created_by: (await personNamed('ana.lima')).id, approved_by: (await personNamed('bea.luz')).id };
  expect(listed.body.data[0]).toMatchObject({ name: 'freezer', ...people });
  expect(listed.text).not.toContain('opst_');
  const { id: account } = (
    await edge.operate('POST', '/ops/accounts', { name: 'Loja', payout_limits: { per_payout_cents: 1_000 } })
  ).body;
  const raised = await fetch(`${edge.stack.opsUrl}/ops/accounts/${account}`, {
    ...{ method: 'PATCH', body: JSON.stringify({ payout_limits: { per_payout_cents: 2_000 } }) },
    headers: { authorization: `Bearer ${outcome.token}`, 'content-type': 'application/json' },
  });
  const { approval } = JSON.parse(await raised.text());
  expect(approval.responsible).toEqual([people.created_by, people.approved_by]);
  for (const one of [ana, bea]) {
    expect((await approve(one, approval.id)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  }
  expect((await ana.confirmed('DELETE', `/ops/service-tokens/${outcome.service_token_id}`)).status).toBe(204);
  await eventually(async () => expect(await statusOf('/ops/accounts', outcome.token)).toBe(401), { timeoutMs: 1_000 });
  const deciding = { ...reading, scopes: ['money:decide'] };
  const refused = await ana.call('POST', '/ops/service-tokens', deciding);
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'scopes.0']);
});

test('sign-ins and refusals are listed with where they came from, those of a person alone too', async () => {
  const { id } = await personNamed('carla.reis');
  const own = (await ana.call('GET', `/ops/sign-ins?person_id=${id}&limit=50`)).body.data;
  expect(own.every((each: { person_id: string }) => each.person_id === id)).toBe(true);
  expect(own.map(({ what }: { what: string }) => what)).toContain('sign_in.passkey');
  const merchants = (await ana.call('GET', '/ops/sign-ins?realm=merchant')).body.data;
  expect(merchants.filter(({ realm }: { realm: string }) => realm !== 'merchant')).toEqual([]);
});
