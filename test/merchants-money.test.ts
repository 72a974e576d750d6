import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { dialogsAreGone, focusIsKept, inOrder, useConsole, type Person } from './support/console-pages.ts';
import { recipient, type NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, signInByLink, switchTo } from './support/merchant-steps.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';
import { showsPersonalData } from './support/revealed-data.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
const environments = ['test', 'live'];
let shop: NewMerchant;
let flora: Person;

test('a payment is made from the console, handed over by its page, and called off before it is paid', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul', payout_limits: { per_payout_cents: 10_000_000 } });
  flora = await pages().member('flora.reis', [{ accountId: shop.id, roles: ['owner'], environments }]);
  await signInByLink(flora);
  await switchTo(flora, 'Test');
  await go(flora, 'Payments');
  await press(flora, 'New payment');
  const dialog = flora.page.getByRole('dialog');
  await dialog.getByLabel('External id').fill('order-5001');
  await dialog.getByLabel('Amount').fill('1.234,56');
  await dialog.getByText('R$1,234.56').waitFor();
  await inOrder(flora, 'm-new-payment');
  await dialog.getByRole('button', { name: 'Create the payment (TEST)' }).click();
  await heading(flora, /1,234\.56/);
  await main(flora).getByText('Payment page').waitFor();
  await focusIsKept(flora);
  await press(flora, 'Cancel…');
  await inOrder(flora, 'm-cancel-payment');
  await press(flora, 'Cancel the payment (TEST)');
  await main(flora).getByText('Canceled or failed', { exact: true }).first().waitFor();
  await focusIsKept(flora);
  expect((await shop.test.get('/v1/deposits?external_id=order-5001')).body.data[0].status).toBe('FAILED');
});

