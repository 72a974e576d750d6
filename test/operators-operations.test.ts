import { expect, test } from 'vitest';
import { connectBus } from '@gateway/messaging';
import { silentLogger } from '@gateway/test-kit';
import { focusIsKept, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import {
  approve,
  because,
  confirm,
  fill,
  go,
  goByKeys,
  heading,
  main,
  press,
  propose,
  send,
  signInByLink,
  signOff,
} from './support/operator-steps.ts';
import { declaresOwnTransfer } from './support/operators-at-books.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
let ana: Person;
let bruno: Person;
let dora: Person;
let shop: NewMerchant;

const subject = 'event.payouts.payout.paid.v1';

/** The built files that a text names. */
const namesIn = (text: string) => [...new Set(text.match(/[\w-]+-[\w-]{8}\.(?:js|css)/g))];

/** At which live provider the next charge is made. */
async function nextCharge(): Promise<string> {
  const { edge } = pages();
  const body = { amount_cents: 1_000, external_id: edge.reference() };
  const { id } = (await shop.live.post('/v1/deposits', body)).body;
  return (await edge.operate('GET', `/ops/deposits/${id}`)).body.deposit.provider;
}

test('nothing is stuck, and the page says so with the time at which it looked', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  [ana, bruno] = [
    await pages().person('ana.lima', ['admin', 'duty']),
    await pages().person('bruno.reis', ['treasurer']),
  ];
  for (const person of [ana, bruno]) await signInByLink(person);
  await goByKeys(ana, 's');
  await heading(ana, 'Stuck money');
  await main(ana).getByText('Nothing is stuck. Checked at').waitFor();
  await inOrder(ana, 'stuck-empty');
});

test('a provider is switched off; the next charge goes elsewhere; the page says what is still under way', async () => {
  const first = await nextCharge();
  await go(ana, 'Providers');
  await heading(ana, 'Providers');
  await main(ana).getByRole('link', { name: first, exact: true }).waitFor();
  await inOrder(ana, 'providers');
  await main(ana).getByRole('link', { name: first, exact: true }).click();
  await main(ana).getByText('Charges that can be paid: 1').waitFor();
  const calls = main(ana).getByRole('table', { name: 'Calls of the last 24 hours' });
  // They are written every fifteen seconds, and read as often.
  await calls.getByRole('row').filter({ hasText: 'create-charge' }).getByText('0 (0%)').waitFor({ timeout: 45_000 });
  await inOrder(ana, 'provider');
  await press(ana, 'Switch off…');
  await ana.page.getByText('New charges and payouts go to:').waitFor();
  await inOrder(ana, 'provider-switch-off');
  await send(ana, 'Switch off');
  await main(ana).getByText('Off', { exact: true }).waitFor();
  await focusIsKept(ana);
  await expect.poll(nextCharge).not.toBe(first);
  await main(ana).getByText('Charges that can be paid: 1').waitFor();
  await press(ana, 'Switch on');
  await main(ana).getByText('On', { exact: true }).waitFor();
  await focusIsKept(ana);
});

test('own funds changed by one person change nothing before another has approved them', async () => {
  const { edge } = pages();
  const ownFunds = async () => {
    const { balances } = (await edge.operate('GET', '/ops/providers/live/efi')).body;
    return balances[0].own_funds_cents;
  };
  const before = await ownFunds();
  await go(bruno, 'Providers');
  await main(bruno).getByRole('link', { name: 'efi', exact: true }).click();
  await press(bruno, 'Own funds… BRL');
  await fill(bruno, 'Amount', '1.000,00');
  await because(bruno, 'paid in for the first day');
  await inOrder(bruno, 'provider-own-funds');
  await propose(bruno);
  expect(await ownFunds()).toBe(before);
  await approve(ana, bruno.page.url());
  await expect.poll(ownFunds).toBe(100_000);
});

