import { expect, test } from 'vitest';
import { focusIsKept, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
const fundsCents = 10_000_000;
let ana: Person;
let bruno: Person;
let merchant: NewMerchant;

const heading = ({ page }: Person, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = async ({ page }: Person, name: string | RegExp) => await page.getByRole('button', { name }).click();

async function payout(pixKey: string, externalId: string): Promise<string> {
  const body = {
    amount_cents: 90_000,
    external_id: externalId,
    pix_key: pixKey,
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '52998224725' },
  };
  const created = await merchant.test.post('/v1/payouts', body);
  expect(created.status).toBe(201);
  return created.body.payout.id;
}

async function search({ page }: Person, q: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(q);
  await page.keyboard.press('Enter');
}

async function signInByLink(person: Person): Promise<void> {
  await person.page.goto(person.link);
  await heading(person, 'Welcome');
  // The secret is gone from the address before anything else can read it.
  await expect.poll(() => person.page.url()).toBe(`${pages().origin}/welcome`);
  await inOrder(person, 'welcome');
  await press(person, 'Sign in');
  await heading(person, 'Your sign-in');
  await person.page.getByLabel('Name of the device').fill('laptop');
  await press(person, 'Add a passkey');
  await person.page.getByRole('rowheader', { name: 'laptop' }).waitFor();
}

test('an operator signs in by a printed link, adds a passkey, and the link is dead', async () => {
  merchant = await pages().edge.newMerchant({ payout_limits: { per_payout_cents: fundsCents } });
  const deposit = await merchant.test.post('/v1/deposits', { amount_cents: fundsCents, external_id: 'funds' });
  await merchant.test.post(`/v1/test/deposits/${deposit.body.id}/pay`);
  [ana, bruno] = [
    await pages().person('ana.lima', ['admin', 'duty']),
    await pages().person('bruno.reis', ['treasurer']),
  ];
  await signInByLink(ana);
  await signInByLink(bruno);
  await focusIsKept(ana);
  await inOrder(ana, 'my-sign-in');
  await ana.page.goto(ana.link);
  await press(ana, 'Sign in');
  await ana.page.getByRole('alert').waitFor();
});

test('signed out, no page opens anything, and the passkey alone opens it again', async () => {
  await ana.page.goto('/payouts');
  await heading(ana, 'Payouts');
  await press(ana, 'Sign out');
  await heading(ana, 'Sign in');
  await inOrder(ana, 'sign-in');
  await ana.page.goto('/payouts');
  await heading(ana, 'Sign in');
  await press(ana, 'Sign in with a passkey');
  await heading(ana, 'Payouts');
  await focusIsKept(ana);
  await inOrder(ana, 'payouts-empty');
});

test('a payout that waits is counted on the overview, found by its external id, and approved with a passkey', async () => {
  const id = await payout('approve@sandbox.test', 'order-1001');
  await bruno.page.goto('/');
  await heading(bruno, 'Needs you');
  const link = bruno.page.getByRole('link', { name: 'Payouts to approve' });
  await link.waitFor();
  await inOrder(bruno, 'overview');
  await link.click();
  await bruno.page.getByRole('row').getByText('Waits for approval').waitFor();
  await focusIsKept(bruno);
  await inOrder(bruno, 'payouts-waiting');

  await search(bruno, 'order-1001');
  await heading(bruno, /900\.00/);
  expect(new URL(bruno.page.url()).pathname).toBe(`/payouts/${id}`);
  await focusIsKept(bruno);
  await inOrder(bruno, 'payout-waiting');
  await press(bruno, 'Approve');
  await bruno.page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  await inOrder(bruno, 'step-up');
  await press(bruno, 'Confirm with a passkey');
  await bruno.page.getByRole('main').getByText('Paid', { exact: true }).waitFor();
  await focusIsKept(bruno);
  expect(await bruno.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await inOrder(bruno, 'payout-paid');
  expect((await merchant.test.get(`/v1/payouts/${id}`)).body.payout.status).toBe('PAID');
});

test('a payout that is refused gives its reason to operators, and the money back', async () => {
  const id = await payout('approve@sandbox.test', 'order-1002');
  await search(bruno, id);
  await heading(bruno, /900\.00/);
  await press(bruno, 'Refuse…');
  await bruno.page.getByLabel('Reason, for the other operators').fill('the recipient is on a list');
  await inOrder(bruno, 'payout-refuse');
  await press(bruno, 'Refuse the payout');
  await press(bruno, 'Confirm with a passkey');
  await bruno.page.getByRole('main').getByText('Refused', { exact: true }).waitFor();
  await focusIsKept(bruno);
  expect((await merchant.test.get(`/v1/payouts/${id}`)).body.payout.status).toBe('REJECTED');
});

test('the outcome of a payout is proposed by one person, who cannot approve it, and approved by another', async () => {
  const id = await payout('hold@sandbox.test', 'order-1003');
  await search(ana, 'order-1003');
  await heading(ana, /900\.00/);
  await press(ana, 'Resolve…');
  await ana.page.getByLabel('The recipient has the money').check();
  await ana.page.getByLabel('How it is known').fill('line 12 of the statement of today');
  await inOrder(ana, 'payout-resolve');
  await press(ana, 'Propose the outcome');
  await press(ana, 'Confirm with a passkey');
  await ana.page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusIsKept(ana);

  await ana.page.getByRole('link', { name: 'Approvals' }).click();
  await ana.page.getByRole('link', { name: 'Resolve a payout' }).click();
  await heading(ana, 'Resolve a payout');
  await ana.page.getByText('You proposed this: another operator decides it.').waitFor();
  expect(await ana.page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
  await inOrder(ana, 'approval-own');

  await bruno.page.getByRole('link', { name: 'Approvals' }).click();
  await heading(bruno, 'Approvals');
  await bruno.page.getByRole('link', { name: 'Resolve a payout' }).waitFor();
  await inOrder(bruno, 'approvals');
  await bruno.page.getByRole('link', { name: 'Resolve a payout' }).click();
  await press(bruno, 'Approve…');
  await bruno.page.getByLabel('Reason, for the other operators').fill('seen on the statement, too');
  await press(bruno, 'Approve');
  await press(bruno, 'Confirm with a passkey');
  await bruno.page.getByRole('main').getByText('Carried out', { exact: true }).waitFor();
  await focusIsKept(bruno);
  await inOrder(bruno, 'approval-applied');
  expect((await merchant.test.get(`/v1/payouts/${id}`)).body.payout.status).toBe('PAID');
});

test('what is nowhere is said to be nowhere, and nothing is opened', async () => {
  await search(ana, 'order-9999');
  await ana.page.getByText('Nothing has exactly the value “order-9999”.').waitFor();
  await focusIsKept(ana);
  await inOrder(ana, 'search-none');
});

test('a session that was ended elsewhere is asked for over the page, which stays as it is', async () => {
  await bruno.page.getByRole('link', { name: 'Overview' }).click();
  await heading(bruno, 'Needs you');
  const identity = await pages().edge.databaseOf('identity');
  await identity.query('update session set ended_at = now() where ended_at is null');
  const dialog = bruno.page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await inOrder(bruno, 'session-ended');
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await heading(bruno, 'Needs you');
  await focusIsKept(bruno);
});
