import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Edge } from './edge.ts';
import { enrolledAt, signIn } from './enrolling.ts';
import { type OperatorBrowser, signedInMember, signedInOperator } from './operator-browser.ts';

const reason = 'the phone was lost';
const owning = { roles: ['owner'], environments: ['test', 'live'] };
const refusal = { status: 409, body: { error: { code: 'INVALID_STATE' } } };

type Member = Awaited<ReturnType<typeof signedInMember>>;

/** An account whose owners are signed in; operators reset them, and a day passes when it is to. */
async function accountOf(edge: Edge, ...names: readonly string[]) {
  const { id: accountId } = await edge.newMerchant();
  const owners: Member[] = [];
  for (const name of names) owners.push(await signedInMember(edge, name, { accountId, ...owning }));
  const gateway = await edge.databaseOf('api_gateway');
  const identity = await edge.databaseOf('identity');
  const path = (personId: string) => `/ops/accounts/${accountId}/people/${personId}/recover`;
  return {
    accountId,
    owners,
    propose: (personId: string) => edge.operate('POST', path(personId), { reason }),
    path,
    approve: (id: string) => edge.operate('POST', `/ops/approvals/${id}/approve`, undefined, 1),
    dayPasses: (id: string) =>
      gateway.query("update approval set created_at = created_at - interval '24 hours' where id = $1", [id]),
    weekPasses: (id: string) =>
      gateway.query("update approval set decided_at = decided_at - interval '7 days' where id = $1", [id]),
    signedInBefore: (hours: number) =>
      identity.query(
        `update person set last_sign_in_at = now() - $2 * interval '1 hour'
         where realm = 'merchant' and id in (select person_id from membership where account_id = $1)`,
        [accountId, hours],
      ),
    setState: (personId: string, state: string) =>
      identity.query(`update person set state = $2 where realm = 'merchant' and id = $1`, [personId, state]),
    decide: (what: 'confirm' | 'revoke', invitationId: string) => {
      const body = { invitation_id: invitationId };
      return edge.operate('POST', `/ops/accounts/${accountId}/first-owner/${what}`, body);
    },
    enrolled: (link: string) => enrolledAt(edge.stack.consoleUrl, link.split('#')[1] ?? ''),
  };
}

/** What the history of an account has of it, oldest first, and by whom. */
async function historyOf(browser: OperatorBrowser, accountId: string) {
  const within = { 'x-account': accountId, 'x-environment': 'live' };
  const { body, text } = await browser.call('GET', '/team/audit', undefined, within);
  expect(text).not.toMatch(/phone was lost|"ana"|"bruno"/);
  const rows: { action: string; by: { kind: string }; after: object }[] = body.data.toReversed();
  const ofPeople = rows.filter(({ action }) => !action.startsWith('key.'));
  return ofPeople.map(({ action, by, after }) => [by.kind, action, after] as const);
}

/** A notice that who enrolled anew cannot end, and rows of each step that do not name the operators. */
export async function keepsNotifying(edge: Edge): Promise<void> {
  const account = await accountOf(edge, 'vera.lopes');
  const [vera] = account.owners as [Member];
  const noticesOf = async (by: OperatorBrowser) => (await by.call('GET', '/accounts')).body.data[0].recoveries;
  const refused = (await account.propose(vera.personId)).body.approval.id;
  expect(await noticesOf(vera)).toMatchObject([{ id: refused, name: 'vera.lopes', reset_at: null }]);
  expect((await edge.operate('POST', `/ops/approvals/${refused}/refuse`, { reason }, 1)).status).toBe(200);
  expect(await noticesOf(vera)).toEqual([]);

  const { id } = (await account.propose(vera.personId)).body.approval;
  await account.dayPasses(id);
  const lost = (await account.approve(id)).body.approval.outcome;
  expect((await account.decide('revoke', lost.invitation_id)).status).toBe(200);
  const again = (await account.propose(vera.personId)).body.approval.id;
  await account.dayPasses(again);
  const { outcome } = (await account.approve(again)).body.approval;
  const { browser } = await account.enrolled(outcome.invitation_url);
  expect((await account.decide('confirm', outcome.invitation_id)).status).toBe(200);
  expect(await signIn(browser)).toBe(200);

  const reset = { name: 'vera.lopes', reset_at: expect.any(Number) as number };
  expect(await noticesOf(browser)).toEqual([expect.objectContaining(reset), expect.objectContaining(reset)]);
  await account.weekPasses(id);
  expect(await noticesOf(browser)).toMatchObject([{ id: again }]);
  const asked = ['operator', 'team.propose-recovery', { name: 'vera.lopes', from: expect.any(Number) as number }];
  const done = ['operator', 'team.recover', { name: 'vera.lopes', state: 'INVITED', ends_at: outcome.ends_at }];
  expect(await historyOf(browser, account.accountId)).toEqual([
    asked,
    ['operator', 'team.end-recovery', { name: 'vera.lopes', proposal: 'REFUSED' }],
    asked,
    [...done.slice(0, 2), expect.objectContaining({ state: 'INVITED' })],
    ['operator', 'first-owner.revoke', expect.objectContaining({ state: 'REVOKED' })],
    asked,
    done,
    ['operator', 'first-owner.confirm', expect.objectContaining({ state: 'CONFIRMED' })],
  ]);
}