test('finance sees available + pending + blocked = total, and exports the statement: the CSV’s sums are the balance, with names and fees, in Excel pt-BR form', async () => {
  const { test: client } = shop;
  const { id } = (await client.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-6001' })).body;
  expect((await client.post(`/v1/test/deposits/${id}/pay`)).status).toBe(200);
  const payout = { amount_cents: 12_500, external_id: 'out-6001', pix_key: 'maria@example.com', pix_key_type: 'email' };
  expect((await client.post('/v1/payouts', { ...payout, recipient })).status).toBe(201);
  await eventually(async () => {
    const { data } = (await client.get('/v1/payouts?external_id=out-6001')).body;
    expect(data[0].status).toBe('PAID');
  });
  await go(flora, 'Home');
  await main(flora).getByText('Available', { exact: true }).waitFor();
  const amounts = (await client.get('/v1/balance')).body.brl as Record<string, number>;
  const [available = 0, pending = 0, blocked = 0, total] = ['available', 'pending', 'blocked', 'total'].map(
    (name) => amounts[`${name}_cents`],
  );
  expect(available + pending + blocked).toBe(total);
  await main(flora).getByText('R$875.00').first().waitFor();
  await inOrder(flora, 'm-home-money');

  await go(flora, 'Statement');
  await main(flora).getByRole('link', { name: 'out-6001' }).first().waitFor();
  await main(flora).getByText('Available now').waitFor();
  await inOrder(flora, 'm-statement');
  const dialog = flora.page.getByRole('dialog');
  const exported = async (form: string) => {
    await press(flora, 'Export…');
    await dialog.getByLabel(form).check();
    await inOrder(flora, `m-export-${form}`);
    const saved = flora.page.waitForEvent('download');
    await press(flora, 'Make the file');
    await confirm(flora);
    const file = await readFile(await (await saved).path(), 'utf8');
    await dialogsAreGone(flora);
    return file;
  };
  const netsOf = (lines: string, mark: string) => {
    const [head = '', ...rows] = lines.trim().split(/\r?\n/);
    const at = head.split(mark).indexOf('net');
    return rows.map((row) => row.split(mark)[at] ?? '');
  };
  const sumOf = (nets: readonly string[]) => nets.reduce((sum, net) => sum + Math.round(Number(net) * 100), 0);
  const file = await exported('CSV for programs');
  expect(sumOf(netsOf(file, ','))).toBe(available);
  // As a spreadsheet in Portuguese opens it.
  const inBrazil = netsOf(await exported('Spreadsheet (CSV, Brazil)'), ';');
  expect(inBrazil.every((net) => /^-?\d+,\d\d$/.test(net))).toBe(true);
  expect(sumOf(inBrazil.map((net) => net.replace(',', '.')))).toBe(available);
  // What leaves the console as a file has the names as they are, and the fees apart.
  expect(file).toContain('Maria da Silva');
  expect(file.split('\n', 1)[0]?.split(',')).toContain('fee');
});

test('a payout is found in its list by its state, with its recipient masked and its movements', async () => {
  await go(flora, 'Payouts');
  await main(flora).getByLabel('Status').selectOption('Paid');
  await flora.page.waitForURL(/\?status=PAID$/);
  await main(flora).getByRole('link', { name: 'out-6001' }).click();
  await heading(flora, /125\.00/);
  await main(flora).getByText('M*** d*** S***').waitFor();
  await main(flora).getByRole('listitem').getByText('Payout', { exact: true }).waitFor();
  expect(await main(flora).innerText()).not.toContain('maria@example.com');
  await focusIsKept(flora);
  await inOrder(flora, 'm-payout');
  await showsPersonalData(flora, 'maria@example.com', 'm-payout-revealed');
  await flora.page.goBack();
  await heading(flora, 'Payouts');
  expect(new URL(flora.page.url()).search).toBe('?status=PAID');
  await inOrder(flora, 'm-payouts');
  await flora.page.keyboard.press('/');
  await flora.page.keyboard.type('out-6001');
  await flora.page.keyboard.press('Enter');
  await heading(flora, /125\.00/);
});

test('a payout that waits for approval is canceled with a passkey, and amount and fee are available at once', async () => {
  const available = async () => (await shop.test.get('/v1/balance')).body.brl.available_cents;
  const before = await available();
  const payout = {
    amount_cents: 1_500,
    external_id: 'out-6002',
    pix_key: 'approve@sandbox.test',
    pix_key_type: 'email',
  };
  expect((await shop.test.post('/v1/payouts', { ...payout, recipient })).body.payout.status).toBe('PENDING');
  expect(await available()).toBeLessThan(before);
  await go(flora, 'Payouts');
  await main(flora).getByRole('link', { name: 'out-6002' }).click();
  await heading(flora, /15\.00/);
  await press(flora, 'Cancel…');
  await inOrder(flora, 'm-cancel-payout');
  await press(flora, 'Cancel the payout (TEST)');
  await confirm(flora);
  await main(flora).getByText('Refused', { exact: true }).first().waitFor();
  await dialogsAreGone(flora);
  expect(await main(flora).getByRole('button', { name: 'Cancel…' }).count()).toBe(0);
  expect(await available()).toBe(before);
});

test('a dispute stands under what is to be done with the time that is left, and leads to its payment', async () => {
  const { data } = (await shop.test.get('/v1/deposits?external_id=order-6001')).body;
  expect((await shop.test.post(`/v1/test/deposits/${data[0].id}/dispute`, {})).status).toBe(200);
  await go(flora, 'Home');
  const task = main(flora).getByRole('link', { name: /^A dispute over/ });
  await task.waitFor();
  await inOrder(flora, 'm-home-dispute');
  await task.click();
  await heading(flora, /1,000\.00/);
  await main(flora).getByText('Nothing was sent yet.').waitFor();
  await main(flora).getByRole('listitem').filter({ hasText: 'Opened' }).waitFor();
  await main(flora).getByRole('listitem').filter({ hasText: 'Blocked by a dispute' }).waitFor();
  await focusIsKept(flora);
  await inOrder(flora, 'm-dispute');
  await main(flora).getByRole('link', { name: /^dep_/ }).click();
  await main(flora).getByText('Payment credited').waitFor();
  await go(flora, 'Disputes');
  await main(flora)
    .getByRole('row')
    .getByText(/ left$/)
    .waitFor();
  await inOrder(flora, 'm-disputes');
});

test('what the world would do is done by a click in test mode, with the call of a program beside it', async () => {
  const { test: client } = shop;
  const simulate = main(flora).getByRole('region', { name: 'Make it happen (TEST)' });
  const call = simulate.getByRole('region', { name: 'The same by a program' });
  const happens = async (what: string) => {
    await simulate.getByLabel(what).check();
    await simulate.getByRole('button', { name: 'Simulate (TEST)' }).click();
  };
  const shows = (state: string) => main(flora).getByText(state, { exact: true }).first().waitFor();
  const open = (page: string) => flora.page.goto(`/${shop.id}/test/${page}`);
  const charge = async (external_id: string) =>
    (await client.post('/v1/deposits', { amount_cents: 40_000, external_id })).body.id as string;
  const disputed = await charge('order-6003');
  expect((await client.post(`/v1/test/deposits/${disputed}/pay`)).status).toBe(200);
  await open(`payments/${disputed}`);
  await simulate.getByLabel('Amount', { exact: true }).fill('150');
  await call.getByText(`/v1/test/deposits/${disputed}/dispute" `).waitFor();
  await call.getByText('{"amount":15000}').waitFor();
  await inOrder(flora, 'm-simulate-dispute');
  await happens('The payer disputes it');
  await heading(flora, /150\.00/);
  await simulate.getByRole('combobox', { name: 'The same by a program' }).selectOption('TypeScript');
  await simulate.getByLabel('The payer is right').check();
  await call.getByText(/gateway\.test\.disputes\.resolve\('med_\w+', \{ result: 'lost' \}\)/).waitFor();
  await inOrder(flora, 'm-simulate-result');
  await happens('The payer is right');
  await shows('Lost');
  await expect.poll(() => simulate.count()).toBe(0);
  await focusIsKept(flora);

  await open(`payments/${await charge('order-6004')}`);
  await happens('The time runs out');
  await shows('Expired');
  const to = { pix_key: 'hold@sandbox.test', pix_key_type: 'email', recipient };
  const held = await client.post('/v1/payouts', { amount_cents: 1_000, external_id: 'out-6003', ...to });
  await open(`payouts/${held.body.payout.id}`);
  await happens('The recipient has the money');
  await shows('Paid');
  await happens('The bank of the recipient returns it');
  await shows('Payout returned by the bank');
});

test('a developer registers an endpoint, tests it, breaks it, sees the attempts, mends it, recovers 40 deliveries', async () => {
  let status = 200;
  await using receiver = await startWebhookReceiver(() => status);
  await go(flora, 'Webhooks');
  await main(flora).getByText('No endpoint yet.').waitFor();
  await inOrder(flora, 'm-webhooks-first');
  await press(flora, 'New endpoint');
  const dialog = flora.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('loja');
  await dialog.getByLabel('Address').fill(receiver.url);
  await inOrder(flora, 'm-webhook-new');
  await press(flora, 'Create the endpoint');
  await press(flora, 'Confirm with a passkey');
  await dialog
    .getByText(/^whsec_/)
    .or(dialog.locator('code'))
    .first()
    .waitFor();
  await press(flora, 'I have kept them');
  await main(flora).getByRole('link', { name: 'loja' }).click();
  await heading(flora, 'loja');
  const endpoint = new URL(flora.page.url()).pathname.split('/').at(-1);
  await press(flora, 'Send a test');
  await main(flora).getByText('Taken', { exact: true }).waitFor();
  await inOrder(flora, 'm-webhook');
  await press(flora, 'New secret…');
  await dialog.getByLabel('Both sign for').selectOption('An hour');
  await inOrder(flora, 'm-webhook-rotate');
  await press(flora, 'Make the secret');
  await confirm(flora);
  await dialog.getByText(/the old one signs X-Gateway-Signature, and this one X-Gateway-Signature-Next/).waitFor();
  await press(flora, 'I have kept them');
  await dialogsAreGone(flora);
  await press(flora, 'Send a test');
  await expect
    .poll(() => receiver.received.at(-1)?.headers)
    .toMatchObject({ 'x-gateway-signature-next': expect.any(String) as string });

  status = 500;
  const taken = receiver.received.length;
  await shop.test.post('/v1/deposits', { amount_cents: 4_200, external_id: 'order-7001' });
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(taken));
  await flora.page.reload();
  await main(flora).getByRole('link', { name: 'deposit.pending' }).click();
  await heading(flora, 'deposit.pending');
  await main(flora).getByRole('row').getByText(/500/).first().waitFor();
  await inOrder(flora, 'm-delivery-failing');

  const missed = Array.from({ length: 40 }, (_, nth) => `order-missed-${nth}`);
  for (const external_id of missed) await shop.test.post('/v1/deposits', { amount_cents: 100, external_id });
  const webhooks = await pages().edge.databaseOf('webhooks');
  // A day passes, for which they were tried in vain.
  await expect
    .poll(async () => {
      await webhooks.query('update delivery set state = 3 where endpoint_id = $1 and state = 0', [endpoint]);
      return await webhooks.query('select id from delivery where endpoint_id = $1 and state = 3', [endpoint]);
    })
    .toHaveLength(1 + missed.length);

  const failed = receiver.received.length;
  status = 200;
  await press(flora, 'Resend now');
  await main(flora).getByText('Delivered', { exact: true }).waitFor();
  await focusIsKept(flora);
  await inOrder(flora, 'm-delivery');
  await flora.page.goBack();
  await press(flora, 'Recover…');
  await inOrder(flora, 'm-recover');
  await press(flora, 'Send them again');
  await dialog.getByText('40 deliveries are sent again.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await focusIsKept(flora);
  const recovered = () => new Set(receiver.received.slice(failed).map(({ headers }) => headers['webhook-id']));
  await expect.poll(() => recovered().size).toBe(1 + missed.length);
  await main(flora).getByLabel('Status').selectOption('Failed');
  await main(flora).getByText('No record matches these filters.').waitFor();
  await press(flora, 'Remove…');
  await inOrder(flora, 'm-webhook-remove');
  await dialog.getByRole('button', { name: 'Remove the endpoint' }).click();
  await confirm(flora);
  await main(flora).getByText('No endpoint yet.').waitFor();
  await dialogsAreGone(flora);
  await press(flora, 'Secret of callbacks…');
  await press(flora, 'Make the secret');
  await confirm(flora);
  await dialog.locator('code').waitFor();
  await inOrder(flora, 'm-callback-secret');
  await press(flora, 'I have kept them');
  await dialogsAreGone(flora);
  await focusIsKept(flora);
});

test('a person sees no more of an account than their roles there allow', async () => {
  const rui = await pages().member('rui.melo', [{ accountId: shop.id, roles: ['approver'], environments }]);
  await signInByLink(rui);
  await switchTo(rui, 'Test');
  await go(rui, 'Payments');
  await main(rui).getByRole('link', { name: 'order-5001' }).waitFor();
  expect(await rui.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  expect(await rui.page.getByRole('button', { name: 'New payment' }).count()).toBe(0);
  await go(rui, 'Statement');
  await main(rui).getByText('Available now').waitFor();
  expect(await rui.page.getByRole('button', { name: 'Export…' }).count()).toBe(0);
  await inOrder(rui, 'm-statement-approver');
});
