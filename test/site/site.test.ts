import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { prepareTimeoutMs } from '@gateway/local-stack';
import { barriersOn } from '../support/accessibility.ts';
import { launchChromium } from '../support/chromium.ts';
import { blocksOf } from '../support/document.ts';
import { expectCodeToBeReadable } from '../support/readable-code.ts';
import { builtSite, fileOfSite, pagesOfSite, ServedSite } from './built-site.ts';

const docs = join(import.meta.dirname, '../../docs');

let browser: Browser;
let site: ServedSite;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  await builtSite();
  browser = await launchChromium();
  stopping.defer(() => browser.close());
  site = stopping.use(await ServedSite.start());
}, prepareTimeoutMs);
afterAll(async () => stopping.disposeAsync());

const looks = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => [width, scheme] as const));
/** Code in three languages, wide tables, and the front page. */
const pagesInEveryLook = ['/', '/webhooks/', '/configuration/'];
/** Of the same parts, in one look each. */
const morePages: Readonly<Record<string, readonly string[]>> = {
  '390 light': ['/events/', '/pt-br/start/'],
  '1280 dark': ['/start/', '/operations/'],
};

describe.each(looks)('the site at %d pixels, %s', (width, colorScheme) => {
  test('keeps nobody out, asks nobody else for anything and keeps to its policy', async () => {
    await using context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${site.url}/`) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    for (const path of [...pagesInEveryLook, ...(morePages[`${width} ${colorScheme}`] ?? [])]) {
      const response = await page.goto(`${site.url}${path}`);
      expect(response?.status(), path).toBe(200);
      expect(await barriersOn(page), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});

test('the site is whole without scripts: an example stands in every language', async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/start/`);
  for (const call of ['gateway.deposits.create({', 'gateway.deposits.create(amount_cents'])
    expect(await page.getByText(call).first().isVisible()).toBe(true);
  expect(await page.getByRole('tab').count()).toBe(0);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Webhooks');
});

test('code is copied, and shown in the language that a reader has chosen, in Portuguese too', async () => {
  await using context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${site.url}/start/`);
  await expectCodeToBeReadable(page, `${site.url}/payments/`);
  await page.goto(`${site.url}/pt-br/start/`);
  const example = page.locator('.example').first();
  expect(await example.getByRole('tab', { name: 'Python', selected: true }).isVisible()).toBe(true);
  await example.getByRole('button', { name: 'Copiar' }).click();
  await example.getByRole('button', { name: 'Copiado' }).waitFor();
});

test('the search finds a word within a page', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox').fill('callback_url');
  await page
    .getByRole('link', { name: /Callback URLs|Webhooks/ })
    .first()
    .waitFor();
});

test('every page is in llms-full.txt and has a way to it', () => {
  const all = fileOfSite('llms-full.txt');
  const pages = pagesOfSite().filter((path) => !path.startsWith('/pt-br/'));
  expect(pages.length).toBeGreaterThan(50);
  const index = fileOfSite('index.html');
  for (const path of pages) {
    const [, title = ''] = /<h1[^>]*>([^<]*)</.exec(fileOfSite(`${path}index.html`)) ?? [];
    const words = title.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(all, path).toContain(`# ${words}`);
    expect(index, path).toContain(`href="${path}"`);
  }
});

test('the descriptions, and the collections that are made of them, are files of the site', () => {
  const names = globSync('{openapi,connector,postman}*.json', { cwd: join(docs, 'api') });
  expect(names.length).toBe(5);
  const versions = fileOfSite('versions/index.html');
  for (const name of names) {
    expect(fileOfSite(`api/${name}`), name).toBe(readFileSync(join(docs, 'api', name), 'utf8'));
    expect(versions).toContain(`href="/api/${name}"`);
  }
});

test('the pages in Portuguese have the examples of the English ones', () => {
  const pages = globSync('*.md', { cwd: join(docs, 'pt-br') });
  expect(pages.sort()).toEqual(['payments.md', 'start.md', 'webhooks.md']);
  for (const page of pages) {
    const [ours, english] = [`pt-br/${page}`, page].map((path) => blocksOf(readFileSync(join(docs, path), 'utf8')));
    expect(ours, page).toEqual(english);
  }
});
