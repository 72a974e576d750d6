import { encode } from 'fast-png';
import { expect, test } from 'vitest';
import { barriersOn } from './support/accessibility.ts';
import {
  type ConsolePages,
  dialogsAreGone,
  focusIsKept,
  holdBack,
  inOrder,
  useConsole,
  type Person,
} from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, signInByLink } from './support/merchant-steps.ts';
import * as operators from './support/operator-steps.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole({ withIssuer: true });
const environments = ['test', 'live'];
let shop: NewMerchant;
let olga: Person;
let ines: Person;
let ana: Person;
/** With money to convert. */
let traveller: NewMerchant;
let fabio: Person;

const issuerOf = ({ issuer }: ConsolePages) => {
  if (!issuer) throw new Error('there is no issuer');
  return issuer;
};
/** Opens the page to sign in anew, as a browser that keeps nothing of before. */
const anew = async ({ page }: Person) => {
  await page.context().clearCookies();
  await page.goto('/');
};

test('a person who enrolled with an issuer signs in there by two factors, or by the passkey as well, and confirms by the passkey', async () => {
  const issuer = issuerOf(pages());
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  olga = await pages().member('olga.sol', [{ accountId: shop.id, roles: ['owner'], environments }]);
  ines = await pages().member('ines', []);
  await signInByLink(olga);
  await olga.page.goto(`/${shop.id}/test/team`);
  await press(olga, 'Invite a person…');
  const dialog = olga.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('ines.paz');
  await dialog.getByLabel('Developer').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirm(olga);
  const link = await dialog.getByText(/welcome#/).innerText();
  await press(olga, 'I have kept them');

  await ines.page.goto(link);
  await ines.page.getByText('To sign in with Local Issuer later').waitFor();
  await inOrder(ines, 'm-enrol-with-issuer');
  await press(ines, 'Sign in with Local Issuer');
  await ines.page.getByText('You are known at Local Issuer now.').waitFor();
  await expect.poll(() => ines.page.url()).toBe(`${pages().merchantsOrigin}/welcome`);
  await ines.page.getByLabel('Name of the device').fill('laptop of ines');
  await press(ines, 'Add a passkey');
  await ines.page.getByText('confirms now that it was you').waitFor();
  await olga.page.reload();
  await press(olga, `Confirm ines.paz, with the device laptop of ines · ${issuer.subject}`);
  await confirm(olga);
  await main(olga)
    .getByRole('row', { name: /^ines.paz Active/ })
    .waitFor();

  await anew(ines);
  await ines.page.getByRole('button', { name: 'Sign in with Local Issuer' }).waitFor();
  await inOrder(ines, 'm-sign-in-with-issuer');
  await press(ines, 'Sign in with Local Issuer');
  await heading(ines, 'Home');
  // It lets in, and confirms nothing.
  await go(ines, 'Developers');
  await press(ines, 'New key');
  await ines.page.getByRole('dialog').getByLabel('Name').fill('till');
  await ines.page.getByRole('dialog').getByLabel('Payments: Read').check();
  await press(ines, 'Create the key (TEST)');
  await confirm(ines);
  await ines.page.getByText(/^sk_test_/).waitFor();

  issuer.amr = ['pwd'];
  await anew(ines);
  await press(ines, 'Sign in with Local Issuer');
  await ines.page.getByText('You are recognised, but not by two factors.').waitFor();
  await inOrder(ines, 'm-sign-in-passkey-needed');
  await press(ines, 'Sign in with a passkey');
  await heading(ines, 'Home');

  issuer.amr = ['mfa'];
});

test('the OIDC sign-in works against a local provider, and a changed subject, nonce or state is refused', async () => {
  const issuer = issuerOf(pages());
  const { page } = ines;
  const subject = issuer.subject;
  issuer.subject = 'another';
  const refused = async () => {
    await anew(ines);
    await press(ines, 'Sign in with Local Issuer');
    await page.getByText('This sign-in is not valid here').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  };
  await refused();
  issuer.subject = subject;
  for (const changed of ['nonce', 'state']) {
    await page.route(`${issuer.url}/auth?*`, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set(changed, 'of another sign-in');
      return route.continue({ url: url.href });
    });
    await refused();
    await page.unrouteAll();
  }
  await anew(ines);
  await press(ines, 'Sign in with Local Issuer');
  await heading(ines, 'Home');
});

