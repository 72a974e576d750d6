import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startEdge, type Edge, type NewMerchant } from './support/edge.ts';
import { enrolledAt, signIn } from './support/enrolling.ts';
import { type OperatorBrowser, signedInMember } from './support/operator-browser.ts';
import { keepsNotifying, letsOneOwnerIn, takesTwoOperators } from './support/recovered-people.ts';

let edge: Edge;
let shop: NewMerchant;
let owner: OperatorBrowser;
beforeAll(async () => {
  edge = await startEdge({ layout: 'together' });
  shop = await edge.newMerchant();
});
afterAll(async () => edge[Symbol.asyncDispose]());

const within = (environment = 'live') => ({ 'x-account': shop.id, 'x-environment': environment });
const firstOwner = () => `/ops/accounts/${shop.id}/first-owner`;

const enrolled = (token: string) => enrolledAt(edge.stack.consoleUrl, token);
const team = async () => (await owner.call('GET', '/team', undefined, within())).body;
const personNamed = async (name: string): Promise<{ id: string; roles: string[]; state: string }> => {
  const { people } = await team();
  return people.find((each: { name: string }) => each.name === name);
};
/** Invites, enrols and confirms; signed in. */
const joined = async (name: string, rights: object) => {
  const invited = await owner.confirmed('POST', '/team/invitations', { name, ...rights }, within());
  expect(invited.status).toBe(201);
  const { browser } = await enrolled(invited.body.token);
  const path = `/team/invitations/${invited.body.invitation.id}`;
  expect(await signIn(browser)).toBe(401);
  expect((await owner.confirmed('POST', `${path}/confirm`, {}, within())).status).toBe(200);
  expect(await signIn(browser)).toBe(200);
  return browser;
};

