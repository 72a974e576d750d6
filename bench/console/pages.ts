import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumBinary } from '@gateway/local-stack';
import type { Gate, Invariant } from '../report/report.ts';
import type { Reader } from './people.ts';

/** A page, and what stands on it once it is shown. */
export interface ShownPage {
  readonly what: string;
  readonly path: string;
  /** Once it is visible the page is painted. */
  readonly shows: string;
}

export interface Shown {
  readonly what: string;
  readonly lcpMs: number;
  /** The longest that a key or a click waited for its paint. */
  readonly inpMs: number;
  readonly cls: number;
  /** From the address to what the page shows. */
  readonly paintedMs: number;
  /** What was loaded for it and not before, compressed as it was sent. */
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

const cpuSlowdown = 4;
const shownTimeoutMs = 60_000;
const bytesPerKb = 1_024;
const budgets = { lcpMs: 1_500, inpMs: 150, clsPercent: 2, firstKb: 220, scriptKb: 25, styleKb: 6 };

/** As browsers report it to a script of before the page begins (Largest Contentful Paint, Event Timing, Layout Instability). */
const observe = `
  globalThis.vitals = { lcp: 0, inp: 0, cls: 0 };
  const watch = (type, add, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => (vitals.lcp = entry.startTime));
  watch('layout-shift', (entry) => (vitals.cls += entry.hadRecentInput ? 0 : entry.value));
  watch('event', (entry) => (vitals.inp = Math.max(vitals.inp, entry.duration)), { durationThreshold: 16 });
`;

/** A browser of a reader, whose processor is as slow as a phone's. */
export class SlowBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #origin: string;
  /** Of each file, as it was sent; what the browser has kept is sent once. */
  readonly #sent = new Map<string, number>();

  private constructor(browser: Browser, context: BrowserContext, page: Page, origin: string) {
    this.#browser = browser;
    this.#context = context;
    this.#page = page;
    this.#origin = origin;
  }

  static async open({ origin, cookie }: Reader): Promise<SlowBrowser> {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    const browser = await chromium.launch({ executablePath: await chromiumBinary(), args });
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1_280, height: 800 } });
    await context.addCookies([{ ...cookie, url: origin }]);
    const page = await context.newPage();
    await page.addInitScript(observe);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    const opened = new SlowBrowser(browser, context, page, origin);
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url());
      const keep = (bytes: number) => opened.#sent.set(pathname, Math.max(opened.#sent.get(pathname) ?? 0, bytes));
      // One that the page left behind has none.
      void request.sizes().then(
        ({ responseBodySize }) => keep(responseBodySize),
        () => undefined,
      );
    });
    return opened;
  }

  async show({ what, path, shows }: ShownPage): Promise<Shown> {
    const page = this.#page;
    const before = new Set(this.#sent.keys());
    const startedAt = performance.now();
    await page.goto(`${this.#origin}${path}`);
    await page.getByText(shows, { exact: false }).first().waitFor({ timeout: shownTimeoutMs });
    const paintedMs = performance.now() - startedAt;
    // What a reader does first: the list of keys, and back.
    await page.keyboard.press('?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('order');
    const { lcp, inp, cls } = await page.evaluate<{ lcp: number; inp: number; cls: number }>(
      `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(vitals), 100)))`,
    );
    const loaded = [...this.#sent].filter(([file]) => !before.has(file));
    const bytesOf = (ending: string) =>
      loaded.filter(([file]) => file.endsWith(ending)).reduce((sum, [, bytes]) => sum + bytes, 0);
    const bytes = { scriptBytes: bytesOf('.js'), styleBytes: bytesOf('.css') };
    return { what, lcpMs: lcp, inpMs: inp, cls, paintedMs, ...bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
    await this.#browser.close();
  }
}

/** The first page of a console has everything that it begins with; each other one adds its own. */
export function gatesOf(shown: readonly Shown[]): Gate[] {
  return shown.flatMap(({ what, lcpMs, inpMs, cls, scriptBytes, styleBytes }, nth): Gate[] => [
    { what: `${what}: largest paint at 4× slower`, value: lcpMs, unit: 'ms', atMost: budgets.lcpMs },
    { what: `${what}: longest answer to a key at 4× slower`, value: inpMs, unit: 'ms', atMost: budgets.inpMs },
    { what: `${what}: shift of the layout`, value: cls * 100, unit: '%', atMost: budgets.clsPercent },
    ...weightsOf({ what, scriptBytes, styleBytes }, nth === 0),
  ]);
}

function weightsOf(
  { what, scriptBytes, styleBytes }: Pick<Shown, 'what' | 'scriptBytes' | 'styleBytes'>,
  isFirst: boolean,
) {
  const kb = (bytes: number) => bytes / bytesPerKb;
  const weight = (name: string, bytes: number, atMost: number): Gate => {
    return { what: `${what}: ${name}`, value: kb(bytes), unit: 'KB', atMost };
  };
  if (isFirst) return [weight('first visit', scriptBytes + styleBytes, budgets.firstKb)];
  return [weight('its script', scriptBytes, budgets.scriptKb), weight('its styles', styleBytes, budgets.styleKb)];
}

export function wasLoaded(shown: readonly Shown[]): Invariant {
  const first = shown[0];
  return {
    what: 'the console came over the wire, compressed',
    holds: (first?.scriptBytes ?? 0) > 0 && (first?.styleBytes ?? 0) > 0,
    found: `${first?.scriptBytes ?? 0} bytes of script, ${first?.styleBytes ?? 0} of styles`,
  };
}