test('a dead letter is read masked, revealed with a reason, retried; both are in the audit', async () => {
  const { edge } = pages();
  await using bus = await connectBus({ url: edge.stack.natsUrl, name: 'test', logger: silentLogger });
  await bus.jetstream.publish(subject, JSON.stringify({ recipient: { document: '52998224725' } }));
  await expect
    .poll(async () => (await edge.operate('GET', '/ops/dead-letters?status=WAITING')).body.data.length)
    .toBe(1);
  await ana.page.goto('/');
  await main(ana).getByRole('link', { name: 'Dead letters' }).click();
  await heading(ana, 'Dead letters');
  await inOrder(ana, 'dead-letters');
  await main(ana).getByRole('rowheader').getByRole('link').click();
  await heading(ana, subject);
  await main(ana).getByText('Personal data is masked.').waitFor();
  expect(await main(ana).getByText('52998224725').count()).toBe(0);
  await inOrder(ana, 'dead-letter');
  // Without a row about it nothing is shown.
  const gateway = await edge.databaseOf('api_gateway');
  await gateway.query('alter table audit rename to audit_away');
  await press(ana, 'Show it…');
  await fill(ana, 'Why it has to be seen', 'whose payment it is');
  await inOrder(ana, 'dead-letter-reveal');
  await send(ana, 'Show it');
  await main(ana).getByRole('alert').waitFor();
  expect(await main(ana).getByText('52998224725').count()).toBe(0);
  await gateway.query('alter table audit_away rename to audit');
  await press(ana, 'Try again');
  await main(ana).getByText('52998224725').waitFor();
  // The page repeats by itself what is answered so: it has ended now.
  expect((ana.complaints as string[]).splice(0).every((line) => line.includes('503'))).toBe(true);
  await focusIsKept(ana);
  await press(ana, 'Deliver again');
  await main(ana).getByText('It could not be handled again.').waitFor();
  await go(ana, 'Audit');
  await main(ana).getByText('dead-letter.retry').first().waitFor();
  // The reason is in the row of the reading, and masked in a list as all that is typed freely.
  const reads = (await edge.operate('GET', '/ops/audit?kind=read&action=dead-letter.read')).body.data;
  expect(reads.some(({ filter }: { filter: object | null }) => filter !== null && 'reveal' in filter)).toBe(true);
});

test('whether every cent is explained is seen at once: the last run with its checks, and what providers hold', async () => {
  await go(ana, 'Reconciliation');
  await heading(ana, 'Reconciliation');
  await press(ana, 'Run now');
  await main(ana).getByText('Postings sum to zero').first().waitFor();
  await main(ana).getByText('Every cent is explained').first().waitFor();
  await main(ana).getByRole('heading', { name: 'What providers hold beside the books' }).waitFor();
  await focusIsKept(ana);
  await signOff(ana, 'read to its end');
  await inOrder(ana, 'reconciliation');
});

test('every other page of the operation is there in three languages', async () => {
  for (const [link, name] of [
    ['Statement days', 'statement-days'],
    ['Statement files', 'statement-files'],
    ['Orphan receipts', 'orphan-receipts'],
    ['Conversions', 'conversions'],
    ['Feeds', 'feeds'],
    ['Sign-ins', 'sign-ins'],
    ['Service tokens', 'service-tokens'],
    ['People', 'people'],
  ] as const) {
    await go(ana, link);
    await heading(ana, link);
    await inOrder(ana, name);
  }
  for (const [language, title] of [
    ['Português', 'Pessoas'],
    ['Español', 'Personas'],
    ['English', 'People'],
  ] as const) {
    await ana.page.getByRole('combobox').first().selectOption(language);
    await heading(ana, title);
    await inOrder(ana, `people-${title}`);
  }
});

