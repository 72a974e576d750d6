import { describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { headingOf, phone, picture, usePaymentPages } from './support/payment-pages.ts';

const pages = usePaymentPages();

describe('the page of a SPEI deposit', () => {
  test('shows amount, account number and time left, and becomes a receipt by itself when it is paid', async () => {
    const { id, url } = await pages().deposit();
    const { page, policy, complaints, requested } = await pages().open(url);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-/);
    await headingOf(page, 'Esperando tu pago');
    await page.getByText('$1,250.50 MXN').waitFor();
    const digits = await page.getByRole('button', { name: 'Copiar' }).getAttribute('data-copy');
    expect(digits).toMatch(/^\d{18}$/);
    expect(await page.locator('#code').textContent()).toBe(digits);
    // A bank's app asks whose account it is, and at which bank.
    await page.getByText('Beneficiario', { exact: true }).waitFor();
    expect(await page.locator('dd').first().textContent()).toBe('SANDBOX NO PAGAR');
    await page.getByText(/^Paga antes del .+ \(hora de Ciudad de México\)$/).waitFor();
    await picture(page, 'spei-waiting-desktop');

    await pages().merchant.post(`/v1/test/deposits/${id}/pay`, { amount: 50_000 });
    await page.getByText('Recibimos $500.00 MXN de $1,250.50 MXN').first().waitFor();
    await page.getByText('$750.50 MXN', { exact: true }).waitFor();
    await picture(page, 'spei-partial-desktop');

    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pago recibido');
    expect(await page.getByRole('status').textContent()).toBe('Pago recibido');
    expect(await page.title()).toMatch(/^Pago recibido · /);
    await picture(page, 'spei-paid-desktop');
    await page.reload();
    await headingOf(page, 'Pago recibido');
    expect(complaints).toEqual([]);
    // Nothing comes from anybody else.
    expect(requested.every((address) => address.startsWith(pages().baseUrl))).toBe(true);
  });

  test('counts down the last hour alone', async () => {
    const { url } = await pages().deposit({ expires_in_sec: 86_400 });
    const { page } = await pages().open(url);
    expect(await page.locator('#time').isVisible()).toBe(false);
    const soon = await pages().deposit({ expires_in_sec: 1_800 });
    await page.goto(soon.url);
    const before = await page.getByRole('timer').textContent();
    expect(before).toMatch(/^(29|30):\d\d$/);
    await expect.poll(() => page.getByRole('timer').textContent()).not.toBe(before);
  });

  test('copies the account number', async () => {
    const { url } = await pages().deposit();
    const { page } = await pages().open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('#code').textContent());
  });

  test('says when the time is up, and still when it is loaded again', async () => {
    const { id, url } = await pages().deposit();
    const { page } = await pages().open(url);
    await headingOf(page, 'Esperando tu pago');
    await pages().merchant.post(`/v1/test/deposits/${id}/expire`);
    await headingOf(page, 'El plazo terminó');
    await picture(page, 'spei-expired-desktop');
    await page.reload();
    await headingOf(page, 'El plazo terminó');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('fits a phone, and its button simulates the payment in test mode', async () => {
    const { id, url } = await pages().deposit();
    const { page } = await pages().open(url, phone);
    await picture(page, 'spei-waiting-phone');
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(phone.viewport.width);
    await page.getByRole('button', { name: 'Simular el pago' }).click();
    await headingOf(page, 'Pago recibido');
    await picture(page, 'spei-paid-phone');
    expect((await pages().merchant.get(`/v1/deposits/${id}`)).body.status).toBe('PAID');
  });

  test('works without JavaScript: it refreshes itself, the code can be selected, the form pays', async () => {
    const { url } = await pages().deposit();
    const { page } = await pages().open(url, { javaScriptEnabled: false, ...phone });
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('15');
    expect(await page.locator('noscript p').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copiar' }).count()).toBe(0);
    await picture(page, 'spei-waiting-noscript');
    await page.getByRole('button', { name: 'Simular el pago' }).click();
    await headingOf(page, 'Pago recibido');
  });

  test('can be used by keyboard alone', async () => {
    const { url } = await pages().deposit();
    const { page } = await pages().open(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('copy');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outline')).toBe('rgb(29, 78, 216) solid 3px');
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
    const { url } = await pages().deposit();
    const { page } = await pages().open(url, { locale });
    await headingOf(page, heading);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    await picture(page, `language-${locale}`);
  });
});

test('the reader can choose another language, and it stays chosen while the page changes', async () => {
  const { id, url } = await pages().deposit();
  const { page, complaints } = await pages().open(url, { locale: 'pt-BR' });
  await headingOf(page, 'Aguardando o pagamento');
  await page.getByRole('navigation', { name: 'Idioma' }).getByRole('link', { name: 'English' }).click();
  await headingOf(page, 'Waiting for your payment');
  await page.getByText('$1,250.50 MXN').waitFor();
  await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
  await headingOf(page, 'Payment received');
  // What is not a language of ours is no choice.
  await page.goto(`${url}?lang=xx`);
  await headingOf(page, 'Pagamento recebido');
  expect(complaints).toEqual([]);
});

describe('the page of a PIX deposit', () => {
  test('shows the code and its picture, in the language of the payer', async () => {
    const { id, url } = await pages().deposit({ amount: 10_050, currency: 'BRL' });
    const { page, complaints } = await pages().open(url, { locale: 'pt-BR', ...phone });
    await page.getByText('Código QR, para ler com outro aparelho').click();
    await page.getByRole('img', { name: 'Código QR do PIX' }).waitFor();
    await page.getByText('R$ 100,50').waitFor();
    const code =
      (await pages().merchant.get(`/v1/deposits/${id}`)).body.pix?.emv ?? (await page.locator('#code').textContent());
    expect(await page.locator('#code').textContent()).toBe(code);
    await picture(page, 'pix-waiting-phone');
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pagamento recebido');
    expect(complaints).toEqual([]);
  });

  test('has the code before its picture on a phone, and the picture first where there is room', async () => {
    const { url } = await pages().deposit({ amount: 10_050, currency: 'BRL' });
    const { page } = await pages().open(url, { locale: 'pt-BR', ...phone });
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

  test('a payer on a phone copies the code before any scrolling and comes back to the shop', async () => {
    const shop = `${pages().baseUrl}/v1/nowhere?order=78`;
    const { id, url } = await pages().deposit({ amount: 10_050, currency: 'BRL', return_url: shop });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, complaints } = await pages().open(url, { locale: 'pt-BR', permissions, ...phone });
    const copy = page.getByRole('button', { name: 'Copiar' });
    const box = await copy.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(phone.viewport.height);
    // As a finger does it, which scrolls nothing into view.
    await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    const code = await page.locator('#code').textContent();
    expect([await page.evaluate('navigator.clipboard.readText()'), code?.slice(0, 6)]).toEqual([code, '000201']);
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    await headingOf(page, 'Pagamento recebido');
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: `Voltar para ${new URL(pages().baseUrl).host}` }).tap();
    await page.waitForURL(shop);
  });

  test('is a receipt once it is paid, and a calm one when the money went back', async () => {
    const { id, url } = await pages().deposit({ amount: 10_050, currency: 'BRL' });
    await pages().merchant.post(`/v1/test/deposits/${id}/pay`);
    const { page, complaints } = await pages().open(url, { locale: 'pt-BR' });
    const paid = (await pages().merchant.get(`/v1/deposits/${id}`)).body;
    await page.getByRole('heading', { name: 'Comprovante' }).waitFor();
    await page.getByText(paid.e2e_id, { exact: true }).waitFor();
    await page.getByText(/\(horário de Brasília\)$/).waitFor();
    await page.getByText('R$ 100,50', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Imprimir ou salvar' }).isVisible()).toBe(true);
    await picture(page, 'pix-paid-desktop');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });

    const refund = await pages().merchant.post(`/v1/deposits/${id}/refunds`, { external_id: `back-${id}` });
    expect(refund.status).toBe(201);
    const returned = await eventually(async () => {
      const { body } = await pages().merchant.get(`/v1/refunds/${refund.body.refund.id}`);
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
