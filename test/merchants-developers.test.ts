import { expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { dialogsAreGone, focusIsKept, inOrder, isWhole, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { confirm, go, goByKeys, heading, main, press, signInByLink, switchTo } from './support/merchant-steps.ts';
import * as operators from './support/operator-steps.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
const environments = ['test', 'live'];
let shop: NewMerchant;
let dora: Person;
let secret = '';
let publicKey = '';

/** A call with the key that the journey has made. */
const withKey = async (method: string, path: string, body?: object) => {
  const headers = { 'x-api-key': publicKey, 'x-api-secret': secret, 'content-type': 'application/json' };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetch(`${pages().edge.stack.baseUrl}${path}`, init);
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } };
};

test('a developer makes a scoped key, whose secret is shown once; a call outside the scope is 403', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  dora = await pages().member('dora.pires', [{ accountId: shop.id, roles: ['developer'], environments }]);
  await signInByLink(dora);
  await switchTo(dora, 'Test');
  await go(dora, 'Developers');
  await heading(dora, 'Keys');
  await press(dora, 'New key');
  const dialog = dora.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('till of the shop');
  await dialog.getByLabel('Payments: Read').check();
  await dialog.getByLabel('Payments: Write').check();
  await inOrder(dora, 'm-key-new');
  await press(dora, 'Create the key (TEST)');
  await confirm(dora);
  await dialog.getByText(/^sk_test_/).waitFor();
  secret = await dialog.getByText(/^sk_test_/).innerText();
  await inOrder(dora, 'm-key-made');
  await press(dora, 'I have kept them');
  await focusIsKept(dora);
  await main(dora).getByRole('link', { name: 'till of the shop' }).click();
  await heading(dora, 'till of the shop');
  publicKey = new URL(dora.page.url()).pathname.split('/').at(-1) ?? '';
  expect(await main(dora).innerText()).not.toContain(secret);
  await inOrder(dora, 'm-key');
  const deposit = { external_id: 'order-1', amount: 1_000 };
  expect((await withKey('POST', '/v1/deposits', deposit)).status).toBe(201);
  const refused = await withKey('GET', '/v1/payouts');
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'SCOPE_MISSING']);
});

test('a call outside the scope is in the request log with the reason, and is counted for the developers', async () => {
  await go(dora, 'Developers');
  const code = main(dora).getByRole('link', { name: 'SCOPE_MISSING' });
  const called = main(dora)
    .getByRole('table', { name: 'Calls in the last 24 hours' })
    .getByRole('row')
    .filter({ hasText: publicKey.slice(-4) })
    .getByText('2', { exact: true });
  // A request is in the log, and counted, seconds after its answer.
  await eventually(
    async () => {
      await dora.page.reload();
      await heading(dora, 'Keys');
      await main(dora).getByText('All requests').waitFor();
      await isWhole(dora);
      expect(await code.count()).toBe(1);
      expect(await called.count()).toBe(1);
    },
    { timeoutMs: 180_000 },
  );
  await inOrder(dora, 'm-developers');
  await code.click();
  await heading(dora, 'Requests');
  await main(dora).getByRole('link', { name: 'GET /v1/payouts' }).waitFor();
  expect(new URL(dora.page.url()).search).toBe('?code=SCOPE_MISSING');
  await inOrder(dora, 'm-requests');
  await main(dora).getByRole('link', { name: 'GET /v1/payouts' }).click();
  await heading(dora, 'GET /v1/payouts');
  await main(dora).getByText('403 SCOPE_MISSING').waitFor();
  await main(dora)
    .getByRole('status')
    .getByText(/payouts:read/)
    .waitFor();
  await focusIsKept(dora);
  expect(await main(dora).innerText()).not.toContain(secret);
  await inOrder(dora, 'm-request');
  await main(dora)
    .getByRole('link', { name: /^ak_test_/ })
    .click();
  await heading(dora, 'till of the shop');
});

