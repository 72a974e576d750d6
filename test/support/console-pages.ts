import { hash, randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { prepareTimeoutMs } from '@gateway/local-stack';
import { newId } from '@gateway/money';
import { issuerClient, LocalIssuer } from '@gateway/test-kit/issuer';
import { barriersOn, lostTo } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { startEdge, type Edge, type EdgeOptions } from './edge.ts';
import { slowDown } from './slow-browser.ts';

/** Far longer than any step takes: what a machine is slow at is waited for. */
const stepTimeoutMs = 120_000;
/** Where to put pictures of the pages, to be looked at. */
const screenshots = process.env.SCREENSHOTS_DIR;
export const wide = { width: 1280, height: 800 };
export const narrow = { width: 360, height: 740 };

/** A refusal that a page shows is also an error to the browser's console; a fault of the server is none of them. */
const refusalLine = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** A person at a browser of their own, with a device that has passkeys. */
export interface Person {
  readonly name: string;
  readonly page: Page;
  /** Of one use. */
  readonly link: string;
  /** What the browser complained about since it was opened. */
  readonly complaints: readonly string[];
  /** The page as the browser itself sees it. Another session that ends would take the passkeys with it. */
  readonly devtools: CDPSession;
}

/** What a person of a merchant is in an account. */
export interface Belongs {
  readonly accountId: string;
  readonly roles: readonly string[];
  readonly environments: readonly string[];
}

/** The product, and people at its consoles. */
export class ConsolePages {
  readonly edge: Edge;
  /** Of the operators' console. */
  readonly origin: string;
  /** Of the merchants' console. */
  readonly merchantsOrigin: string;
  /** Where people may sign in too; undefined where the file asked for none. */
  readonly issuer: LocalIssuer | undefined;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #complaints = new Map<Page, readonly string[]>();

  constructor(edge: Edge, browser: Browser, issuer?: LocalIssuer) {
    this.edge = edge;
    this.issuer = issuer;
    this.#browser = browser;
    this.origin = `http://localhost:${new URL(edge.stack.opsUrl).port}`;
    this.merchantsOrigin = `http://localhost:${new URL(edge.stack.consoleUrl).port}`;
  }

  /** An operator with these roles, and the link that signs them in on a developer's machine. */
  async person(name: string, roles: readonly string[]): Promise<Person> {
    const { token } = await this.#invited('operator', name, roles);
    return { name, link: `${this.origin}/welcome#${token}`, ...(await this.#open(this.origin)) };
  }

  /** As `person`, at the merchants' console. */
  async member(name: string, accounts: readonly Belongs[]): Promise<Person> {
    const { token, id } = await this.#invited('merchant', name, []);
    const identity = await this.edge.databaseOf('identity');
    for (const { accountId, roles, environments } of accounts) {
      await identity.query(
        `insert into membership (realm, person_id, account_id, roles, environments) values ('merchant', $1, $2, $3, $4)`,
        [id, accountId, [...roles], [...environments]],
      );
    }
    const { merchantsOrigin } = this;
    return { name, link: `${merchantsOrigin}/welcome#${token}`, ...(await this.#open(merchantsOrigin)) };
  }

  async #invited(realm: 'operator' | 'merchant', name: string, roles: readonly string[]) {
    const identity = await this.edge.databaseOf('identity');
    const [token, id] = [randomBytes(32).toString('base64url'), newId('person')];
    await identity.query(
      `insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $3, 'ACTIVE', $4, now())`,
      [realm, id, name, [...roles]],
    );
    await identity.query(
      `insert into sign_in_link (realm, token_digest, person_id, ends_at)
       values ($1, $2, $3, now() + interval '1 hour')`,
      [realm, Buffer.from(hash('sha256', token), 'hex'), id],
    );
    return { token, id };
  }

  /** What the pages show and what their browser complained about: where a step was waited for in vain, the reason is there. */
  async state(): Promise<string> {
    const open = this.#contexts.flatMap((context) => context.pages());
    const shown = open.map(async (page) => {
      const text = await page.locator('body').innerText({ timeout: 5_000 });
      return [page.url(), ...(this.#complaints.get(page) ?? []), text].join('\n');
    });
    const states = await Promise.allSettled(shown);
    return states.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))).join('\n\n');
  }

  async close(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async #open(origin: string): Promise<Pick<Person, 'page' | 'complaints' | 'devtools'>> {
    const context = await this.#browser.newContext({
      ...{ locale: 'en-US', viewport: wide, baseURL: origin },
      // Nothing is looked at on its way from one colour to another.
      reducedMotion: 'reduce',
    });
    this.#contexts.push(context);
    context.setDefaultTimeout(stepTimeoutMs);
    await slowDown(context);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await addAuthenticator(devtools);
    const complaints: string[] = [];
    this.#complaints.set(page, complaints);
    page.on('console', (message) => {
      if (message.type() === 'error' && !refusalLine.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const isAtIssuer = this.issuer !== undefined && request.url().startsWith(`${this.issuer.url}/`);
      if (!request.url().startsWith(`${origin}/`) && !isAtIssuer) complaints.push(`asks elsewhere: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) complaints.push(`${response.status()} of ${response.url()}`);
    });
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.sample))`,
    );
    return { page, complaints, devtools };
  }
}

/** The device's own authenticator, whose user confirms at once (WebAuthn Level 3, 11). */
async function addAuthenticator(session: CDPSession): Promise<void> {
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A real issuer, and what makes it the one of both consoles. */
async function issuerOfConsoles() {
  const issuer = await LocalIssuer.open();
  const settings = {
    URL: issuer.url,
    CLIENT_ID: issuerClient.id,
    CLIENT_SECRET: issuerClient.secret,
    NAME: 'Local Issuer',
  };
  const env = Object.fromEntries(
    ['OPERATOR', 'CONSOLE'].flatMap((realm) =>
      Object.entries(settings).map(([name, value]) => [`${realm}_ISSUER_${name}`, value]),
    ),
  );
  return { issuer, env };
}

interface ConsoleOptions extends Pick<EdgeOptions, 'layout'> {
  /** A test signs in at an issuer. */
  readonly withIssuer?: boolean;
}

/** Starts what the tests of a file share. In the layout `together` no service ends without the others. */
export function useConsole({ layout = 'together', withIssuer = false }: ConsoleOptions = {}): () => ConsolePages {
  let pages: ConsolePages | undefined;
  const stopping = new AsyncDisposableStack();
  beforeAll(async () => {
    const browser = await launchChromium();
    stopping.defer(() => browser.close());
    const issuing = withIssuer ? await issuerOfConsoles() : undefined;
    if (issuing) stopping.use(issuing.issuer);
    const edge = stopping.use(await startEdge({ layout, env: issuing?.env ?? {} }));
    pages = new ConsolePages(edge, browser, issuing?.issuer);
    const { origin, merchantsOrigin } = pages;
    issuing?.issuer.sendBackTo(...[origin, merchantsOrigin].map((each) => `${each}/session/issuer/callback`));
  }, prepareTimeoutMs);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' && pages) console.error(task.name, await pages.state());
  });
  afterAll(async () => {
    await pages?.close();
    await stopping.disposeAsync();
  });
  return () => {
    if (!pages) throw new Error('the stack is not started yet');
    return pages;
  };
}

/**
 * What has to hold for a page as it is now: no person is kept out of it, light on a wide screen and dark on a phone, nor one who
 * reads it in colours of their own or with larger text; nothing of it lies beside the screen, and the browser had nothing to
 * complain about.
 */
export async function inOrder(person: Person, name: string): Promise<void> {
  const { page, complaints } = person;
  await isWhole({ page });
  for (const [colorScheme, viewport] of [
    ['light', wide],
    ['dark', narrow],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    expect(await barriersOn(page), `${name}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(viewport.width);
  }
  await page.setViewportSize(wide);
  expect(await lostTo(page), `${name}, forced colours`).toEqual([]);
  expect(await widthWithLargeText(person), `${name}, text at 200 %`).toBeLessThanOrEqual(wide.width);
  if (screenshots) await picturesOf(page, name, screenshots);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
  expect(complaints, name).toEqual([]);
}

/** In pixels, with text that is twice as large, as a person sets it in the browser (WCAG 2.2, 1.4.4). */
async function widthWithLargeText({ page, devtools }: Person): Promise<number> {
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  return width;
}

/** Waits until the page has its heading, and no part of it is still being loaded. */
export async function isWhole({ page }: Pick<Person, 'page'>): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('[data-loading]').count()).toBe(0);
}

/** Waits until no dialog is there: while one closes over another both are counted, and keys are its own. */
export async function dialogsAreGone({ page }: Person): Promise<void> {
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
}

/**
 * Keeps back what a page asks for at these addresses, as a slow network does.
 *
 * @returns what lets it go
 */
export async function holdBack({ page }: Person, addresses: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await held.promise;
    await route.fallback();
  });
  return async () => {
    held.resolve();
    await page.unroute(addresses);
  };
}

/** Where the keyboard is; after a step it is never nowhere. */
export async function focusIsKept({ page }: Person): Promise<void> {
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).not.toBe('BODY');
}

async function picturesOf(page: Page, name: string, directory: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, viewport] of Object.entries({ wide, narrow })) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.screenshot({ path: `${directory}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}
