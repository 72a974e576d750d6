import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { barriersOn, rolesOn } from './support/accessibility.ts';
import { callForAll } from './support/call-for-all.ts';
import { focusIsKept, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { filtersByMetadata, go, heading, main, press, signInByLink, switchTo } from './support/merchant-steps.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole({ layout: 'apart' });
const environments = ['test', 'live'];
let shop: NewMerchant;
let other: NewMerchant;
let olga: Person;
let eva: Person;

async function charge(merchant: NewMerchant, externalId: string, amount: number): Promise<string> {
  const payer = { name: 'Maria da Silva', document: '52998224725' };
  const made = await merchant.test.post('/v1/deposits', { amount_cents: amount, external_id: externalId, payer });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** Until the page hears of what changes. */
const follows = ({ page }: Person) =>
  page.getByTitle('Whether this page follows what changes').filter({ hasText: 'Real time' }).waitFor();

test('a person of a merchant signs in by a link, adds a passkey, and begins in live mode of their account', async () => {
  [shop, other] = [
    await pages().edge.newMerchant({ name: 'Loja Azul' }),
    await pages().edge.newMerchant({ name: 'Loja Verde' }),
  ];
  olga = await pages().member('olga.dias', [
    { accountId: shop.id, roles: ['owner'], environments },
    { accountId: other.id, roles: ['viewer'], environments: ['test'] },
  ]);
  await signInByLink(olga);
  await focusIsKept(olga);
  await inOrder(olga, 'm-my-sign-in');
  await go(olga, 'Home');
  await heading(olga, 'Home');
  expect(new URL(olga.page.url()).pathname).toBe(`/${shop.id}/live/`);
  await main(olga).getByText('No payment yet.').waitFor();
  expect(await olga.page.getByText('no real money on this page').count()).toBe(0);
  await inOrder(olga, 'm-home-first');
});

test('switching to test keeps the page and changes colour, word and data; no live record is reachable from a test page', async () => {
  const made = await shop.live.post('/v1/deposits', { amount_cents: 5_000, external_id: 'live-1' });
  await charge(shop, 'order-1001', 12_345);
  await go(olga, 'Payments');
  await main(olga).getByRole('link', { name: 'live-1' }).click();
  await heading(olga, /50\.00/);
  const icon = olga.page.locator('link[rel=icon]');
  const liveIcon = await icon.getAttribute('href');
  await switchTo(olga, 'Test');
  await heading(olga, 'Payments');
  expect(new URL(olga.page.url()).pathname).toBe(`/${shop.id}/test/payments`);
  await olga.page.getByText('TEST: no real money on this page').waitFor();
  expect(await icon.getAttribute('href')).not.toBe(liveIcon);
  await main(olga).getByRole('link', { name: 'order-1001' }).waitFor();
  expect(await main(olga).getByRole('link', { name: 'live-1' }).count()).toBe(0);
  await inOrder(olga, 'm-payments-test');
  await olga.page.goto(`/${shop.id}/test/payments/${made.body.id}`);
  await main(olga).getByText('There is no such record in this account').waitFor();
  expect(await main(olga).getByText('50.00').count()).toBe(0);
  await inOrder(olga, 'm-payment-not-here');
});

test('a payment is found by its order, paid in test mode, and shows who paid it, what was credited and what was sent', async () => {
  await olga.page.keyboard.press('/');
  await olga.page.keyboard.type('order-1001');
  await olga.page.keyboard.press('Enter');
  await heading(olga, /123\.45/);
  await focusIsKept(olga);
  await inOrder(olga, 'm-payment-waiting');
  await press(olga, 'Pay it (TEST)');
  await main(olga).getByText('Paid', { exact: true }).first().waitFor();
  await main(olga).getByText('Payment credited').waitFor();
  await focusIsKept(olga);
  // Whose it is is masked, as everywhere.
  expect(await main(olga).innerText()).not.toContain('52998224725');
  await inOrder(olga, 'm-payment-paid');
  await go(olga, 'Home');
  await main(olga).getByText('Available').waitFor();
  const paid = main(olga).getByRole('article').filter({ hasText: 'Paid in, BRL' });
  await paid.getByText('Success 100% · 1 of 1').waitFor();
  await inOrder(olga, 'm-home');
});

test('what a picture shows is read by the arrow keys and as a table, and its period is in the address', async () => {
  await main(olga).getByLabel('Period').selectOption('7 days');
  await expect.poll(() => new URL(olga.page.url()).search).toBe('?period=week');
  const paid = main(olga).getByRole('article').filter({ hasText: 'Paid in, BRL' });
  const slider = paid.getByRole('slider', { name: 'Paid in, BRL: Amount' });
  const words = async () => await slider.getAttribute('aria-valuetext');
  await expect.poll(words).toContain('R$123.45 · Success 100%');
  await slider.press('ArrowLeft');
  await expect.poll(words).toContain('nothing ended');
  await paid.getByText('As a table').click();
  await paid.getByRole('row').filter({ hasText: '123.45' }).waitFor();
  await expect.poll(() => paid.getByRole('row').count()).toBe(8);
  await main(olga).getByRole('article').filter({ hasText: 'Balance over time' }).getByText('As a table').waitFor();
  await main(olga).getByLabel('Show').selectOption('Success');
  await paid.getByRole('slider', { name: 'Paid in, BRL: Success' }).waitFor();
  await inOrder(olga, 'm-home-week');
});

test('the filters of the payments are in the address, which opens the same list again', async () => {
  await charge(shop, 'order-1002', 2_000);
  await go(olga, 'Payments');
  await main(olga).getByLabel('Status').selectOption('Waits for payment');
  await main(olga).getByRole('link', { name: 'order-1002' }).waitFor();
  await expect.poll(() => main(olga).getByRole('link', { name: 'order-1001' }).count()).toBe(0);
  expect(new URL(olga.page.url()).search).toBe('?status=PENDING');
  await main(olga).getByLabel('External id').fill('order-9999');
  await main(olga).getByLabel('External id').press('Enter');
  await main(olga).getByText('No record matches these filters.').waitFor();
  await inOrder(olga, 'm-payments-none');
  await olga.page.reload();
  await main(olga).getByText('No record matches these filters.').waitFor();
  await press(olga, 'Clear the filters');
  await main(olga).getByRole('link', { name: 'order-1001' }).waitFor();
  await focusIsKept(olga);
  await main(olga).getByText('More filters').click();
  await main(olga).getByLabel('Amount from').fill('123,00');
  await main(olga).getByLabel('CPF or CNPJ').fill('529.982.247-25');
  await press(olga, 'Filter');
  await expect.poll(() => new URL(olga.page.url()).searchParams.get('min_amount')).toBe('12300');
  await expect.poll(() => main(olga).getByRole('link', { name: 'order-1002' }).count()).toBe(0);
  await main(olga).getByRole('link', { name: 'order-1001' }).waitFor();
  expect(await main(olga).getByLabel('Amount from').inputValue()).toBe('123.00');
  await inOrder(olga, 'm-payments-more-filters');
  await press(olga, 'Clear the filters');
  await main(olga).getByRole('link', { name: 'order-1002' }).waitFor();
  await filtersByMetadata(shop, olga);
});

test('a person of two accounts never sees a record of the other', async () => {
  const id = await charge(other, 'order-of-green', 7_700);
  await olga.page.goto(`/${shop.id}/test/payments/${id}`);
  await main(olga).getByText('There is no such record in this account').waitFor();
  expect(await main(olga).getByText('77.00').count()).toBe(0);
  await olga.page.getByLabel('Account').selectOption('Loja Verde');
  await main(olga).getByRole('link', { name: 'order-of-green' }).waitFor();
  expect(new URL(olga.page.url()).pathname).toBe(`/${other.id}/test/`);
  expect(await main(olga).getByRole('link', { name: 'order-1001' }).count()).toBe(0);
  // A viewer of the account makes nothing in it.
  await main(olga).getByRole('link', { name: 'order-of-green' }).click();
  await heading(olga, /77\.00/);
  expect(await main(olga).getByRole('button', { name: 'Pay it (TEST)' }).count()).toBe(0);
  await olga.page.goto(`/${other.id}/live/payments`);
  await heading(olga, 'This account is not one of yours');
  await inOrder(olga, 'm-not-yours');
});

test('signed out, no page opens anything, and the passkey opens the same page again', async () => {
  await olga.page.goto(`/${shop.id}/test/payments`);
  await heading(olga, 'Payments');
  await press(olga, 'Sign out');
  await heading(olga, 'Sign in');
  await olga.page.goto(`/${shop.id}/test/payments`);
  await heading(olga, 'Sign in');
  await inOrder(olga, 'm-sign-in');
  await press(olga, 'Sign in with a passkey');
  await heading(olga, 'Payments');
  await focusIsKept(olga);
});

test('the console speaks Portuguese and Spanish, and money and times with it', async () => {
  for (const [language, title, amount] of [
    ['pt-BR', 'Pagamentos', /R\$\s123,45/],
    ['es-MX', 'Pagos', /R\$\s?123\.45/],
    ['en', 'Payments', /R\$\s?123\.45/],
  ] as const) {
    await olga.page.locator('header select').last().selectOption(language);
    await heading(olga, title);
    await main(olga).getByText(amount).first().waitFor();
    await inOrder(olga, `m-payments-${language}`);
  }
});

test('what an operator has frozen stands on every page of the account', async () => {
  const freeze = { level: 'payouts', environment: 'test', reason: 'asked by the merchant' };
  expect((await pages().edge.operate('POST', `/ops/accounts/${shop.id}/freeze`, freeze)).status).toBe(200);
  await olga.page.reload();
  await main(olga).getByText('Payouts of this account are stopped').waitFor();
  await heading(olga, 'Payments');
  await inOrder(olga, 'm-frozen');
});

test('killing deposits leaves the other parts of a record readable, names what is missing, and heals by itself', async () => {
  const { data } = (await shop.test.get('/v1/deposits?external_id=order-1001')).body;
  eva = await pages().member('eva.luz', [{ accountId: shop.id, roles: ['owner'], environments }]);
  await signInByLink(eva);
  const deposits = pages().edge.stack.process('deposits');
  await deposits.stop();
  await eva.page.goto(`/${shop.id}/test/payments/${data[0].id}`);
  await main(eva).getByText('the deposits service is not there').waitFor();
  await main(eva).getByText('Payment credited').waitFor();
  await main(eva).getByRole('heading', { name: 'Webhooks' }).waitFor();
  expect(await barriersOn(eva.page)).toEqual([]);
  await deposits.start();
  await heading(eva, /123\.45/);
  await expect.poll(() => main(eva).getByRole('alert').count()).toBe(0);
  await main(eva).getByText('Payment credited').waitFor();
});

test('a list is a table to those who hear it, on a phone as on a wide screen', async () => {
  await eva.page.goto(`/${shop.id}/test/payments`);
  await main(eva).getByRole('link', { name: 'order-1002' }).waitFor();
  const partsOf = async () => {
    const { table, row, columnheader, rowheader, cell } = await rolesOn(eva.page);
    return { table, row, columnheader, rowheader, cell };
  };
  const wide = await partsOf();
  expect(wide).toMatchObject({ table: 1, row: 4, rowheader: 3 });
  // A card has few facts: which record it is of stands on the page of the payment.
  const id = main(eva).getByRole('row', { name: 'order-1002' }).getByText(/^dep_/);
  expect(await id.isVisible()).toBe(true);
  await eva.page.setViewportSize({ width: 360, height: 740 });
  await id.waitFor({ state: 'hidden' });
  expect(await partsOf()).toEqual(wide);
});

test('an open list does not move while 1,000 deposits are paid; the button says how many; nothing is missing after it', async () => {
  const orders = Array.from({ length: 1_000 }, (_, nth) => `while-open-${nth}`);
  const made = await callForAll(orders, 201, (external_id) =>
    shop.test.post('/v1/deposits', { amount_cents: 1_000, external_id }),
  );
  const ids = made.map(({ body }) => body.id as string);
  // What happened before the page was opened is no change of it.
  await callForAll(ids.slice(-50), 200, async (id) => {
    const logged = await shop.test.get(`/v1/events?event=deposit.pending&data_id=${id}`);
    expect(logged.body.data).toHaveLength(1);
    return logged;
  });
  await olga.page.goto(`/${shop.id}/test/payments?status=PAID`);
  await main(olga).getByRole('link', { name: 'order-1001' }).waitFor();
  await follows(olga);
  const rows = () => main(olga).getByRole('rowheader').allInnerTexts();
  const before = await rows();
  await callForAll(ids, 200, (id) => shop.test.post(`/v1/test/deposits/${id}/pay`, {}));
  await main(olga).getByRole('button', { name: '1000 changes: read again' }).waitFor();
  expect(await rows()).toEqual(before);
  await inOrder(olga, 'm-payments-changes');
  await press(olga, '1000 changes: read again');
  await main(olga).getByRole('link', { name: 'while-open-999', exact: true }).waitFor();
  await focusIsKept(olga);
  const again = main(olga).getByRole('button', { name: /read again/ });
  expect(await again.count()).toBe(0);
  const shown = new Set(await rows());
  const older = main(olga).getByRole('link', { name: 'Older' });
  while ((await older.count()) > 0) {
    const [first] = await rows();
    await older.click();
    const isNext = async () => ![undefined, first].includes((await rows())[0]);
    await expect.poll(isNext).toBe(true);
    for (const row of await rows()) shown.add(row);
  }
  expect(orders.filter((order) => !shown.has(order))).toEqual([]);
});

test('an open payment shows in place what went back of it, and the refund has a page with its timeline', async () => {
  const id = await charge(other, 'refunded-elsewhere', 3_300);
  expect((await other.test.post(`/v1/test/deposits/${id}/pay`, {})).status).toBe(200);
  await olga.page.goto(`/${other.id}/test/payments/${id}`);
  await main(olga).getByText('Payment credited').waitFor();
  await follows(olga);
  const back = { amount_cents: 3_300, external_id: 'back-1' };
  expect((await other.test.post(`/v1/deposits/${id}/refunds`, back)).status).toBe(201);
  // A paid payment is read again by itself only for what the stream says.
  await main(olga).getByText('Refunded', { exact: true }).waitFor();
  await main(olga).getByRole('link', { name: 'back-1' }).click();
  await main(olga).getByText('Refund done', { exact: true }).waitFor();
  await main(olga).getByText('Refund begun', { exact: true }).waitFor();
  await inOrder(olga, 'm-refund-done');
});

test('the merchants are served nothing of the operators, and no more than a first visit may cost', async () => {
  const codeAt = async (origin: string) => {
    const loaded = new Map<string, string>();
    const names = (text: string) => text.match(/[\w-]+\.(?:js|css)\b/g) ?? [];
    const load = async (name: string): Promise<void> => {
      if (loaded.has(name)) return;
      const answer = await fetch(`${origin}/assets/${name}`);
      if (answer.status !== 200) return;
      loaded.set(name, await answer.text());
      for (const next of names(loaded.get(name) ?? '')) await load(next);
    };
    const page = await (await fetch(`${origin}/`, { headers: { accept: 'text/html' } })).text();
    for (const name of names(page)) await load(name);
    return loaded;
  };
  const { origin, merchantsOrigin } = pages();
  const [operators, merchants] = [await codeAt(origin), await codeAt(merchantsOrigin)];
  const all = [...merchants.values()];
  expect([...operators.values()].some((code) => code.includes('/ops/'))).toBe(true);
  expect(all.filter((code) => code.includes('/ops/') || code.includes('Gateway operations'))).toEqual([]);
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(merchants.get(name) ?? '').length, 0);
  const first = await loadedAtFirst();
  expect(sizeOf(first)).toBeGreaterThan(0);
  expect(sizeOf(first)).toBeLessThan(220 * 1024);
  for (const name of [...merchants.keys()].filter((each) => !first.has(each))) {
    expect(sizeOf([name]), name).toBeLessThan((name.endsWith('.js') ? 25 : 6) * 1024);
  }
});

/** What the browser of a person who comes for the first time loads until Home is shown. */
async function loadedAtFirst(): Promise<Set<string>> {
  const nina = await pages().member('nina.reis', [{ accountId: shop.id, roles: ['owner'], environments }]);
  const loaded = new Set<string>();
  nina.page.on('response', (response) => loaded.add(response.url().split('/assets/')[1] ?? ''));
  await signInByLink(nina);
  await go(nina, 'Home');
  await heading(nina, 'Home');
  await main(nina).getByText('No payment or payout ended').waitFor();
  return loaded;
}
