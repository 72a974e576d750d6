import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { barriersOn } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';
import { MerchantClient } from './support/merchant-client.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;
/** Where there is no Chromium yet it is installed first. */
const installTimeoutMs = 600_000;
/** Where to put pictures of the page, to be looked at. */
const screenshots = process.env.SCREENSHOTS_DIR;

let stack: Stack;
let browser: Browser;
let merchant: MerchantClient;
const stopping = new AsyncDisposableStack();
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  browser = await launchChromium();
  stopping.defer(() => browser.close());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
}, installTimeoutMs);
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => stopping.disposeAsync());

let orders = 0;

async function deposit(changes: object = {}): Promise<{ id: string; url: string }> {
  orders += 1;
  const body = { amount: 125_050, currency: 'MXN', external_id: `page-${orders}`, ...changes };
  const created = await merchant.post('/v1/deposits', body);
  expect(created.status).toBe(201);
  return { id: created.body.id, url: created.body.charge.redirect_url };
}

async function open(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'es-MX', ...options });
  contexts.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requested.push(request.url()));
  const response = await page.goto(url);
  return { page, response, complaints, requested };
}

async function picture(page: Page, name: string): Promise<void> {
  if (screenshots) await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
}

const headingOf = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

describe('the page of a SPEI deposit', () => {
  test('shows amount, account number and time left, and becomes a receipt by itself when it is paid', async () => {
    const { id, url } = await deposit();
    const { page, response, complaints, requested } = await open(url);
    expect(response?.headers()['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-/,
    );
    await headingOf(page, 'Esperando tu pago');
    await page.getByText('$1,250.50 MXN').waitFor();
    const digits = await page.getByRole('button', { name: 'Copiar' }).getAttribute('data-copy');
    expect(digits).toMatch(/^\d{18}$/);
    expect(await page.locator('#code').textContent()).toBe(digits);
    await page.getByText(/^Paga antes del .+ \(hora de Ciudad de México\)$/).waitFor();
    await picture(page, 'spei-waiting-desktop');

    await merchant.post(`/v1/test/deposits/${id}/pay`, { amount: 50_000 });
    await page.getByText('Recibimos $500.00 MXN de $1,250.50 MXN').first().waitFor();
    await page.getByText('$750.50 MXN', { exact: true }).waitFor();
    await picture(page, 'spei-partial-desktop');

    await merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pago recibido');
    expect(await page.getByRole('status').textContent()).toBe('Pago recibido');
    expect(await page.title()).toMatch(/^Pago recibido · /);
    await picture(page, 'spei-paid-desktop');
    await page.reload();
    await headingOf(page, 'Pago recibido');
    expect(complaints).toEqual([]);
    // Nothing comes from anybody else.
    expect(requested.every((address) => address.startsWith(stack.baseUrl))).toBe(true);
  });

  test('counts down the last hour alone', async () => {
    const { url } = await deposit({ expires_in_sec: 86_400 });
    const { page } = await open(url);
    expect(await page.locator('#time').isVisible()).toBe(false);
    const soon = await deposit({ expires_in_sec: 1_800 });
    await page.goto(soon.url);
    const before = await page.getByRole('timer').textContent();
    expect(before).toMatch(/^(29|30):\d\d$/);
    await expect.poll(() => page.getByRole('timer').textContent()).not.toBe(before);
  });

  test('copies the account number', async () => {
    const { url } = await deposit();
    const { page } = await open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('#code').textContent());
  });

  test('says when the time is up, and still when it is loaded again', async () => {
    const { id, url } = await deposit();
    const { page } = await open(url);
    await headingOf(page, 'Esperando tu pago');
    await merchant.post(`/v1/test/deposits/${id}/expire`);
    await headingOf(page, 'El plazo terminó');
    await picture(page, 'spei-expired-desktop');
    await page.reload();
    await headingOf(page, 'El plazo terminó');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('fits a phone, and its button simulates the payment in test mode', async () => {
    const { id, url } = await deposit();
    const { page } = await open(url, phone);
    await picture(page, 'spei-waiting-phone');
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(phone.viewport.width);
    await page.getByRole('button', { name: 'Simular el pago' }).click();
    await headingOf(page, 'Pago recibido');
    await picture(page, 'spei-paid-phone');
    expect((await merchant.get(`/v1/deposits/${id}`)).body.status).toBe('PAID');
  });

  test('works without JavaScript: it refreshes itself, the code can be selected, the form pays', async () => {
    const { url } = await deposit();
    const { page } = await open(url, { javaScriptEnabled: false, ...phone });
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('15');
    expect(await page.locator('noscript p').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copiar' }).count()).toBe(0);
    await picture(page, 'spei-waiting-noscript');
    await page.getByRole('button', { name: 'Simular el pago' }).click();
    await headingOf(page, 'Pago recibido');
  });

  test('can be used by keyboard alone', async () => {
    const { url } = await deposit();
    const { page } = await open(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('copy');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await headingOf(page, 'Pago recibido');
  });
});

describe('the languages', () => {
  test.each([
    ['pt-BR', 'Aguardando o pagamento', 'pt-BR'],
    ['es-419', 'Esperando tu pago', 'es-MX'],
    ['en-GB', 'Waiting for your payment', 'en-US'],
    ['fr-FR', 'Waiting for your payment', 'en-US'],
  ])('of somebody who reads %s', async (locale, heading, lang) => {
    const { url } = await deposit();
    const { page } = await open(url, { locale });
    await headingOf(page, heading);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    await picture(page, `language-${locale}`);
  });
});

describe('the way back to the shop', () => {
  test('is taken by a payer who has just paid, and not by one who would rather stay', async () => {
    const shop = { return_url: `${stack.baseUrl}/v1/nowhere?order=77`, description: 'Two tickets <b>&</b> a coat' };
    const { id, url } = await deposit(shop);
    const { page, complaints } = await open(url);
    await page.getByText('Two tickets <b>&</b> a coat').waitFor();
    await headingOf(page, 'Esperando tu pago');
    await merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pago recibido');
    await picture(page, 'spei-paid-return');
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Quedarme en esta página' }).click();
    expect(await page.getByText('Vuelves a la tienda').isVisible()).toBe(false);
    const back = page.getByRole('link', { name: `Volver a ${new URL(stack.baseUrl).host}` });
    expect(await back.getAttribute('href')).toBe(shop.return_url);
    expect(complaints).toEqual([]);

    const other = await deposit(shop);
    await page.goto(other.url);
    await merchant.post(`/v1/test/deposits/${other.id}/pay`);
    await page.waitForURL(shop.return_url);
    // A receipt that is opened later stays open.
    await page.goto(other.url);
    await headingOf(page, 'Pago recibido');
    expect(await page.locator('#leaving').isVisible()).toBe(false);
  });

  test.each([
    'http://shop.example/done',
    'javascript:alert(1)',
    'https://user:pass@shop.example/',
    'shop.example',
    'data:text/html,x',
    '',
  ])('is never %j', async (return_url) => {
    const refused = await merchant.post('/v1/deposits', { amount_cents: 100, external_id: 'page-back', return_url });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'return_url']);
  });
});

test('the reader can choose another language, and it stays chosen while the page changes', async () => {
  const { id, url } = await deposit();
  const { page, complaints } = await open(url, { locale: 'pt-BR' });
  await headingOf(page, 'Aguardando o pagamento');
  await page.getByRole('navigation', { name: 'Idioma' }).getByRole('link', { name: 'English' }).click();
  await headingOf(page, 'Waiting for your payment');
  await page.getByText('$1,250.50 MXN').waitFor();
  await merchant.post(`/v1/test/deposits/${id}/pay`);
  await headingOf(page, 'Payment received');
  // What is not a language of ours is no choice.
  await page.goto(`${url}?lang=xx`);
  await headingOf(page, 'Pagamento recebido');
  expect(complaints).toEqual([]);
});

describe('the page of a PIX deposit', () => {
  test('shows the code and its picture, in the language of the payer', async () => {
    const { id, url } = await deposit({ amount: 10_050, currency: 'BRL' });
    const { page, complaints } = await open(url, { locale: 'pt-BR', ...phone });
    await page.getByText('Código QR, para ler com outro aparelho').click();
    await page.getByRole('img', { name: 'Código QR do PIX' }).waitFor();
    await page.getByText('R$ 100,50').waitFor();
    const code =
      (await merchant.get(`/v1/deposits/${id}`)).body.pix?.emv ?? (await page.locator('#code').textContent());
    expect(await page.locator('#code').textContent()).toBe(code);
    await picture(page, 'pix-waiting-phone');
    await merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pagamento recebido');
    expect(complaints).toEqual([]);
  });

  test('has the code before its picture on a phone, and the picture first where there is room', async () => {
    const { url } = await deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await open(url, { locale: 'pt-BR', ...phone });
    const img = page.getByRole('img', { name: 'Código QR do PIX' });
    const copy = page.getByRole('button', { name: 'Copiar' });
    const copyBox = await copy.boundingBox();
    expect((copyBox?.y ?? Infinity) + (copyBox?.height ?? 0)).toBeLessThan(phone.viewport.height);
    expect(await img.isVisible()).toBe(false);
    await page.getByText('Código QR, para ler com outro aparelho').click();
    expect((await img.boundingBox())?.y).toBeGreaterThan(copyBox?.y ?? Infinity);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    expect((await img.boundingBox())?.y).toBeLessThan((await copy.boundingBox())?.y ?? 0);
    await picture(page, 'pix-waiting-desktop');
  });

  test('is a receipt once it is paid, and a calm one when the money went back', async () => {
    const { id, url } = await deposit({ amount: 10_050, currency: 'BRL' });
    await merchant.post(`/v1/test/deposits/${id}/pay`);
    const { page, complaints } = await open(url, { locale: 'pt-BR' });
    const paid = (await merchant.get(`/v1/deposits/${id}`)).body;
    await page.getByRole('heading', { name: 'Comprovante' }).waitFor();
    await page.getByText(paid.e2e_id, { exact: true }).waitFor();
    await page.getByText(/\(horário de Brasília\)$/).waitFor();
    await page.getByText('R$ 100,50', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Imprimir ou salvar' }).isVisible()).toBe(true);
    await picture(page, 'pix-paid-desktop');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });

    const refund = await merchant.post(`/v1/deposits/${id}/refunds`, { external_id: `back-${id}` });
    expect(refund.status).toBe(201);
    const returned = await eventually(async () => {
      const { body } = await merchant.get(`/v1/refunds/${refund.body.refund.id}`);
      expect(body.status).toBe('DONE');
      return body;
    });
    await page.reload();
    await headingOf(page, 'Pagamento devolvido');
    expect(await page.locator('.ended.neutral').count()).toBe(1);
    await page.getByText(returned.return_id, { exact: true }).waitFor();
    await picture(page, 'pix-refunded-desktop');
    expect(complaints).toEqual([]);
  });
});

describe('nobody is kept out', () => {
  test('who reads on a dark screen', async () => {
    const { id, url } = await deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await open(url, { locale: 'pt-BR', colorScheme: 'dark', ...phone });
    await headingOf(page, 'Aguardando o pagamento');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgb(255, 255, 255)');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'pix-waiting-dark');
    await merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pagamento recebido');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'pix-paid-dark');
  });

  test('of the page in any of its states', async () => {
    const { id, url } = await deposit();
    const { page } = await open(url, phone);
    await headingOf(page, 'Esperando tu pago');
    expect(await barriersOn(page)).toEqual([]);
    await merchant.post(`/v1/test/deposits/${id}/pay`, { amount: 50_000 });
    await page.getByText('$750.50 MXN', { exact: true }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pago recibido');
    expect(await barriersOn(page)).toEqual([]);
  });

  test('of the PIX code, of the page whose time is up, and of the one that is not found', async () => {
    const pix = await deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await open(pix.url, { locale: 'pt-BR' });
    await headingOf(page, 'Aguardando o pagamento');
    expect(await barriersOn(page)).toEqual([]);
    await merchant.post(`/v1/test/deposits/${pix.id}/expire`);
    await headingOf(page, 'O prazo terminou');
    expect(await barriersOn(page)).toEqual([]);
    await page.goto(`${pix.url}x`);
    await headingOf(page, 'Página não encontrada');
    expect(await barriersOn(page)).toEqual([]);
    // The audit looks: it finds what is broken on purpose.
    await page.evaluate(`document.documentElement.lang = ''; document.querySelector('h1').style.color = '#eee'`);
    expect((await barriersOn(page)).map((barrier) => barrier.split(':')[0]).sort()).toEqual([
      'color-contrast',
      'html-has-lang',
    ]);
  });
});

describe('a link that is not ours', () => {
  test.each([
    ['a changed token', (url: string) => url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['the token of another deposit', (url: string) => url.replace(/dep_\w{26}/, 'dep_01k9z3m4v6t8x0a2c4e6g8jk02')],
    ['a later expiry', (url: string) => url.replace(/\.(\d{10})\./, (_all, expiry) => `.${Number(expiry) + 1}.`)],
    ['no token', (url: string) => url.replace(/\/[^/]+$/, '/x')],
  ])('with %s is a page that says nothing', async (_name, change) => {
    const { url } = await deposit();
    const { page, response } = await open(change(url), { locale: 'en-US' });
    expect(response?.status()).toBe(404);
    await headingOf(page, 'Page not found');
    await picture(page, 'not-found');
  });

  test('cannot simulate a payment from somebody else’s form', async () => {
    const { id, url } = await deposit();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['', 'token=', 'token=test.acc_1.9999999999.AAAA']) {
      const answer = await fetch(`${url}/simulate`, { method: 'POST', headers: form, body, redirect: 'manual' });
      expect(answer.status).toBe(404);
    }
    expect((await merchant.get(`/v1/deposits/${id}`)).body.status).toBe('PENDING');
  });

  test.each([
    [413, 'application/x-www-form-urlencoded', `token=${'x'.repeat(5_000)}`],
    [415, 'application/json', '{}'],
  ])('answers %i to what its own form never sends', async (status, type, body) => {
    const { url } = await deposit();
    const answer = await fetch(`${url}/simulate`, { method: 'POST', headers: { 'content-type': type }, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });
});
