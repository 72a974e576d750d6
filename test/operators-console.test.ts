import { expect, test } from 'vitest';
import { focusIsKept, inOrder, isWhole, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { heading, press } from './support/merchant-steps.ts';
import { answersForDifference } from './support/operators-at-books.ts';
import { backlogIsShown, gatewayIsShown } from './support/operators-at-overview.ts';
import { approve, because, differenceAt, propose, search } from './support/operator-steps.ts';
import { isWeighed, refusesPayout } from './support/operators-at-payouts.ts';
import { revealsDocument } from './support/revealed-data.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole({ layout: 'apart' });
const fundsCents = 10_000_000;
let ana: Person;
let bruno: Person;
let merchant: NewMerchant;

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

test('the first operator signs in by the printed link, adds a passkey, and the link is dead', async () => {
  merchant = await pages().edge.newMerchant({ payout_limits: { per_payout_cents: fundsCents } });
  const deposit = await merchant.test.post('/v1/deposits', { amount_cents: fundsCents, external_id: 'funds' });
  await merchant.test.post(`/v1/test/deposits/${deposit.body.id}/pay`);
  // Money that leaves the account at the provider without us: its statement is read within a minute.
  await pages().edge.simulate('POST', '/accounts/woovi/own-transfers', { amount_cents: -7_777 });
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

test('where no issuer is configured the page to sign in offers none', async () => {
  const { page } = await pages().person('ana.luz', ['duty']);
  const known = page.waitForResponse((response) => response.url().endsWith('/session/issuer'));
  await page.goto('/');
  expect(await (await known).json()).toEqual({ issuer: null });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  expect(await page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(1);
});

test('a payout that waits is counted on the overview, found by its external id, and approved with a passkey', async () => {
  const id = await payout('approve@sandbox.test', 'order-1001');
  await bruno.page.goto('/');
  await heading(bruno, 'Needs you');
  const link = bruno.page.getByRole('link', { name: 'Payouts to approve' });
  await link.waitFor();
  await bruno.page.getByLabel('Environment').selectOption('Test');
  const paidIn = bruno.page.getByRole('article').filter({ hasText: 'Paid in, BRL' });
  await paidIn.getByText('Success 100%').waitFor();
  const byProvider = bruno.page.getByRole('table', { name: 'By provider' });
  await byProvider.getByRole('row').filter({ hasText: 'sandbox' }).getByText('R$100,000.00').waitFor();
  expect(new URL(bruno.page.url()).search).toContain('environment=test');
  await backlogIsShown(bruno);
  await gatewayIsShown(bruno);
  await inOrder(bruno, 'overview');
  await link.click();
  await bruno.page.getByRole('row').getByText('Waits for approval').waitFor();
  await focusIsKept(bruno);
  await inOrder(bruno, 'payouts-waiting');

  await search(bruno, 'order-1001');
  await heading(bruno, /900\.00/);
  expect(new URL(bruno.page.url()).pathname).toBe(`/payouts/${id}`);
  await focusIsKept(bruno);
  await isWeighed(bruno);
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
  await refusesPayout(bruno, await payout('approve@sandbox.test', 'order-1002'));
  const [refused] = (await merchant.test.get('/v1/payouts?external_id=order-1002')).body.data;
  expect(refused.status).toBe('REJECTED');
});

test('a document is revealed: the row in the read audit is there before the answer; with the table gone the answer is 503', async () => {
  const [refused] = (await merchant.test.get('/v1/payouts?external_id=order-1002')).body.data;
  await revealsDocument(pages().edge, bruno, refused.id, '52998224725');
});

test('a stuck payout is resolved by two people as the runbook says, by clicks; the proposer’s approve button is absent', async () => {
  const id = await payout('hold@sandbox.test', 'order-1003');
  const payouts = await pages().edge.databaseOf('payouts');
  await payouts.query(
    `update payout set attention_at = now() - interval '41 minutes', attention_reason = 'outcome_unknown',
       version = version + 1 where id = $1`,
    [id],
  );
  await ana.page.getByRole('link', { name: 'Stuck money' }).first().click();
  await ana.page.getByRole('rowheader').getByRole('link').click();
  await heading(ana, /900\.00/);
  await press(ana, 'Ask the provider now');
  await ana.page.getByText('The provider was asked; this is its answer.').waitFor();
  await press(ana, 'Resolve…');
  await ana.page.getByLabel('The recipient has the money').check();
  await ana.page.getByLabel('How it is known').fill('line 12 of the statement of today');
  await inOrder(ana, 'payout-resolve');
  await propose(ana, 'Propose the outcome');
  await heading(ana, 'Resolve a payout');
  await focusIsKept(ana);
  expect(await ana.page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
  await inOrder(ana, 'approval-own');

  await bruno.page.getByRole('link', { name: 'Approvals' }).click();
  await heading(bruno, 'Approvals');
  await bruno.page.getByRole('link', { name: 'Resolve a payout' }).waitFor();
  await inOrder(bruno, 'approvals');
  await bruno.page.getByRole('link', { name: 'Resolve a payout' }).click();
  await bruno.page.getByRole('link', { name: 'Open its page' }).click();
  await heading(bruno, /900\.00/);
  await bruno.page.goBack();
  await press(bruno, 'Approve…');
  await because(bruno, 'seen on the statement, too');
  await press(bruno, 'Approve');
  await press(bruno, 'Confirm with a passkey');
  await bruno.page.getByRole('main').getByText('Carried out', { exact: true }).waitFor();
  await focusIsKept(bruno);
  await inOrder(bruno, 'approval-applied');
  expect((await merchant.test.get(`/v1/payouts/${id}`)).body.payout.status).toBe('PAID');
  await ana.page.getByRole('link', { name: 'Stuck money' }).first().click();
  await ana.page.getByText('Nothing is stuck. Checked at').waitFor();
});

test('a deposit is found by its external id, with what arrived for it and what became of that', async () => {
  await search(ana, 'funds');
  await heading(ana, /100,000\.00/);
  await ana.page.getByRole('heading', { name: 'What arrived' }).waitFor();
  await ana.page.getByRole('row').getByText('Credited', { exact: true }).waitFor();
  await focusIsKept(ana);
  await inOrder(ana, 'deposit-paid');
  await ana.page.getByRole('link', { name: 'Deposits' }).click();
  await heading(ana, 'Deposits');
  await ana.page.getByLabel('Status').selectOption('Expired');
  await ana.page.getByText('No record matches these filters.').waitFor();
  expect(new URL(ana.page.url()).search).toBe('?status=EXPIRED');
  await ana.page.getByLabel('Status').selectOption('Paid');
  await ana.page.getByRole('row').getByText('Paid', { exact: true }).first().waitFor();
  await inOrder(ana, 'deposits');
});

test('a refund and a dispute lead to their deposit, and the deadline of the dispute is in the list', async () => {
  const body = { amount_cents: 12_300, external_id: 'order-2001' };
  const { id } = (await merchant.test.post('/v1/deposits', body)).body;
  await merchant.test.post(`/v1/test/deposits/${id}/pay`);
  const part = { amount_cents: 2_300, external_id: 'back-2001', reason: 'one article was broken' };
  expect((await merchant.test.post(`/v1/deposits/${id}/refunds`, part)).status).toBe(201);
  expect((await merchant.test.post(`/v1/test/deposits/${id}/dispute`, {})).status).toBe(200);
  await ana.page.getByRole('link', { name: 'Disputes' }).click();
  await heading(ana, 'Disputes');
  await ana.page
    .getByRole('row')
    .getByText(/ left$/)
    .waitFor();
  await inOrder(ana, 'disputes');
  await ana.page.getByRole('rowheader').getByRole('link').click();
  await ana.page.getByText('The merchant has sent nothing yet.').waitFor();
  await focusIsKept(ana);
  await inOrder(ana, 'dispute');
  await ana.page.getByRole('link', { name: /^dep_/ }).click();
  await heading(ana, /123\.00/);
  await ana.page.getByRole('link', { name: 'Its refunds' }).click();
  await heading(ana, 'Refunds');
  await inOrder(ana, 'refunds');
  await ana.page.getByRole('rowheader').getByRole('link').click();
  await heading(ana, /23\.00/);
  await ana.page.getByText('one article was broken').waitFor();
  await inOrder(ana, 'refund');
});

test('a planted difference is found, followed from figure to line and, once two people have stated what it is, to ledger entry, and noted', async () => {
  const reconciler = await pages().edge.databaseOf('reconciler');
  // Its time passes, within which a record would still explain it.
  const late = `update match set deadline_at = now() where state = 'waiting' and subject like 'line:own_transfer:%' returning 1`;
  await expect.poll(async () => await reconciler.query(late)).toHaveLength(1);
  const figure = (await differenceAt(ana, 'woovi')).getByRole('link', { name: /77\.77/ });
  await figure.waitFor();
  await inOrder(ana, 'reconciliation-difference');
  await answersForDifference(ana, bruno);
  await figure.click();
  await heading(ana, 'Money to explain');
  expect(new URL(ana.page.url()).search).toBe('?provider=woovi&status=OPEN');
  const line = ana.page.getByRole('link', { name: 'The provider moved money that the ledger has not' });
  await expect
    .poll(async () => {
      await ana.page.reload();
      await isWhole(ana);
      return await line.count();
    })
    .toBe(1);
  await inOrder(ana, 'exceptions');
  await line.click();
  await heading(ana, /77\.77/);
  await ana.page
    .getByRole('row')
    .filter({ hasText: 'Own transfer' })
    .getByText(/R\$77\.77/)
    .waitFor();
  await ana.page.getByText('No record, ledger or delivery is about it.').waitFor();
  await focusIsKept(ana);
  await inOrder(ana, 'exception');
  await press(ana, 'Resolve…');
  await ana.page.getByLabel('It is a transfer of our own money').check();
  await ana.page.getByLabel('Why, for the other operator').fill('taken out for the taxes of November');
  await inOrder(ana, 'exception-resolve');
  await propose(ana);
  await approve(bruno, ana.page.url());
  await ana.page.goBack();
  const entry = ana.page
    .getByRole('row')
    .filter({ hasText: 'Ledger' })
    .getByText(/R\$77\.77/);
  await expect
    .poll(async () => {
      await ana.page.reload();
      await isWhole(ana);
      return await entry.count();
    })
    .toBe(1);
  await ana.page.getByText('taken out for the taxes of November').waitFor();
  await inOrder(ana, 'exception-resolved');
  await (await differenceAt(bruno, 'woovi')).getByText('none', { exact: true }).waitFor();
});

test('an item of a list that could not be read is tried again from its row, and dismissed by two people', async () => {
  const deposits = await pages().edge.databaseOf('deposits');
  await deposits.query(`
    insert into item_inbox (environment, provider, feed, key, raw, state, cause, first_seen)
    values ('live', 'efi', 'payments', 'E-unreadable', '{}', 'UNREADABLE', 'not tried again yet', now())`);
  await ana.page.getByRole('link', { name: 'Feeds', exact: true }).click();
  const row = ana.page.getByRole('row').filter({ hasText: 'E-unreadable' });
  await row.getByText('not tried again yet').waitFor();
  await row.getByRole('button', { name: 'Try it now' }).click();
  const stored = async () =>
    (
      await deposits.query<{ state: string; cause: string | null }>(
        `select state, cause from item_inbox where key = 'E-unreadable'`,
      )
    )[0];
  await expect.poll(async () => (await stored())?.cause, { timeout: 30_000 }).not.toBe('not tried again yet');
  await row.getByRole('button', { name: 'Dismiss…' }).click();
  await ana.page.getByLabel('Reason, for the other operators').fill('a line of our own test');
  await propose(ana);
  await approve(bruno, ana.page.url());
  expect((await stored())?.state).toBe('DISMISSED');
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