test('an owner gives the payment pages of a mode a colour and a logo, and payers see them; what cannot be read is refused', async () => {
  const logo = Buffer.from(
    encode({ width: 240, height: 80, data: new Uint8Array(240 * 80 * 4).fill(90), channels: 4 }),
  );
  await olga.page.goto(`/${shop.id}/test/payments`);
  await main(olga).getByRole('link', { name: 'Payment page' }).click();
  await heading(olga, 'Payment page');
  const color = main(olga).getByLabel('Colour of the buttons');
  await color.fill('#ffee00');
  await press(olga, 'Save (TEST)');
  await confirm(olga);
  await main(olga)
    .getByText(/^white text on it has a contrast of/)
    .waitFor();
  await color.fill('#7a1fa2');
  await main(olga).getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await main(olga).getByRole('button', { name: 'Take the logo out' }).waitFor();
  await inOrder(olga, 'm-branding');
  await press(olga, 'Save (TEST)');
  await confirm(olga);
  await main(olga).getByText('Saved.').waitFor();
  await focusIsKept(olga);
  const { body: charge } = await shop.test.post('/v1/deposits', { amount_cents: 900, external_id: 'branded' });
  const seenByPayer = async () => await (await fetch(charge.payment_url)).text();
  expect(await seenByPayer()).toMatch(/#7a1fa2[^]*class="logo"/);
  expect((await shop.live.get('/v1/account/branding')).body).toEqual({ color: null, logo: null });
  await press(olga, 'Take the logo out');
  await press(olga, 'Use the colour of the house');
  await press(olga, 'Save (TEST)');
  await confirm(olga);
  await expect.poll(seenByPayer).not.toContain('class="logo"');
});

test('an operator whom two have invited enrols with the issuer, signs in there by two factors, and confirms by the passkey', async () => {
  const issuer = issuerOf(pages());
  issuer.subject = '99120034';
  const bea = await pages().person('bea.luz', ['admin']);
  ana = await pages().person('ana.lima', ['admin', 'duty']);
  for (const person of [ana, bea]) await signInByLink(person);
  await operators.go(ana, 'People');
  await press(ana, 'Invite…');
  await operators.fill(ana, 'Name', 'dora.sol');
  await ana.page.getByLabel('Duty').check();
  await operators.because(ana, 'she begins on Monday');
  await operators.propose(ana);
  await operators.approve(bea, ana.page.url());
  const link = await main(bea)
    .getByText(/\/welcome#/)
    .innerText();

  const dora = await pages().person('dora', []);
  await dora.page.goto(link);
  await dora.page.getByText('To sign in with Local Issuer later').waitFor();
  await inOrder(dora, 'enrol-with-issuer');
  await press(dora, 'Sign in with Local Issuer');
  await dora.page.getByText('You are known at Local Issuer now.').waitFor();
  await dora.page.getByLabel('Name of the device').fill('laptop of dora');
  await press(dora, 'Add a passkey');
  await dora.page.getByText('Keep these recovery codes').waitFor();
  await operators.go(ana, 'People');
  await main(ana).getByText(issuer.subject).waitFor();
  await press(ana, 'It is that person');
  await confirm(ana);
  await main(ana)
    .getByRole('row', { name: /dora\.sol.*Active/ })
    .waitFor();

  await anew(dora);
  await dora.page.getByRole('button', { name: 'Sign in with Local Issuer' }).waitFor();
  await inOrder(dora, 'sign-in-with-issuer');
  await press(dora, 'Sign in with Local Issuer');
  await heading(dora, 'Needs you');
  // Another subject of the same issuer is no operator, and another factor alone is not enough.
  issuer.subject = '99120035';
  await anew(dora);
  await press(dora, 'Sign in with Local Issuer');
  await dora.page.getByText('This sign-in is not valid here').waitFor();
  issuer.subject = '99120034';
  issuer.amr = ['pwd'];
  await anew(dora);
  await press(dora, 'Sign in with Local Issuer');
  await dora.page.getByText('You are recognised, but not by two factors.').waitFor();
  await press(dora, 'Sign in with a passkey');
  await heading(dora, 'Needs you');
});

/** Lets all but so many seconds of the time pass in which a person did nothing, for the server as for the page. */
async function leaveIdle({ page }: Person, name: string, idleMinutes: number, leftSec: number): Promise<void> {
  const seconds = idleMinutes * 60 - leftSec;
  const identity = await pages().edge.databaseOf('identity');
  await identity.query(
    `update session set last_seen_at = now() - $2 * interval '1 second'
      where person_id = (select id from person where name = $1) and ended_at is null`,
    [name, seconds],
  );
  const left = `fetch('/session', { headers: { 'x-console': '1', 'x-background': '1' } })
    .then(async (answer) => (answer.ok ? (await answer.json()).session.idle_left_sec : -1))`;
  await expect.poll(() => page.evaluate(left)).toBeLessThanOrEqual(leftSec);
  await page.clock.fastForward(seconds * 1_000);
}

test.each([
  ['operators', 15, 'Needs you', 'ana.lima', () => ana],
  ['merchants', 30, 'Home', 'ines.paz', () => ines],
] as const)(
  'the people of %s are warned two minutes before idle for %i minutes ends the session; the typed search is there after signing in again',
  async (_console, idleMinutes, first, name, whose) => {
    const person = whose();
    const { page } = person;
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' });
    await page.clock.install();
    await page.goto('/');
    await heading(person, first);
    const search = page.locator('[role=search] input');
    await search.fill('order-10');
    await leaveIdle(person, name, idleMinutes, 300);
    expect(await dialog.count()).toBe(0);
    await leaveIdle(person, name, idleMinutes, 90);
    await dialog.waitFor();
    await inOrder(person, `idle-${first}`);
    await dialog.getByRole('button', { name: 'Stay signed in' }).click();
    await dialogsAreGone(person);
    await focusIsKept(person);
    expect(await search.inputValue()).toBe('order-10');
    // Left alone, it ends; the page asks for it by itself.
    await leaveIdle(person, name, idleMinutes, 100);
    await dialog.waitFor();
    await leaveIdle(person, name, idleMinutes, -1);
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await press(person, 'Sign in with a passkey');
    await dialogsAreGone(person);
    expect(await search.inputValue()).toBe('order-10');
  },
);

test('a rate is asked for, accepted with a passkey before it is over, and converts once; a lost answer is read by its reference', async () => {
  traveller = await pages().edge.newMerchant({ name: 'Loja Azul' });
  fabio = await pages().member('fabio.reis', [{ accountId: traveller.id, roles: ['finance'], environments: ['test'] }]);
  const { id } = (await traveller.test.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-1' })).body;
  await traveller.test.post(`/v1/test/deposits/${id}/pay`);
  await signInByLink(fabio);
  await go(fabio, 'Home');
  await main(fabio).getByRole('link', { name: 'Convert' }).click();
  await heading(fabio, 'Convert');
  await main(fabio).getByLabel('Amount').fill('100,00');
  await press(fabio, 'Get a rate');
  await main(fabio)
    .getByText(/ s left$/)
    .waitFor();
  await inOrder(fabio, 'm-convert');
  // That took its time, and a rate is held for half a minute.
  const another = fabio.page.waitForResponse('**/v1/quotes');
  await press(fabio, 'Get a rate');
  await another;
  let sent = 0;
  await fabio.page.route('**/v1/conversions', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
    const answer = await route.fetch({ headers });
    if (answer.status() === 403) return await route.fulfill({ response: answer });
    sent += 1;
    expect(answer.status()).toBe(201);
    return await route.abort();
  });
  await press(fabio, 'Accept the rate (TEST)');
  await confirm(fabio);
  await main(fabio).getByText('It is converted.').waitFor();
  await focusIsKept(fabio);
  expect(sent).toBe(1);
  const { body } = await traveller.test.get('/v1/balance');
  expect(body.brl.available_cents).toBe(90_000);
});

test('a page whose answer is late keeps no person out, and becomes what it is about', async () => {
  const letGo = await holdBack(fabio, '**/v1/deposits/*');
  const { data } = (await traveller.test.get('/v1/deposits?external_id=order-1')).body;
  await fabio.page.goto(`/${traveller.id}/test/payments/${data[0].id}`);
  await heading(fabio, 'Loading');
  await main(fabio).getByRole('status').getByText('Loading').waitFor();
  // What waits for the code of the page gives its place to what waits for the answer, and only that stays.
  await expect.poll(async () => await barriersOn(fabio.page)).toEqual([]);
  await letGo();
  await heading(fabio, /1,000\.00/);
});
