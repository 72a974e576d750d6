import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { barriersOn } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';
import { phone, picture } from './support/payment-pages.ts';
import { expectCodeToBeReadable } from './support/readable-code.ts';

let stack: Stack;
let browser: Browser;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  [browser, stack] = await Promise.all([
    launchChromium(),
    startStack({ home: home.path, durable: false, quiet: true, layout: 'together' }),
  ]);
  stopping.defer(() => browser.close());
  stopping.use(stack);
});
afterAll(async () => stopping.disposeAsync());

const isPage = /^\/(compat\/)?docs(\/[\w.-]+)*$|^\/favicon\.ico$/;

/** One of each kind: an index, operations, schemas, errors, guides with code, with tables and with samples. */
const paths = [
  '/docs',
  '/docs/deposits',
  '/docs/schemas',
  '/docs/errors',
  '/docs/guide/start',
  '/docs/guide/payouts',
  '/docs/guide/test-mode',
  '/docs/guide/events',
  '/docs/guide/changelog',
  '/docs/1.0/payouts',
  '/compat/docs',
];
const desk = { viewport: { width: 1280, height: 900 } };
// What all pages share differs by the screen: each looks at a page of every kind, and two of them at every guide.
const screens = [
  ['a phone', { ...phone, colorScheme: 'light' }, true],
  ['a phone in the dark', { ...phone, colorScheme: 'dark' }, false],
  ['a desk', { ...desk, colorScheme: 'light' }, false],
  ['a desk in the dark', { ...desk, colorScheme: 'dark' }, true],
] as const;

describe.each(screens)('the reference on %s', (name, screen, isThorough) => {
  test('keeps nobody out, asks nobody else for anything and keeps to its policy', async () => {
    await using context = await browser.newContext(screen);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      // Pages and their scripts; what is searched is loaded by readers who search.
      if (!isPage.test(request.url().replace(stack.baseUrl, ''))) complaints.push(request.url());
    });
    const response = await page.goto(`${stack.baseUrl}/docs`);
    const policy = response?.headers()['content-security-policy'];
    expect(policy).toContain("script-src 'self'; connect-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    const links = await page.locator('nav a[href^="/docs/guide/"]').all();
    const guides = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
    expect(guides).toContain('/docs/guide/connector');
    for (const path of new Set([...paths, ...(isThorough ? guides : [])])) {
      expect((await page.goto(`${stack.baseUrl}${path}`))?.status(), path).toBe(200);
      expect(await barriersOn(page), path).toEqual([]);
      expect(await isWiderThanItsWindow(page), path).toBe(false);
      const { width = 0 } = (await page.locator('main').boundingBox()) ?? {};
      expect(width, path).toBeGreaterThan(screen.viewport.width / 2);
      await picture(page, `reference${path.replaceAll('/', '-')}-${name.replaceAll(' ', '-')}`);
    }
    expect(complaints).toEqual([]);
  });
});

test('the reference is whole without scripts: every call of an operation opens by itself', async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack.baseUrl}/docs/deposits#createDeposit`);
  const article = page.locator('article#createDeposit');
  expect(await article.getByText('curl -X POST', { exact: false }).isVisible()).toBe(true);
  const call = article.getByText('gateway.deposits.create({', { exact: false });
  expect(await call.isVisible()).toBe(false);
  await article.getByText('TypeScript', { exact: true }).click();
  expect(await call.isVisible()).toBe(true);
  expect(await page.getByRole('searchbox').count()).toBe(0);
});

