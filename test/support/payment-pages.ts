import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { prepareTimeoutMs, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { launchChromium } from './chromium.ts';
import { MerchantClient } from './merchant-client.ts';
import { slowDown } from './slow-browser.ts';

export const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;
/** Where to put pictures of the page, to be looked at. */
const screenshots = process.env.SCREENSHOTS_DIR;

/** A page that was opened, and what its browser complained about and asked for since. */
export interface OpenedPage {
  readonly page: Page;
  readonly status: number | undefined;
  readonly policy: string;
  readonly complaints: readonly string[];
  readonly requested: readonly string[];
}

/** A stack and a browser for the tests of one file. */
export class PaymentPages {
  readonly #stack: Stack;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly merchant: MerchantClient;
  #orders = 0;

  constructor(stack: Stack, browser: Browser) {
    const [demo] = stack.dev.merchants;
    if (!demo) throw new Error('the stack made no demo merchant');
    this.#stack = stack;
    this.#browser = browser;
    this.merchant = new MerchantClient(stack.baseUrl, demo.test);
  }

  get baseUrl(): string {
    return this.#stack.baseUrl;
  }

  async deposit(changes: object = {}): Promise<{ id: string; url: string }> {
    this.#orders += 1;
    const body = { amount: 125_050, currency: 'MXN', external_id: `page-${this.#orders}`, ...changes };
    const created = await this.merchant.post('/v1/deposits', body);
    expect(created.status).toBe(201);
    return { id: created.body.id, url: created.body.charge.redirect_url };
  }

  /** @param prepare what is done to the page before it is loaded */
  async open(
    url: string,
    options: BrowserContextOptions = {},
    prepare?: (page: Page) => Promise<void>,
  ): Promise<OpenedPage> {
    // What moves without an end would keep a processor busy for as long as the page is open.
    const context = await this.#browser.newContext({ locale: 'es-MX', reducedMotion: 'reduce', ...options });
    this.#contexts.push(context);
    await slowDown(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    const requested: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await prepare?.(page);
    const response = await page.goto(url);
    const policy = response?.headers()['content-security-policy'] ?? '';
    return { page, status: response?.status(), policy, complaints, requested };
  }

  async close(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }
}

/** Starts what the tests of a file share, and closes the pages after each of them. */
export function usePaymentPages(): () => PaymentPages {
  let pages: PaymentPages | undefined;
  const stopping = new AsyncDisposableStack();
  beforeAll(async () => {
    const home = stopping.use(temporaryHome());
    const browser = await launchChromium();
    stopping.defer(() => browser.close());
    const options = { home: home.path, durable: false, quiet: true, layout: 'together' } as const;
    pages = new PaymentPages(stopping.use(await startStack(options)), browser);
  }, prepareTimeoutMs);
  afterEach(async () => pages?.close());
  afterAll(async () => stopping.disposeAsync());
  return () => {
    if (!pages) throw new Error('the stack is not started yet');
    return pages;
  };
}

export async function picture(page: Page, name: string): Promise<void> {
  if (screenshots) await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
}

export function headingOf(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name, level: 1 }).waitFor();
}
