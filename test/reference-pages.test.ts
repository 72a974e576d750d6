import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { barriersOn } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';
import { phone, picture } from './support/payment-pages.ts';

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
      // Pages alone: nothing is loaded for them.
      if (!isPage.test(request.url().replace(stack.baseUrl, ''))) complaints.push(request.url());
    });
    const response = await page.goto(`${stack.baseUrl}/docs`);
    expect(response?.headers()['content-security-policy']).not.toContain('script');
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