test('an allowlist names the entry that is none, is in force at once, and a key is ended by its name', async () => {
  await press(dora, 'Allowlist…');
  const dialog = dora.page.getByRole('dialog');
  await dialog.getByLabel('From').fill('203.0.113.7\nhome');
  await press(dora, 'Save the list');
  await confirm(dora);
  await dialog.getByText(/^home must be an IPv4/).waitFor();
  await inOrder(dora, 'm-key-allowlist');
  await dialog.getByLabel('From').fill('203.0.113.7');
  await press(dora, 'Save the list');
  await confirm(dora);
  await main(dora).getByText('203.0.113.7').waitFor();
  await focusIsKept(dora);
  await eventually(async () => expect((await withKey('GET', '/v1/deposits')).body.error?.code).toBe('AUTH_IP_BLOCKED'));
  await press(dora, 'Revoke…');
  await dialog.getByLabel('Type “till of the shop” to confirm').fill('till');
  await press(dora, 'Revoke the key (TEST)');
  expect(await dora.page.getByRole('button', { name: 'Confirm with a passkey' }).count()).toBe(0);
  await dialog.getByLabel('Type “till of the shop” to confirm').fill('till of the shop');
  await inOrder(dora, 'm-key-revoke');
  await press(dora, 'Revoke the key (TEST)');
  await confirm(dora);
  await main(dora).getByText('Revoked', { exact: true }).first().waitFor();
  await focusIsKept(dora);
  await eventually(async () => expect((await withKey('GET', '/v1/deposits')).body.error?.code).toBe('AUTH_INVALID'));
});

test('a live key reaches the merchant by claim link; the operator who opens the link himself gets nothing; it opens once', async () => {
  const [ana, bruno, davi] = [
    await pages().person('ana.lima', ['admin', 'treasurer']),
    await pages().person('bruno.reis', ['treasurer']),
    await pages().member('davi.paz', [{ accountId: shop.id, roles: ['developer'], environments: ['live'] }]),
  ];
  for (const person of [ana, bruno, davi]) await signInByLink(person);
  await ana.page.goto(`/accounts/${shop.id}/access`);
  await press(ana, 'New live key…');
  await operators.fill(ana, 'What it is for', 'their shop');
  await operators.because(ana, 'they go live');
  await operators.propose(ana);
  await operators.approve(bruno, ana.page.url());
  const link = await main(bruno)
    .getByText(/developers\/pk_live_/)
    .innerText();
  // Who hands it on opens it too: a page to sign in, whose console knows no operator.
  const opened = await bruno.page.context().newPage();
  await opened.goto(link);
  await opened.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await opened.content()).not.toContain('sk_live_');
  await opened.close();

  await davi.page.goto(link);
  await heading(davi, 'their shop');
  await press(davi, 'Fetch the secret');
  await confirm(davi);
  await davi.page.getByText(/^sk_live_/).waitFor();
  [publicKey, secret] = [
    new URL(link).pathname.split('/').at(-1) ?? '',
    await davi.page.getByText(/^sk_live_/).innerText(),
  ];
  await inOrder(davi, 'm-key-claimed');
  await eventually(async () => expect((await withKey('GET', '/v1/balance')).status).toBe(200));
  await press(davi, 'I have kept them');
  await davi.page.goto(link);
  await main(davi).getByText('Active', { exact: true }).waitFor();
  expect(await davi.page.getByRole('button', { name: 'Fetch the secret' }).count()).toBe(0);
  expect(await davi.page.content()).not.toContain(secret);
});

test('single keys lead through pages and rows wherever nothing is typed, are listed, and can be switched off', async () => {
  for (const id of ['order-2', 'order-3']) await shop.test.post('/v1/deposits', { external_id: id, amount_cents: 900 });
  const { keyboard } = dora.page;
  const type = async (keys: string) => {
    for (const key of keys.split(' ')) await keyboard.press(key);
  };
  await goByKeys(dora, 'p');
  await heading(dora, 'Payments');
  await main(dora).getByRole('link', { name: 'order-3' }).waitFor();
  await focusIsKept(dora);
  await type('j j');
  await expect.poll(() => dora.page.evaluate('document.activeElement?.textContent')).toBe('order-2');
  await type('Enter');
  await heading(dora, /9\.00/);
  await type('Escape');
  await heading(dora, 'Payments');
  await expect.poll(() => dora.page.evaluate('document.activeElement?.textContent')).toBe('order-2');
  await type('f');
  await expect.poll(() => dora.page.evaluate('document.activeElement?.tagName')).toBe('SELECT');
  // A letter that is typed is no command.
  await type('Escape / g w');
  expect(await dora.page.getByLabel('Search').inputValue()).toBe('gw');
  await dora.page.getByLabel('Search').fill('');
  await type('Escape ?');
  const dialog = dora.page.getByRole('dialog');
  await dialog.getByText('Next row, row before').waitFor();
  await inOrder(dora, 'm-keyboard');
  await dialog.getByLabel('Single keys are commands').uncheck();
  await type('Escape');
  await dialogsAreGone(dora);
  await goByKeys(dora, 'w');
  await heading(dora, 'Payments');
  await press(dora, 'Keyboard');
  await dialog.getByLabel('Single keys are commands').check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialogsAreGone(dora);
  await goByKeys(dora, 'w');
  await heading(dora, 'Webhooks');
});