test('two operators invite the first owner, whose link opens once, and who signs in once it is confirmed who that is', async () => {
  const proposed = await edge.operate('POST', firstOwner(), { name: 'olga.dias', reason: 'named in the contract' });
  expect(proposed.status).toBe(202);
  const approval = `/ops/approvals/${proposed.body.approval.id}`;
  expect((await edge.operate('POST', `${approval}/approve`)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  const approved = await edge.operate('POST', `${approval}/approve`, undefined, 1);
  const { invitation_url: link, invitation_id } = approved.body.approval.outcome;
  expect(link).toMatch(new RegExp(`^http://localhost:${new URL(edge.stack.consoleUrl).port}/welcome#[\\w-]{43}$`));
  expect(JSON.stringify((await edge.operate('GET', approval)).body)).not.toContain('welcome#');
  const [, token = ''] = link.split('#');
  const first = await enrolled(token);
  expect([first.status, (await enrolled(token)).status]).toEqual([200, 404]);
  expect(await signIn(first.browser)).toBe(401);
  const waiting = (await edge.operate('GET', `/ops/accounts/${shop.id}/people`)).body;
  expect(waiting).toMatchObject({
    people: [{ name: 'olga.dias', state: 'INVITED', roles: ['owner'] }],
    invitations: [{ id: invitation_id, state: 'ACCEPTED', passkey_label: 'laptop' }],
  });
  const elsewhere = await edge.newMerchant();
  const wrong = await edge.operate('POST', `/ops/accounts/${elsewhere.id}/first-owner/confirm`, { invitation_id });
  expect(wrong.status).toBe(404);
  expect((await edge.operate('POST', `${firstOwner()}/confirm`, { invitation_id })).status).toBe(200);
  expect(await signIn(first.browser)).toBe(200);
  owner = first.browser;
  const accounts = (await owner.call('GET', '/accounts')).body.data;
  expect(accounts).toMatchObject([{ id: shop.id, roles: ['owner'], environments: ['test', 'live'] }]);
  const second = await edge.operate('POST', firstOwner(), { name: 'mallory' });
  expect([second.status, second.body.error.code]).toEqual([409, 'INVALID_STATE']);
});

test('a link that was lost is replaced by two again, and the lost one opens nothing', async () => {
  const account = await edge.newMerchant();
  const path = `/ops/accounts/${account.id}/first-owner`;
  const linkOf = async () => {
    const { id } = (await edge.operate('POST', path, { name: 'rita.sol' })).body.approval;
    const { outcome } = (await edge.operate('POST', `/ops/approvals/${id}/approve`, undefined, 1)).body.approval;
    return outcome.invitation_url.split('#')[1] as string;
  };
  const [lost, found] = [await linkOf(), await linkOf()];
  expect((await owner.call('POST', '/invitations/read', { token: lost })).status).toBe(404);
  const { browser } = await enrolled(found);
  const { invitations } = (await edge.operate('GET', `/ops/accounts/${account.id}/people`)).body;
  const accepted = invitations.find(({ state }: { state: string }) => state === 'ACCEPTED');
  const revoked = await edge.operate('POST', `${path}/revoke`, { invitation_id: accepted.id });
  expect([revoked.status, revoked.body.invitation.state]).toEqual([200, 'REVOKED']);
  expect(await signIn(browser)).toBe(401);
});

test('an owner invites people, who have the rights they were given, and none of live mode from test mode', async () => {
  const bia = await joined('bia.luz', { roles: ['finance'], environments: ['test'] });
  expect((await bia.call('GET', '/v1/balance', undefined, within('test'))).status).toBe(200);
  expect((await bia.call('GET', '/v1/balance', undefined, within('live'))).status).toBe(403);
  expect((await bia.call('GET', '/team', undefined, within('test'))).status).toBe(403);
  const { id } = await personNamed('bia.luz');
  const wanted = { roles: ['finance'], environments: ['test', 'live'] };
  const inTest = await owner.confirmed('PATCH', `/team/${id}`, wanted, within('test'));
  expect(inTest.body.error.details[0].path).toBe('environments');
  expect((await owner.confirmed('PATCH', `/team/${id}`, wanted, within())).status).toBe(200);
  await eventually(async () =>
    expect((await bia.call('GET', '/v1/balance', undefined, within('live'))).status).toBe(200),
  );
  const asOwner = { name: 'mallory', roles: ['owner'], environments: ['test'] };
  const refused = await owner.confirmed('POST', '/team/invitations', asOwner, within());
  expect(refused.body.error.details[0].path).toBe('roles');
});

test('an owner is made by two of the account, and the last owner is not taken out', async () => {
  const approver = await joined('paulo.nery', { roles: ['approver'], environments: ['test', 'live'] });
  const { id } = await personNamed('bia.luz');
  const self = (await personNamed('olga.dias')).id;
  const gone = await owner.confirmed('DELETE', `/team/${self}`, undefined, within());
  expect([gone.status, gone.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const wanted = { roles: ['owner'], environments: ['test', 'live'] };
  const proposed = await owner.confirmed('PATCH', `/team/${id}`, wanted, within());
  expect([proposed.status, (await personNamed('bia.luz')).roles]).toEqual([202, ['finance']]);
  const { approval } = proposed.body;
  const decide = (by: OperatorBrowser) => {
    const body = { request_digest: approval.request_digest };
    return by.confirmed('POST', `/approvals/${approval.id}/approve`, body, within());
  };
  expect((await decide(owner)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
  expect((await decide(approver)).body.approval.state).toBe('APPLIED');
  expect((await personNamed('bia.luz')).roles).toEqual(['owner']);
  expect((await owner.confirmed('DELETE', `/team/${id}`, undefined, within())).status).toBe(200);
  expect(await personNamed('bia.luz')).toBeUndefined();
});

test('an owner of test mode alone changes, resets and ends nothing of a person with rights of live mode', async () => {
  const intern = await signedInMember(edge, 'ivo.teste', {
    accountId: shop.id,
    roles: ['owner'],
    environments: ['test'],
  });
  const { id } = await personNamed('paulo.nery');
  const attempts = [
    ['POST', '/reset', { reason: 'the phone was lost' }],
    ['PATCH', '', { roles: ['viewer'], environments: ['test'] }],
    ['DELETE', '', undefined],
  ] as const;
  const refusals = [await intern.call('POST', `/team/${id}/end-sessions`, {}, within('test'))];
  for (const [method, path, body] of attempts) {
    refusals.push(await intern.confirmed(method, `/team/${id}${path}`, body, within('test')));
  }
  const refused = { code: 'PERMISSION_DENIED', message: 'a person with rights of live mode is changed in live mode' };
  for (const { body } of refusals) expect(body.error).toMatchObject(refused);
  expect(await personNamed('paulo.nery')).toMatchObject({ state: 'ACTIVE', roles: ['approver'] });
  const invited = { name: 'lia.reis', roles: ['viewer'], environments: ['live'] };
  const { invitation } = (await owner.confirmed('POST', '/team/invitations', invited, within())).body;
  const revoke = `/team/invitations/${invitation.id}/revoke`;
  expect((await intern.call('POST', revoke, {}, within('test'))).body.error.code).toBe('PERMISSION_DENIED');
  const self = (await personNamed('olga.dias')).id;
  const last = await owner.confirmed('DELETE', `/team/${self}`, undefined, within());
  expect([last.status, last.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await owner.confirmed('DELETE', `/team/${intern.personId}`, undefined, within())).status).toBe(200);
});

test('a colleague who lost every credential is reset by a link, unless there is another account to reach by it', async () => {
  const { id } = await personNamed('paulo.nery');
  const reason = 'the phone was lost';
  const unreadable = await owner.call('POST', `/team/${id}/reset`, { reason: 'lost\0' }, within());
  expect([unreadable.status, unreadable.body.error.details]).toMatchObject([400, [{ path: 'reason' }]]);
  const reset = await owner.confirmed('POST', `/team/${id}/reset`, { reason }, within());
  expect(reset.status).toBe(200);
  const { browser } = await enrolled(reset.body.token);
  expect(await signIn(browser)).toBe(401);
  const confirm = `/team/invitations/${reset.body.invitation_id}/confirm`;
  expect((await owner.confirmed('POST', confirm, {}, within())).status).toBe(200);
  expect(await signIn(browser)).toBe(200);
  const other = await edge.newMerchant();
  const rights = { roles: ['finance'], environments: ['test'] };
  const agency = await signedInMember(edge, 'agencia', { accountId: other.id, ...rights });
  const identity = await edge.databaseOf('identity');
  await identity.query(
    `insert into membership (realm, person_id, account_id, roles, environments) values ('merchant', $1, $2, '{viewer}', '{test}')`,
    [agency.personId, shop.id],
  );
  const taken = await owner.confirmed('POST', `/team/${agency.personId}/reset`, { reason }, within());
  expect([taken.status, taken.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const stranger = await signedInMember(edge, 'estranha', { accountId: other.id, ...rights });
  for (const path of ['reset', 'end-sessions']) {
    const body = path === 'reset' ? { reason } : {};
    const asked = await owner.call('POST', `/team/${stranger.personId}/${path}`, body, within());
    if (path === 'end-sessions') expect(asked.status).toBe(404);
    else expect((await owner.confirmed('POST', `/team/${stranger.personId}/${path}`, body, within())).status).toBe(404);
  }
  expect((await owner.call('POST', `/team/${agency.personId}/end-sessions`, {}, within())).status).toBe(200);
  await eventually(async () =>
    expect((await agency.call('GET', '/v1/balance', undefined, within('test'))).status).toBe(401),
  );
});

test('the only owner who lost every credential is let in by two operators, a day after all of the account were told', async () => {
  const account = await edge.newMerchant();
  const rights = { roles: ['owner'], environments: ['test', 'live'] };
  const rita = await signedInMember(edge, 'rita.lopes', { accountId: account.id, ...rights });
  const pathOf = (personId: string) => `/ops/accounts/${account.id}/people/${personId}/recover`;
  const reason = 'the phone was lost';
  const { approval } = (await edge.operate('POST', pathOf(rita.personId), { reason })).body;
  const again = await edge.operate('POST', pathOf(rita.personId), { reason }, 1);
  expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const shown = (await rita.call('GET', '/accounts')).body.data;
  expect(shown).toMatchObject([{ id: account.id, recoveries: [{ id: approval.id, name: 'rita.lopes' }] }]);
  const approve = () => edge.operate('POST', `/ops/approvals/${approval.id}/approve`, undefined, 1);
  const tooEarly = await approve();
  expect([tooEarly.status, tooEarly.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await rita.call('GET', '/accounts')).status).toBe(200);
  const gateway = await edge.databaseOf('api_gateway');
  await gateway.query("update approval set created_at = created_at - interval '24 hours' where id = $1", [approval.id]);
  const { outcome } = (await approve()).body.approval;
  await eventually(async () => expect((await rita.call('GET', '/accounts')).status).toBe(401));
  const { browser } = await enrolled(outcome.invitation_url.split('#')[1]);
  expect(await signIn(browser)).toBe(401);
  const confirmed = { invitation_id: outcome.invitation_id };
  expect((await edge.operate('POST', `/ops/accounts/${account.id}/first-owner/confirm`, confirmed)).status).toBe(200);
  expect(await signIn(browser)).toBe(200);
  const bea = await signedInMember(edge, 'bea.lopes', {
    accountId: account.id,
    roles: ['viewer'],
    environments: ['test'],
  });
  const ofOwner = await edge.operate('POST', pathOf(bea.personId), { reason });
  expect([ofOwner.status, ofOwner.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await edge.operate('POST', pathOf(shop.id), { reason })).status).toBe(404);
  // Of a person of several accounts all of them are notified.
  const identity = await edge.databaseOf('identity');
  await identity.query(
    `insert into membership (realm, person_id, account_id, roles, environments) values ('merchant', $1, $2, '{viewer}', '{test}')`,
    [bea.personId, shop.id],
  );
  expect((await edge.operate('POST', pathOf(bea.personId), { reason })).status).toBe(202);
  const nina = await signedInMember(edge, 'nina.sol', {
    accountId: shop.id,
    roles: ['viewer'],
    environments: ['test'],
  });
  const ofShop = (await nina.call('GET', '/accounts')).body.data;
  expect(ofShop).toMatchObject([{ id: shop.id, recoveries: [{ name: 'bea.lopes' }] }]);
});

test('the people of an account are notified of a reset for a week after it, and its history has every step', () =>
  keepsNotifying(edge));

test('of two owners who both lost everything operators let one in again, unless the other has signed in lately', () =>
  letsOneOwnerIn(edge));

test('who proposed a reset does not approve it, who approved it does not confirm who enrolled, and one of them stops it', () =>
  takesTwoOperators(edge));