/** Of two owners without any credential one is let in, and resets the other. */
export async function letsOneOwnerIn(edge: Edge): Promise<void> {
  const account = await accountOf(edge, 'ugo.sol', 'vito.sol');
  const [ugo, vito] = account.owners as [Member, Member];
  const lately = { message: 'another owner of the account has signed in lately, and resets the sign-in' };
  expect(await account.propose(ugo.personId)).toMatchObject({ ...refusal, body: { error: lately } });
  await account.signedInBefore(40);
  const first = (await account.propose(ugo.personId)).body.approval.id;
  expect(await account.approve(first)).toMatchObject(refusal);
  await account.dayPasses(first);
  await account.signedInBefore(3);
  expect(await account.approve(first)).toMatchObject({ ...refusal, body: { error: lately } });
  expect((await ugo.call('GET', '/accounts')).status).toBe(200);
  expect((await historyOf(vito, account.accountId)).at(-1)?.slice(1)).toEqual([
    'team.end-recovery',
    { name: 'ugo.sol', proposal: 'FAILED' },
  ]);

  await account.signedInBefore(40);
  const { id } = (await account.propose(ugo.personId)).body.approval;
  await account.dayPasses(id);
  const { outcome } = (await account.approve(id)).body.approval;
  const { browser } = await account.enrolled(outcome.invitation_url);
  expect((await account.decide('confirm', outcome.invitation_id)).status).toBe(200);
  expect(await signIn(browser)).toBe(200);
  const within = { 'x-account': account.accountId, 'x-environment': 'live' };
  const reset = await browser.confirmed('POST', `/team/${vito.personId}/reset`, { reason }, within);
  const other = await enrolledAt(edge.stack.consoleUrl, reset.body.token);
  const confirm = `/team/invitations/${reset.body.invitation_id}/confirm`;
  expect((await browser.confirmed('POST', confirm, {}, within)).status).toBe(200);
  expect(await signIn(other.browser)).toBe(200);
}

/** Neither of the two operators does both; one alone stops it; a suspended person is refused before anybody waits. */
export async function takesTwoOperators(edge: Edge): Promise<void> {
  const [ana, bea] = [
    await signedInOperator(edge, 'ana.lima', ['admin', 'treasurer']),
    await signedInOperator(edge, 'bea.luz', ['admin', 'treasurer']),
  ];
  const account = await accountOf(edge, 'sara.lua');
  const [sara] = account.owners as [Member];
  const approve = (by: OperatorBrowser, id: string) => by.confirmed('POST', `/ops/approvals/${id}/approve`, {});
  const decide = (by: OperatorBrowser, what: string, invitation_id: string) =>
    by.confirmed('POST', `/ops/accounts/${account.accountId}/first-owner/${what}`, { invitation_id });
  await account.setState(sara.personId, 'SUSPENDED');
  const suspended = { message: 'the state of the person is SUSPENDED, which a reset does not end' };
  const path = account.path(sara.personId);
  expect(await ana.call('POST', path, { reason })).toMatchObject({ ...refusal, body: { error: suspended } });
  await account.setState(sara.personId, 'ACTIVE');

  const approved = async () => {
    const { id } = (await ana.confirmed('POST', path, { reason })).body.approval;
    await account.dayPasses(id);
    expect((await approve(ana, id)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
    const { outcome } = (await approve(bea, id)).body.approval;
    return { ...outcome, enrolled: await account.enrolled(outcome.invitation_url) };
  };
  const stopped = await approved();
  expect((await decide(bea, 'revoke', stopped.invitation_id)).body.invitation.state).toBe('REVOKED');
  expect((await decide(ana, 'confirm', stopped.invitation_id)).status).toBe(409);
  expect(await signIn(stopped.enrolled.browser)).toBe(401);

  const { invitation_id: invitation, enrolled } = await approved();
  const byApprover = await decide(bea, 'confirm', invitation);
  expect(byApprover).toMatchObject({
    ...refusal,
    body: { error: { message: expect.stringContaining('who invited') } },
  });
  expect(await signIn(enrolled.browser)).toBe(401);
  expect((await decide(ana, 'confirm', invitation)).status).toBe(200);
  await eventually(async () => expect(await signIn(enrolled.browser)).toBe(200));
}