test('an event is found by its type and read, and reaches an endpoint that is newer; a period is replayed to it once', async () => {
  await using receiver = await startWebhookReceiver();
  const given = () => receiver.received.map(({ headers }) => String(headers['webhook-id']));
  const { keyboard } = dora.page;
  const dialog = dora.page.getByRole('dialog');
  const closed = () => dialogsAreGone(dora);
  await goByKeys(dora, 'e');
  await heading(dora, 'Events');
  await main(dora).getByLabel('Event').selectOption('deposit.paid');
  await main(dora).getByText('No record matches these filters.').waitFor();
  await main(dora).getByLabel('Event').selectOption('All of payments');
  await expect.poll(() => main(dora).getByRole('row').count()).toBe(4);
  expect(new URL(dora.page.url()).search).toBe('?event=deposit.*');
  await inOrder(dora, 'm-events');
  await keyboard.press('j');
  await keyboard.press('Enter');
  await heading(dora, 'deposit.pending');
  const payload = main(dora).getByRole('region', { name: 'The record as it was then' });
  expect(JSON.parse(await payload.innerText())).toMatchObject({ status: 'PENDING', external_id: 'order-3' });
  await main(dora).getByText('No endpoint was given it.').waitFor();
  const id = new URL(dora.page.url()).pathname.split('/').at(-1) ?? '';
  await press(dora, 'Deliver…');
  await dialog.getByText('There is no endpoint yet.').waitFor();
  await keyboard.press('Escape');
  await closed();

  const endpoint = { name: 'loja', url: receiver.url, events: ['deposit.pending'] };
  expect((await shop.test.post('/v1/webhooks', endpoint)).status).toBe(201);
  await dora.page.reload();
  await press(dora, 'Deliver…');
  await inOrder(dora, 'm-event-deliver');
  await press(dora, 'Deliver it');
  await closed();
  await main(dora).getByText('Delivered', { exact: true }).waitFor();
  await focusIsKept(dora);
  expect(given()).toEqual([id]);
  await inOrder(dora, 'm-event');

  await go(dora, 'Events');
  const replay = async (outcome: string) => {
    await press(dora, 'Replay…');
    await inOrder(dora, 'm-replay');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByText(outcome).waitFor();
    await dialog.getByText('What the endpoint was given before.').waitFor();
    await inOrder(dora, 'm-replayed');
    await press(dora, 'Close');
    await closed();
    await focusIsKept(dora);
  };
  await replay('2 events that the endpoint was never given are on their way to it.');
  await eventually(() => expect(new Set(given()).size).toBe(3));
  await replay('Nothing is sent');
  expect(given()).toHaveLength(3);
});

test('a page of the log on which no event matches is not shown as its end', async () => {
  const rest = '**/v1/events?*';
  const answered = { data: [], next_cursor: 'evt_01k9z3m4v6t8x0a2c4e6g8jk01' };
  await dora.page.route(rest, (route) => route.fulfill({ json: answered }), { times: 1 });
  await main(dora).getByLabel('Event').selectOption('deposit.canceled');
  await main(dora).getByText('None on this page. Older ones may be.').waitFor();
  await main(dora).getByRole('link', { name: 'Older' }).waitFor();
  await dora.page.unroute(rest);
});

test('the event log speaks Portuguese and Spanish', async () => {
  await press(dora, 'Clear the filters');
  for (const [language, title] of [
    ['pt-BR', 'Eventos'],
    ['es-MX', 'Eventos'],
    ['en', 'Events'],
  ] as const) {
    await dora.page.locator('header select').last().selectOption(language);
    // Two of them have the same word for it.
    await dora.page.locator(`html[lang=${language}]`).waitFor();
    await heading(dora, title);
    await main(dora).getByRole('link', { name: 'deposit.pending' }).first().waitFor();
    await inOrder(dora, `m-events-${language}`);
  }
});