test('an operator is invited by two, enrols by the link of the approver, and comes in once the inviter has confirmed', async () => {
  const bea = await pages().person('bea.luz', ['admin']);
  await signInByLink(bea);
  await press(ana, 'Invite…');
  await fill(ana, 'Name', 'dora.sol');
  await ana.page.getByLabel('Treasurer').check();
  await because(ana, 'she begins on Monday');
  await inOrder(ana, 'person-invite');
  await propose(ana);
  await approve(bea, ana.page.url());
  const link = await main(bea)
    .getByText(/\/welcome#/)
    .textContent();
  await inOrder(bea, 'approval-hand-on');
  dora = await pages().person('nobody.yet', []);
  await dora.page.goto(link ?? '');
  await fill(dora, 'Name of the device', 'phone');
  await press(dora, 'Add a passkey');
  await dora.page.getByText('Keep these recovery codes').waitFor();
  await dora.page.goto('/');
  await heading(dora, 'Sign in');
  await go(ana, 'People');
  await press(ana, 'It is that person');
  await confirm(ana);
  await main(ana)
    .getByRole('row', { name: /dora\.sol.*Active/ })
    .waitFor();
  await press(dora, 'Sign in with a passkey');
  await heading(dora, 'Needs you');
});

test('a second account invited by the proposer cannot approve for seven days', async () => {
  await go(ana, 'Providers');
  await main(ana).getByRole('link', { name: 'efi', exact: true }).click();
  await press(ana, 'Own funds… BRL');
  await fill(ana, 'Amount', '2.000,00');
  await because(ana, 'paid in for the second day');
  await propose(ana);
  await dora.page.goto(ana.page.url());
  await press(dora, 'Approve…');
  await because(dora, 'looked at it too');
  await send(dora, 'Approve');
  await confirm(dora);
  await dora.page.getByText(/within seven days does not decide it/).waitFor();
  const identity = await pages().edge.databaseOf('identity');
  await identity.query(`update granted set at = at - interval '7 days'`);
  await send(dora, 'Approve');
  await confirm(dora);
  await main(dora).getByText('Carried out', { exact: true }).waitFor();
  await go(ana, 'People');
});

test('an operator who is suspended is out within a second, and a token for a program is shown once', async () => {
  await main(ana).getByRole('link', { name: 'dora.sol' }).click();
  await heading(ana, 'dora.sol');
  await inOrder(ana, 'person');
  await press(ana, 'Suspend…');
  await because(ana, 'the phone was stolen');
  await send(ana, 'Suspend');
  await confirm(ana);
  await main(ana).getByText('Suspended', { exact: true }).waitFor();
  await main(ana).getByText('Not signed in anywhere.').waitFor();
  await go(ana, 'Service tokens');
  await press(ana, 'New token…');
  await fill(ana, 'Name', 'dashboard');
  await because(ana, 'counts on the wall');
  await inOrder(ana, 'token-issue');
  await send(ana, 'Make it');
  await confirm(ana);
  const token = await ana.page
    .getByRole('dialog')
    .getByText(/^opst_/)
    .textContent();
  await inOrder(ana, 'token-once');
  await send(ana, 'Close');
  const asked = await fetch(`${pages().edge.stack.opsUrl}/ops/overview`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(asked.status).toBe(200);
  const shown = main(ana).getByText(token ?? '');
  expect(await shown.count()).toBe(0);
});

test('a transfer of our own is declared by one person and booked once another has approved it', () =>
  declaresOwnTransfer(pages().edge, bruno, ana));

test('a shift is handed over: what is still open and what operators did, as text', async () => {
  await go(ana, 'Overview');
  await main(ana).getByRole('link', { name: 'Handover' }).click();
  await heading(ana, 'Handover');
  await main(ana).getByRole('row').getByText('provider.update').first().waitFor();
  await inOrder(ana, 'handover');
  await ana.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(ana, 'Copy as text');
  await main(ana).getByText('Copied', { exact: true }).waitFor();
  const text = String(await ana.page.evaluate('navigator.clipboard.readText()'));
  expect(text).toContain('What operators did');
  expect(text).toContain('ana.lima: provider.update');
});

test('figures that could not be read for two minutes are grey, each with the time that it is of', async () => {
  const { page } = bruno;
  await page.clock.install();
  await page.goto('/');
  const letters = main(bruno).getByRole('listitem').filter({ hasText: 'Dead letters' });
  await letters.waitFor();
  expect(await letters.getByText(/^As of/).count()).toBe(0);
  await page.route('**/ops/overview', (route) => route.abort());
  await page.clock.fastForward(121_000);
  await letters.getByText(/^As of/).waitFor();
  expect((bruno.complaints as string[]).splice(0).every((line) => line.includes('ERR_FAILED'))).toBe(true);
  await page.unrouteAll();
  await page.clock.fastForward(15_000);
  await expect.poll(() => letters.getByText(/^As of/).count()).toBe(0);
});

test('what a browser loads first is small, and no page adds much to it', async () => {
  const { origin } = pages();
  const html = await (await fetch(`${origin}/`, { headers: { accept: 'text/html' } })).text();
  const first = namesIn(html);
  const all = new Map<string, number>();
  const waiting = [...first];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const asset = await fetch(`${origin}/assets/${name}`, { headers: { 'accept-encoding': 'gzip' } });
    if (asset.status === 404) continue;
    all.set(name, Number(asset.headers.get('content-length')));
    waiting.push(...namesIn(await asset.text()).filter((each) => !all.has(each) && !waiting.includes(each)));
  }
  const sizeOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (all.get(name) ?? 0), 0);
  expect(sizeOf(first) / 1_024).toBeLessThanOrEqual(220);
  const later = [...all].filter(([name]) => !first.includes(name));
  expect(later.length).toBeGreaterThan(40);
  for (const [name, bytes] of later) {
    expect(bytes / 1_024, name).toBeLessThanOrEqual(name.endsWith('.css') ? 6 : 25);
  }
});

test('an old tab after a deployment offers a reload instead of a blank page', async () => {
  await bruno.page.route('**/assets/list-stuck-*', (route) => route.fulfill({ status: 404 }));
  await bruno.page.goto('/');
  await heading(bruno, 'Needs you');
  await go(bruno, 'Stuck money');
  await heading(bruno, 'This page could not be shown');
  await focusIsKept(bruno);
  await bruno.page.unrouteAll();
  await press(bruno, 'Reload');
  await heading(bruno, 'Stuck money');
});
