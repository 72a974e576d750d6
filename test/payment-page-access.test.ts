import { crc32 } from 'node:zlib';
import { decode, encode } from 'fast-png';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { barriersOn } from './support/accessibility.ts';
import { headingOf, phone, picture, usePaymentPages } from './support/payment-pages.ts';

const pages = usePaymentPages();

describe('what a merchant looks like', () => {
  const logo = Buffer.from(
    encode({ width: 240, height: 80, channels: 3, data: new Uint8Array(240 * 80 * 3).fill(90), text: { author: 'x' } }),
  ).toString('base64');
  const put = (body: object) => pages().merchant.call('PUT', '/v1/account/branding', body);
  afterEach(() => put({}));

  test('is a logo and a colour on the page, and nothing else of the file that was sent', async () => {
    const set = await put({ color: '#7A1FA2', logo });
    expect([set.status, set.body.color]).toEqual([200, '#7a1fa2']);
    expect(decode(Buffer.from(set.body.logo, 'base64'))).toMatchObject({ width: 240, height: 80, text: {} });
    expect((await pages().merchant.get('/v1/account/branding')).body).toEqual(set.body);
    const { url } = await pages().deposit();
    const { page, complaints, requested } = await pages().open(url);
    await headingOf(page, 'Esperando tu pago');
    expect(await page.evaluate('document.querySelector(".logo").naturalWidth')).toBe(240);
    const color = await page.evaluate('getComputedStyle(document.getElementById("copy")).backgroundColor');
    expect(color).toBe('rgb(122, 31, 162)');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'spei-branded');
    expect(complaints).toEqual([]);
    expect(requested.every((address) => address.startsWith(pages().baseUrl))).toBe(true);
  });

  test('is taken away by leaving it out', async () => {
    await put({ color: '#7a1fa2', logo });
    expect((await put({})).body).toEqual({ color: null, logo: null });
    const { url } = await pages().deposit();
    expect((await fetch(`${url}/logo`)).status).toBe(404);
  });

  test.each([
    ['color', { color: '#ffcc00' }],
    ['color', { color: 'red;}' }],
    ['logo', { logo: 'not base64!' }],
    ['logo', { logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }],
    ['logo', { logo: logo.slice(0, 80) }],
    [
      'logo',
      {
        logo: Buffer.from(encode({ width: 1025, height: 1, channels: 1, data: new Uint8Array(1025) })).toString(
          'base64',
        ),
      },
    ],
    ['logo', { logo: withSecondHeader(Buffer.from(logo, 'base64')).toString('base64') }],
    ['font', { font: 'Comic Sans' }],
  ])('is refused naming %s: %j', async (path, body) => {
    await put({ color: '#7a1fa2' });
    const refused = await put(body);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path]);
    expect((await pages().merchant.get('/v1/account/branding')).body.color).toBe('#7a1fa2');
  });
});

/** A second header that asks a decoder for 2 GiB. */
function withSecondHeader(png: Buffer): Buffer {
  const data = Buffer.from('IHDR0000000000000', 'latin1');
  data.writeUInt32BE(2 ** 31, 4);
  data.writeUInt32BE(1, 8);
  data.set([8, 0, 0, 0, 0], 12);
  const chunk = Buffer.concat([Buffer.alloc(4), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(13, 0);
  chunk.writeUInt32BE(crc32(data), 17 + 4);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** Until the page has seen the payment, and no longer. */
async function payWithTimePaused(page: Page, id: string): Promise<void> {
  await headingOf(page, 'Esperando tu pago');
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
  await eventually(async () => {
    await page.clock.runFor(500);
    expect(await page.getByRole('heading', { name: 'Pago recibido' }).isVisible()).toBe(true);
  });
}

describe('the way back to the shop', () => {
  test('is taken by a payer who has just paid, and not by one who would rather stay', async () => {
    const shop = { return_url: `${pages().baseUrl}/v1/nowhere?order=77`, description: 'Two tickets <b>&</b> a coat' };
    const { id, url } = await pages().deposit(shop);
    // The page's time passes as the test lets it.
    const { page, complaints } = await pages().open(url, {}, (opening) => opening.clock.install());
    await page.getByText('Two tickets <b>&</b> a coat').waitFor();
    await payWithTimePaused(page, id);
    await picture(page, 'spei-paid-return');
    const back = page.getByRole('link', { name: `Volver a ${new URL(pages().baseUrl).host}` });
    expect(await back.getAttribute('href')).toBe(shop.return_url);
    await page.getByRole('button', { name: 'Quedarme en esta página' }).click();
    expect(await page.getByText('Vuelves a la tienda').isVisible()).toBe(false);
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(url);
    expect(complaints).toEqual([]);

    await page.clock.resume();
    expect(await barriersOn(page)).toEqual([]);

    const other = await pages().deposit(shop);
    const { page: leaving } = await pages().open(other.url, {}, (opening) => opening.clock.install());
    await payWithTimePaused(leaving, other.id);
    await leaving.clock.runFor(5_000);
    await leaving.waitForURL(shop.return_url);
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
    const refused = await pages().merchant.post('/v1/deposits', {
      amount_cents: 100,
      external_id: 'page-back',
      return_url,
    });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'return_url']);
  });
});

describe('nobody is kept out', () => {
  test('who reads on a dark screen', async () => {
    const { id, url } = await pages().deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await pages().open(url, { locale: 'pt-BR', colorScheme: 'dark', ...phone });
    await headingOf(page, 'Aguardando o pagamento');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgb(255, 255, 255)');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'pix-waiting-dark');
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pagamento recebido');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'pix-paid-dark');
  });

  test('of the page in any of its states', async () => {
    const { id, url } = await pages().deposit();
    const { page } = await pages().open(url, phone);
    await headingOf(page, 'Esperando tu pago');
    expect(await barriersOn(page)).toEqual([]);
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`, { amount: 50_000 });
    await page.getByText('$750.50 MXN', { exact: true }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pago recibido');
    expect(await barriersOn(page)).toEqual([]);
  });

  test('of the PIX code, of the page whose time is up, and of the one that is not found', async () => {
    const pix = await pages().deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await pages().open(pix.url, { locale: 'pt-BR' });
    await headingOf(page, 'Aguardando o pagamento');
    expect(await barriersOn(page)).toEqual([]);
    await pages().merchant.post(`/v1/test/deposits/${pix.id}/expire`);
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
    const { url } = await pages().deposit();
    const { page, status } = await pages().open(change(url), { locale: 'en-US' });
    expect(status).toBe(404);
    await headingOf(page, 'Page not found');
    await picture(page, 'not-found');
  });

  test('cannot simulate a payment from somebody else’s form', async () => {
    const { id, url } = await pages().deposit();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['', 'token=', 'token=test.acc_1.9999999999.AAAA']) {
      const answer = await fetch(`${url}/simulate`, { method: 'POST', headers: form, body, redirect: 'manual' });
      expect(answer.status).toBe(404);
    }
    expect((await pages().merchant.get(`/v1/deposits/${id}`)).body.status).toBe('PENDING');
  });

  test.each([
    [413, 'application/x-www-form-urlencoded', `token=${'x'.repeat(5_000)}`],
    [415, 'application/json', '{}'],
  ])('answers %i to what its own form never sends', async (status, type, body) => {
    const { url } = await pages().deposit();
    const answer = await fetch(`${url}/simulate`, { method: 'POST', headers: { 'content-type': type }, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });
});