test('code is copied, and shown in the language that a reader has chosen, that of an operation too', async () => {
  await using context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${stack.baseUrl}/docs/guide/start`);
  await expectCodeToBeReadable(page, `${stack.baseUrl}/docs/deposits`);
  const article = page.locator('article#createDeposit');
  expect(await article.getByRole('tab').allTextContents()).toEqual(['curl', 'TypeScript', 'Python']);
  expect(await article.getByRole('tabpanel').allTextContents()).toEqual([
    expect.stringContaining('answer = gateway.deposits.create('),
  ]);
});

describe('the search of the reference', () => {
  test('leads to sections by their words, by keyboard, and loads what it searches only then', async () => {
    await using context = await browser.newContext(desk);
    const page = await context.newPage();
    const complaints: string[] = [];
    const loaded: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(`${stack.baseUrl}/docs`);
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.waitFor();
    expect(loaded.filter((path) => /search\.json|minisearch/.test(path))).toEqual([]);
    await field.fill('callback secret');
    const results = page.getByRole('search').getByRole('link');
    await page.locator('.results a[href="/docs/guide/webhooks#callback-urls"]').waitFor();
    expect(loaded.filter((path) => /search\.json|minisearch/.test(path)).length).toBe(2);
    expect(await page.getByRole('search').getByRole('status').textContent()).toMatch(/^\d+ sections?/);
    expect(await barriersOn(page)).toEqual([]);
    expect(await isWiderThanItsWindow(page)).toBe(false);

    await field.press('ArrowDown');
    expect(await page.locator(':focus').textContent()).toBe(await results.first().textContent());
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect([await field.inputValue(), await results.count()]).toEqual(['', 0]);

    await field.fill('xyzzyplugh');
    await page.getByText('Nothing was found.').waitFor();
    await field.fill('createRefund');
    await results.filter({ hasText: 'Refund a paid deposit' }).first().waitFor();
    await field.press('Enter');
    await page.waitForURL(`${stack.baseUrl}/docs/deposits#createRefund`);
    expect(complaints).toEqual([]);
  });

  test('of another contract leads to its own operations, and to the guides', async () => {
    await using context = await browser.newContext({ ...phone, colorScheme: 'dark' });
    const page = await context.newPage();
    await page.goto(`${stack.baseUrl}/docs/1.0/payouts`);
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.fill('cancel payout');
    const results = page.getByRole('search').getByRole('link');
    await results.first().waitFor();
    const addresses = await Promise.all((await results.all()).map(async (link) => link.getAttribute('href')));
    expect(addresses).toContain('/docs/1.0/payouts#cancelPayout');
    expect(addresses.filter((address) => /^\/docs\/(?!1\.0(?:\/|$)|guide\/)/.test(address ?? ''))).toEqual([]);
    expect(await barriersOn(page)).toEqual([]);
    expect(await isWiderThanItsWindow(page)).toBe(false);
    await page.mouse.click(5, 700);
    await results.first().waitFor({ state: 'hidden' });
  });

  test('that cannot be loaded says so, and is repeated by the next letter', async () => {
    await using context = await browser.newContext(desk);
    const page = await context.newPage();
    await page.goto(`${stack.baseUrl}/docs`);
    await page.route('**/search.json', (route) => route.abort());
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.fill('refund');
    await page.getByText('The search could not be loaded').waitFor();
    await page.unroute('**/search.json');
    await field.press('s');
    await page.getByRole('search').getByRole('link').first().waitFor();
  });
});

test('the first page is small and comes at once', async () => {
  await fetch(`${stack.baseUrl}/docs`);
  const startedAt = performance.now();
  const text = await (await fetch(`${stack.baseUrl}/docs`)).text();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
});

test('its pages are Markdown for tools', async () => {
  const listed = await fetch(`${stack.baseUrl}/llms.txt`);
  expect(listed.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const links = [...(await listed.text()).matchAll(/\]\((\S+\.md)\)/g)].map(([, link = '']) => link);
  const all = await (await fetch(`${stack.baseUrl}/llms-full.txt`)).text();
  // Each of them is compared in the gateway's own tests; an address that reads so many pages at once is limited.
  for (const link of links.filter((_, at) => at % 20 === 0)) {
    const text = await (await fetch(`${stack.baseUrl}${link}`)).text();
    expect(all.includes(text), link).toBe(true);
  }
  expect(links.length).toBeGreaterThan(60);
});

/** A page that has to be moved sideways on a phone. */
function isWiderThanItsWindow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
