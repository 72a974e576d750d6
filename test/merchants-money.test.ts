import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import {
  type ConsolePages,
  dialogsAreGone,
  focusIsKept,
  inOrder,
  useConsole,
  type Person,
} from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, signInByLink, switchTo } from './support/merchant-steps.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole({ withIssuer: true });
const environments = ['test', 'live'];
let shop: NewMerchant;
let flora: Person;
let ines: Person;

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

test('finance sees what is available, pending and blocked add up, and the statement as a file adds up to the balance', async () => {
  const { test: client } = shop;
  const { id } = (await client.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-6001' })).body;
  expect((await client.post(`/v1/test/deposits/${id}/pay`)).status).toBe(200);
  const payout = { amount_cents: 12_500, external_id: 'out-6001', pix_key: 'maria@example.com', pix_key_type: 'email' };
  const recipient = { name: 'Maria da Silva', document: '52998224725' };
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
  // What leaves the console as a file has the names as they are.
  expect(file).toContain('Maria da Silva');
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
  await flora.page.goBack();
  await heading(flora, 'Payouts');
  expect(new URL(flora.page.url()).search).toBe('?status=PAID');
  await inOrder(flora, 'm-payouts');
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
  const recipient = { name: 'Maria da Silva', document: '52998224725' };
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

test('a developer registers an endpoint, tests it, breaks it, sees the attempts, mends it and has it sent again', async () => {
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
  await press(flora, 'Send a test');
  await main(flora).getByText('Taken', { exact: true }).waitFor();
  await inOrder(flora, 'm-webhook');

  status = 500;
  await shop.test.post('/v1/deposits', { amount_cents: 4_200, external_id: 'order-7001' });
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
  await flora.page.reload();
  await main(flora).getByRole('link', { name: 'deposit.pending' }).click();
  await heading(flora, 'deposit.pending');
  await main(flora).getByRole('row').getByText(/500/).first().waitFor();
  await inOrder(flora, 'm-delivery-failing');

  status = 200;
  await press(flora, 'Resend now');
  await main(flora).getByText('Delivered', { exact: true }).waitFor();
  await focusIsKept(flora);
  await inOrder(flora, 'm-delivery');
  await flora.page.goBack();
  await press(flora, 'Recover…');
  await inOrder(flora, 'm-recover');
  await press(flora, 'Send them again');
  await dialog.getByText(/deliveries are sent again/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
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

const issuerOf = ({ issuer }: ConsolePages) => {
  if (!issuer) throw new Error('there is no issuer');
  return issuer;
};
/** Opens the page to sign in anew, as a browser that keeps nothing of before. */
const anew = async ({ page }: Person) => {
  await page.context().clearCookies();
  await page.goto('/');
};

test('a person who enrolled with an issuer signs in there by two factors, or by the passkey as well, and confirms by the passkey', async () => {
  const issuer = issuerOf(pages());
  const olga = await pages().member('olga.sol', [{ accountId: shop.id, roles: ['owner'], environments }]);
  ines = await pages().member('ines', []);
  await signInByLink(olga);
  await olga.page.goto(`/${shop.id}/test/team`);
  await press(olga, 'Invite a person…');
  const dialog = olga.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('ines.paz');
  await dialog.getByLabel('Developer').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirm(olga);
  const link = await dialog.getByText(/welcome#/).innerText();
  await press(olga, 'I have kept them');

  await ines.page.goto(link);
  await ines.page.getByText('To sign in with Local Issuer later').waitFor();
  await inOrder(ines, 'm-enrol-with-issuer');
  await press(ines, 'Sign in with Local Issuer');
  await ines.page.getByText('You are known at Local Issuer now.').waitFor();
  await expect.poll(() => ines.page.url()).toBe(`${pages().merchantsOrigin}/welcome`);
  await ines.page.getByLabel('Name of the device').fill('laptop of ines');
  await press(ines, 'Add a passkey');
  await ines.page.getByText('confirms now that it was you').waitFor();
  await olga.page.reload();
  await press(olga, `Confirm ines.paz, with the device laptop of ines · ${issuer.subject}`);
  await confirm(olga);
  await main(olga)
    .getByRole('row', { name: /^ines.paz Active/ })
    .waitFor();

  await anew(ines);
  await ines.page.getByRole('button', { name: 'Sign in with Local Issuer' }).waitFor();
  await inOrder(ines, 'm-sign-in-with-issuer');
  await press(ines, 'Sign in with Local Issuer');
  await heading(ines, 'Home');
  // It lets in, and confirms nothing.
  await go(ines, 'Developers');
  await press(ines, 'New key');
  await ines.page.getByRole('dialog').getByLabel('Name').fill('till');
  await ines.page.getByRole('dialog').getByLabel('Payments: Read').check();
  await press(ines, 'Create the key (TEST)');
  await confirm(ines);
  await ines.page.getByText(/^sk_test_/).waitFor();

  issuer.amr = ['pwd'];
  await anew(ines);
  await press(ines, 'Sign in with Local Issuer');
  await ines.page.getByText('You are recognised, but not by two factors.').waitFor();
  await inOrder(ines, 'm-sign-in-passkey-needed');
  await press(ines, 'Sign in with a passkey');
  await heading(ines, 'Home');

  issuer.amr = ['mfa'];
});

test('a changed subject, nonce or state of a sign-in at the issuer is refused, and the true ones still sign in', async () => {
  const issuer = issuerOf(pages());
  const { page } = ines;
  const subject = issuer.subject;
  issuer.subject = 'another';
  const refused = async () => {
    await anew(ines);
    await press(ines, 'Sign in with Local Issuer');
    await page.getByText('This sign-in is not valid here').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  };
  await refused();
  issuer.subject = subject;
  for (const changed of ['nonce', 'state']) {
    await page.route(`${issuer.url}/auth?*`, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set(changed, 'of another sign-in');
      return route.continue({ url: url.href });
    });
    await refused();
    await page.unrouteAll();
  }
  await anew(ines);
  await press(ines, 'Sign in with Local Issuer');
  await heading(ines, 'Home');
});
