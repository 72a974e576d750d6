import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { barriersOn } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';

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

/** One of each kind: an index, operations, schemas, errors, guides with code, with tables and with samples. */
const paths = [
  '/docs',
  '/docs/deposits',
  '/docs/schemas',
  '/docs/errors',
  '/docs/guide/start',
  '/docs/guide/payouts',
  '/docs/guide/events',
  '/docs/guide/changelog',
  '/docs/1.0/payouts',
  '/compat/docs',
];
const looks = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => {
    const options: BrowserContextOptions = { viewport: { width, height: 900 }, colorScheme };
    return [width, colorScheme, options] as const;
  }),
);

describe.each(looks)('the reference at %d pixels, %s', (_width, _scheme, options) => {
  test('keeps nobody out, asks nobody else for anything and keeps to its policy', async () => {
    await using context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${stack.baseUrl}/`)) complaints.push(request.url());
    });
    for (const path of paths) {
      const response = await page.goto(`${stack.baseUrl}${path}`);
      expect(response?.status(), path).toBe(200);
      expect(await barriersOn(page), path).toEqual([]);
      expect(await isWiderThanItsWindow(page), path).toBe(false);
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
