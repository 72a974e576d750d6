import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { dialogsAreGone, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { Edge, NewMerchant } from './support/edge.ts';
import { disputeByLetter } from './support/dispute-by-letter.ts';
import { enrolledAt, signIn } from './support/enrolling.ts';
import { type OperatorBrowser, signedInOperator } from './support/operator-browser.ts';
import {
  approve as approveProposal,
  because,
  confirm as confirmIt,
  fill,
  go,
  heading,
  main,
  press,
  propose,
  send,
  signInByLink,
} from './support/operator-steps.ts';
import {
  approvesTwoTogether,
  choosesColumns,
  foldsOnPhone,
  refusesTwoTogether,
  seesRefusedAddress,
} from './support/operators-at-lists.ts';
import { deliversSelected, opensBeside, opensOthersBeside } from './support/operators-beside-lists.ts';
import { plantedFaults } from './support/planted-faults.ts';

const pages = useConsole();

let edge: Edge;
let ana: OperatorBrowser;
let bea: OperatorBrowser;
let carlos: Person;
let tania: Person;
let shop: NewMerchant;
beforeAll(async () => {
  edge = pages().edge;
  [ana, bea] = [
    await signedInOperator(edge, 'ana.lima', ['admin']),
    await signedInOperator(edge, 'bea.luz', ['admin']),
  ];
});

const approve = (by: OperatorBrowser, id: string) => by.confirmed('POST', `/ops/approvals/${id}/approve`, {});
const personNamed = async (name: string): Promise<{ id: string; state: string; roles: string[] }> => {
  const { data } = (await ana.call('GET', '/ops/people')).body;
  return data.find((each: { name: string }) => each.name === name);
};
const statusOf = async (path: string, token: string) =>
  (await fetch(`${edge.stack.opsUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
const enrolled = async (link: string) => {
  const { browser, status } = await enrolledAt(edge.stack.opsUrl, link.split('#')[1] ?? '');
  expect(status).toBe(200);
  return browser;
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

test('a refund that failed and went out all the same is debited again once two operators have stated it by clicks', async () => {
  shop = await edge.newMerchant({ name: 'Loja Azul' });
  [carlos, tania] = [
    await pages().person('carlos.sol', ['admin', 'duty']),
    await pages().person('tania.reis', ['treasurer']),
  ];
  for (const person of [carlos, tania]) await signInByLink(person);
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 12_300, external_id: 'order-2001' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  const part = { amount_cents: 2_300, external_id: 'back-2001', reason: 'refuse@sandbox.test' };
  const refund: string = (await shop.test.post(`/v1/deposits/${id}/refunds`, part)).body.refund.id;
  const refundStatus = async () => (await edge.operate('GET', `/ops/refunds/${refund}`)).body.refund.status;
  await expect.poll(refundStatus).toBe('FAILED');
  const balanceOf = async () => (await shop.test.get('/v1/balance')).body.brl.available_cents;
  const before = await balanceOf();
  const deposits = await edge.databaseOf('deposits');
  await deposits.query(`update refund set attention = 'contradiction', attention_at = now() where id = $1`, [refund]);
  await go(carlos, 'Stuck money');
  await main(carlos).getByRole('row').getByRole('link', { name: /^rfd_/ }).click();
  await heading(carlos, /23\.00/);
  await press(carlos, 'Resolve…');
  await carlos.page.getByLabel('The payer has the money').check();
  await carlos.page.getByText('R$23.00 are debited from the merchant again.').waitFor();
  await fill(carlos, 'How it is known', 'statement of today, line 4');
  await inOrder(carlos, 'refund-resolve');
  await propose(carlos, 'Propose the outcome');
  expect([await refundStatus(), await balanceOf()]).toEqual(['FAILED', before]);
  await approveProposal(tania, carlos.page.url());
  await expect.poll(refundStatus).toBe('DONE');
  expect(await balanceOf()).toBe(before - 2_300);
});

test('proposals that are selected are approved together, each shown as it is carried out, confirmed by itself and applied once', () =>
  approvesTwoTogether(edge, shop, tania));

test('proposals that are selected are refused together, each for a reason of its own and confirmed by itself', () =>
  refusesTwoTogether(edge, shop, tania));

test('the addresses that a key was refused from are on the page of its account, and one of them is proposed for its list by a click', () =>
  seesRefusedAddress(edge, shop, tania));

test('a record opens beside its list by a click into its row, and by a key', () => opensBeside(carlos));

test('a receipt, and what an entry of a statement is about, open beside their lists', () =>
  opensOthersBeside(edge, shop, carlos));

test('columns that a person leaves out of a list stay left out there, and low rows low', () => choosesColumns(carlos));

test('on a phone the filters of a list are one line, and a row is a card of the facts that matter', () =>
  foldsOnPhone(carlos));

test('a dispute is answered for its merchant; evidence that no interface takes is read with a reason and confirmed as handed over, and what the provider contradicts is ended by two, as one that came by letter is entered and decided', async () => {
  const body = { amount_cents: 50_000, external_id: 'order-2002' };
  const deposit = (await shop.test.post('/v1/deposits', body)).body.id;
  await shop.test.post(`/v1/test/deposits/${deposit}/pay`);
  const { id } = (await shop.test.post(`/v1/test/deposits/${deposit}/dispute`, {})).body;
  const content = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';
  await carlos.page.goto(`/disputes/${id}`);
  await press(carlos, 'Answer for the merchant…');
  await fill(carlos, 'Text', 'Delivered on 12 May.');
  const document = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from(content) };
  await carlos.page.getByLabel('Files', { exact: true }).setInputFiles([document]);
  await inOrder(carlos, 'dispute-answer');
  await send(carlos, 'Send the evidence');
  await main(carlos).getByRole('row').getByText('Delivered on 12 May.').waitFor();
  await dialogsAreGone(carlos);
  const dispute = async () => (await edge.operate('GET', `/ops/disputes/${id}`)).body.dispute;
  await expect.poll(async () => (await dispute()).evidence[0].status).not.toBe('WAITING');
  // As what a provider leaves behind that takes none.
  const deposits = await edge.databaseOf('deposits');
  await deposits.query(`update dispute_evidence set state = 'KEPT', sent_at = null where dispute_id = $1`, [id]);
  await deposits.query(`update dispute set attention = 'evidence', attention_at = now() where id = $1`, [id]);
  await go(carlos, 'Stuck money');
  await main(carlos).getByRole('row').getByRole('link', { name: /^med_/ }).click();
  await press(carlos, 'Save receipt.pdf…');
  await because(carlos, 'for the console of the provider');
  const saved = carlos.page.waitForEvent('download');
  await send(carlos, 'Save it');
  expect(await readFile(await (await saved).path(), 'utf8')).toBe(content);
  await dialogsAreGone(carlos);
  await inOrder(carlos, 'dispute-evidence');
  await press(carlos, 'Evidence was handed over…');
  await send(carlos, 'It was handed over');
  await main(carlos).getByRole('row').getByText('Sent', { exact: true }).waitFor();
  expect((await dispute()).attention).toBeNull();

  await deposits.query(`update dispute set attention = 'contradiction', attention_at = now() where id = $1`, [id]);
  await carlos.page.reload();
  await press(carlos, 'Resolve…');
  await carlos.page.getByLabel('The merchant is right').check();
  await fill(carlos, 'How it is known', 'letter of the provider of 3 January');
  await inOrder(carlos, 'dispute-resolve');
  await propose(carlos, 'Propose the outcome');
  expect((await dispute()).status).toBe('UNDER_ANALYSIS');
  await approveProposal(tania, carlos.page.url());
  expect(await dispute()).toMatchObject({ status: 'WON', blocked_cents: 0, attention: null });
  await disputeByLetter(shop, carlos, tania);
});

test('letters that are selected by keys are delivered again at once, and the page counts those that still wait', () =>
  deliversSelected(edge, carlos));

test('a dead letter is discarded by two people', async () => {
  await main(carlos).getByRole('row').filter({ hasText: 'Waits' }).getByRole('link').click();
  await press(carlos, 'Discard…');
  await because(carlos, 'a test of the receiver');
  await propose(carlos);
  await approveProposal(tania, carlos.page.url());
  await carlos.page.goto('/dead-letters?status=WAITING');
  await main(carlos).getByText('No message waits. Checked at').waitFor();
  await inOrder(carlos, 'dead-letters-empty');
});

test('the file of a list has its filters, and is offered to those alone who may make exports', async () => {
  await tania.page.goto('/deposits?external_id=order-2002');
  await main(tania).getByRole('row').getByRole('link').first().waitFor();
  const saved = tania.page.waitForEvent('download');
  await press(tania, 'Save as CSV');
  await confirmIt(tania);
  const file = await readFile(await (await saved).path(), 'utf8');
  const [head = '', ...rows] = file.trim().split(/\r?\n/);
  expect([head.split(',')[0], rows.length]).toEqual(['id', 1]);
  expect(rows[0]).toContain('order-2002');
  await inOrder(tania, 'deposits-csv');
  await carlos.page.goto('/deposits?external_id=order-2002');
  await main(carlos).getByRole('row').getByRole('link').first().waitFor();
  expect(await carlos.page.getByRole('button', { name: 'Save as CSV' }).count()).toBe(0);
});

/** An expectation that was not met. */
type Thrown = Error & { readonly actual?: unknown };

test('each fault that is planted in a page keeps it from being in order', async () => {
  const { page } = carlos;
  const complaints = carlos.complaints as string[];
  for (const [fault, complaint] of Object.entries(plantedFaults)) {
    await page.goto('/me');
    await heading(carlos, 'Your sign-in');
    await page.evaluate(fault);
    const found = await inOrder(carlos, 'planted').catch((error: unknown) => error as Thrown);
    expect(`${found?.message} ${JSON.stringify(found?.actual)}`, fault).toMatch(complaint);
    complaints.splice(0);
  }
  await page.goto('/me');
  await heading(carlos, 'Your sign-in');
  await inOrder(carlos, 'nothing-planted');
});
