import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialogsAreGone, focusIsKept, inOrder, isWhole, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import {
  approve,
  because,
  confirm,
  fill,
  go,
  heading,
  main,
  press,
  propose,
  search,
  send,
  signInByLink,
} from './support/operator-steps.ts';
import { recoversEndpoint } from './support/account-webhooks.ts';
import { changesSettings, proposesReset, restrictsConnector } from './support/account-settings.ts';
import { proposesMapping, readsActivity } from './support/operators-at-books.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
let ana: Person;
let bruno: Person;
let duarte: Person;
let shop: NewMerchant;

const fundsCents = 10_000_000;

/** Of a merchant in test mode, whose answer matters and nothing else. */
const payoutOf = async () =>
  await shop.test.post('/v1/payouts', {
    amount_cents: 1_000,
    external_id: pages().edge.reference(),
    pix_key: 'hold@sandbox.test',
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '52998224725' },
  });

const balanceOf = async (): Promise<number> => (await shop.test.get('/v1/balance')).body.brl.available_cents;

test('an account is found by its name with one Enter, with its balance, its settings and no secret of its keys', async () => {
  const limits = { payout_limits: { per_payout_cents: fundsCents } };
  shop = await pages().edge.newMerchant({ name: 'Loja Azul', ...limits });
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: fundsCents, external_id: 'funds' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  [ana, bruno, duarte] = [
    await pages().person('ana.lima', ['admin', 'duty']),
    await pages().person('bruno.reis', ['treasurer']),
    await pages().person('duarte.paz', ['support']),
  ];
  for (const person of [ana, bruno, duarte]) await signInByLink(person);
  await go(ana, 'Accounts');
  await heading(ana, 'Accounts');
  await main(ana).getByRole('link', { name: 'Loja Azul' }).waitFor();
  await inOrder(ana, 'accounts');
  await search(ana, 'Loja Azul');
  await heading(ana, 'Loja Azul');
  await ana.page.getByLabel('Environment').selectOption('Test');
  await main(ana).getByRole('row').getByText(/^R\$/).first().waitFor();
  await focusIsKept(ana);
  await inOrder(ana, 'account');
  await ana.page.getByRole('link', { name: 'Keys and people' }).click();
  await main(ana).getByRole('row').getByText('Active', { exact: true }).first().waitFor();
  await inOrder(ana, 'account-access');
  expect(await ana.page.content()).not.toContain(shop.keys.secret_key);
});

test('freezing stops a payout within a second; reads and webhooks go on, every page of the account shows it; lifting takes two', async () => {
  await ana.page.getByRole('link', { name: 'Account', exact: true }).click();
  await press(ana, 'Freeze…');
  await ana.page.getByText('No payout leaves; payments still come in.').waitFor();
  await because(ana, 'payouts that the merchant does not know');
  await inOrder(ana, 'account-freeze');
  await send(ana, 'Freeze');
  await main(ana).getByText('Frozen (live and test): no payout leaves').waitFor();
  await focusIsKept(ana);
  await expect.poll(async () => (await payoutOf()).body.error?.code, { timeout: 5_000 }).toBe('ACCOUNT_FROZEN');
  expect((await shop.test.get('/v1/balance')).status).toBe(200);
  await inOrder(ana, 'account-frozen');
  for (const [tab, shown] of [
    ['Keys and people', 'Public key'],
    ['Webhooks', 'The account has no endpoint yet.'],
  ] as const) {
    await ana.page.getByRole('link', { name: tab }).click();
    await main(ana).getByText(shown, { exact: true }).waitFor();
    await main(ana).getByText('Frozen (live and test): no payout leaves').waitFor();
  }
  await inOrder(ana, 'account-webhooks-empty');
  // What comes in is still credited, and the merchant is still notified.
  const { receiver } = pages().edge;
  const charge = { amount_cents: 700, external_id: 'while-frozen', callback_url: receiver.url };
  const { id } = (await shop.test.post('/v1/deposits', charge)).body;
  expect((await shop.test.post(`/v1/test/deposits/${id}/pay`)).status).toBe(200);
  await expect.poll(() => receiver.of('deposit.paid', id).length, { timeout: 30_000 }).toBe(1);
  await press(ana, 'Lift the freeze…');
  await because(ana, 'the merchant has changed its keys');
  await propose(ana);
  expect((await payoutOf()).body.error?.code).toBe('ACCOUNT_FROZEN');
  await approve(bruno, ana.page.url());
  await focusIsKept(bruno);
  await expect.poll(async () => (await payoutOf()).status).toBe(201);
});

test('an adjustment is proposed, withdrawn, proposed again, approved, and the balance moves once', async () => {
  const before = await balanceOf();
  const type = async (externalId: string) => {
    await search(ana, 'Loja Azul');
    await heading(ana, 'Loja Azul');
    await press(ana, 'Adjust…');
    await ana.page.getByLabel('The merchant is debited').check();
    await fill(ana, 'Amount', '1.234,56');
    await ana.page.getByText('R$1,234.56').waitFor();
    await ana.page.getByRole('dialog').getByLabel('Environment').selectOption('Test');
    await fill(ana, 'External id', externalId);
    await because(ana, 'credited twice');
  };
  await type('adjust-1');
  await inOrder(ana, 'account-adjust');
  await propose(ana);
  await inOrder(ana, 'approval-adjustment');
  await press(ana, 'Withdraw…');
  await because(ana, 'a wrong amount');
  await send(ana, 'Withdraw');
  await main(ana).getByText('Withdrawn', { exact: true }).waitFor();
  expect(await balanceOf()).toBe(before);
  await type('adjust-2');
  await propose(ana);
  expect(await balanceOf()).toBe(before);
  await approve(bruno, ana.page.url());
  await expect.poll(balanceOf).toBe(before - 123_456);
});

test('how a balance came about is read on the page of its account, entry by entry, and leads to each record', async () => {
  await search(ana, 'Loja Azul');
  await heading(ana, 'Loja Azul');
  await ana.page.getByRole('link', { name: 'Statement', exact: true }).click();
  await main(ana).getByText('Nothing has moved this balance.').waitFor();
  await ana.page.getByLabel('Environment').selectOption('Test');
  const row = main(ana).getByRole('row').filter({ hasText: 'funds' });
  await row.getByText('R$100,000.00').first().waitFor();
  await inOrder(ana, 'account-statement');
  await ana.page.getByLabel('Movement').selectOption('Payment credited');
  await row.getByRole('link', { name: /^dep_/ }).click();
  await heading(ana, /100,000\.00/);
  await ana.page.goBack();
  await row.waitFor();
  expect(new URL(ana.page.url()).search).toBe('?environment=test&type=DEPOSIT_NET');
});

test('what an account has done is read on its page, of all kinds of record, page by page and as a file', () =>
  readsActivity(pages().edge, shop, ana, bruno));

test('two approvers pressing at the same moment apply it once', async () => {
  const before = await balanceOf();
  await search(bruno, 'Loja Azul');
  await heading(bruno, 'Loja Azul');
  await press(bruno, 'Adjust…');
  await bruno.page.getByLabel('The merchant is credited').check();
  await fill(bruno, 'Amount', '10');
  await bruno.page.getByRole('dialog').getByLabel('Environment').selectOption('Test');
  await fill(bruno, 'External id', 'adjust-3');
  await because(bruno, 'a gift');
  await propose(bruno);
  const celia = await pages().person('celia.mar', ['treasurer']);
  await signInByLink(celia);
  const approvers = [ana, celia];
  for (const person of approvers) {
    await person.page.goto(bruno.page.url());
    await press(person, 'Approve…');
    await because(person, 'looked at it too');
    await send(person, 'Approve');
    await person.page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  }
  await Promise.all(approvers.map((person) => confirm(person)));
  await expect.poll(balanceOf).toBe(before + 1_000);
  for (const person of approvers) {
    await person.page.reload();
    await main(person).getByText('Carried out', { exact: true }).waitFor();
  }
  expect(await balanceOf()).toBe(before + 1_000);
});

test('lowering a limit is at once; raising it takes two, as lifting a freeze does', async () => {
  await search(bruno, 'Loja Azul');
  await heading(bruno, 'Loja Azul');
  await press(bruno, 'Limits…');
  await fill(bruno, 'Largest payout without an operator', '5,00');
  await because(bruno, 'fraud is suspected');
  await inOrder(bruno, 'account-limits');
  await send(bruno, 'Save');
  await main(bruno).getByText('R$5.00', { exact: true }).waitFor();
  await expect.poll(async () => (await payoutOf()).body.payout.status).toBe('PENDING');
  await press(bruno, 'Limits…');
  await fill(bruno, 'Largest payout without an operator', '50');
  await because(bruno, 'it was none');
  await propose(bruno, 'Save');
  expect((await payoutOf()).body.payout.status).toBe('PENDING');
  await approve(ana, bruno.page.url());
  await expect.poll(async () => (await payoutOf()).body.payout.status).toBe('PROCESSING');
});

test('what an account has and may is changed by clicks: what holds money back at once, the opposite by two', () =>
  changesSettings([bruno, ana], 'Loja Azul'));

test('the connector is restricted for an account, and lifting that shuts nothing out', () => restrictsConnector(bruno));

test('a reset of the only owner is proposed from the page of the account, and stands on every page of theirs', () =>
  proposesReset(pages(), bruno));

test('a failing endpoint is recovered, and a delivery sent once more, from the pages of its account', () =>
  recoversEndpoint(shop, ana));

test('an operator finds a deposit by id, e2e, external_id, document and provider reference, each in one Enter', async () => {
  const payer = { name: 'Rui Alves', document: '11144477735' };
  const body = { amount_cents: 4_321, external_id: 'order-4321', payer };
  const { id } = (await shop.test.post('/v1/deposits', body)).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  const { deposit } = (await pages().edge.operate('GET', `/ops/deposits/${id}`)).body;
  for (const q of [id, deposit.e2e_id, 'order-4321', '111.444.777-35', deposit.reference]) {
    await go(ana, 'Overview');
    await heading(ana, 'Needs you');
    await search(ana, q);
    await heading(ana, /43\.21/);
    expect(new URL(ana.page.url()).pathname, q).toBe(`/deposits/${id}`);
  }
});

test('a statement file is read before anything of it is kept, and imported once', async () => {
  const { edge } = pages();
  const filesOf = async () => (await edge.operate('GET', '/ops/statement-files')).body.data;
  const dialog = ana.page.getByRole('dialog');
  const inBrl = readFileSync('packages/statement-files/test/unit/files/five-movements.ofx', 'utf8');
  const fileOf = (text: string) => ({ name: 'october.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(text) });
  await go(ana, 'Statement files');
  await press(ana, 'Import a file…');
  await dialog.getByLabel('Provider').selectOption('efi');
  const chosen = dialog.getByLabel('The file, as the bank wrote it');
  await dialog.getByLabel('Currency').selectOption('MXN');
  await chosen.setInputFiles(fileOf(inBrl.replace('<CURDEF>BRL', '<CURDEF>MXN')));
  await dialog.getByLabel('Account in the file').press('Enter');
  expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  await press(ana, 'Read it only');
  await dialog.getByText('5, 5 of them new').waitFor();
  await inOrder(ana, 'statement-file-read');
  expect(await filesOf()).toEqual([]);
  await send(ana, 'Import');
  await dialog.getByText('The file was read, each of its lines once.').waitFor();
  await inOrder(ana, 'statement-file-imported');
  await press(ana, 'Close');
  await dialogsAreGone(ana);
  await main(ana).getByText('5, 5 of them new').waitFor();
  await focusIsKept(ana);
  expect(await filesOf()).toMatchObject([{ provider: 'efi', currency: 'MXN', state: 'IMPORTED' }]);
});

test('how the CSV of a bank is read is proposed by the names of its columns, and in force once another has approved it', () =>
  proposesMapping(pages().edge, bruno, ana));

test('what the keys of an account asked is found from its page, by account or by the id of a request, and never for all at once', async () => {
  expect((await shop.live.post('/v1/deposits', { external_id: 'refused-1' })).status).toBe(400);
  await go(ana, 'Requests');
  await main(ana).getByText('Name an account or a request id').waitFor();
  await search(ana, 'Loja Azul');
  await heading(ana, 'Loja Azul');
  await main(ana).getByRole('link', { name: 'Requests' }).click();
  await heading(ana, 'Requests');
  await ana.page.getByLabel('Environment').selectOption('Live');
  await expect
    .poll(async () => {
      await ana.page.reload();
      // What is counted is a list that was read: rows come after the page.
      await main(ana).getByRole('row').or(main(ana).getByText('No such request is in the log.')).first().waitFor();
      return await main(ana).getByRole('row').getByText('400 VALIDATION_ERROR').count();
    })
    .toBeGreaterThan(0);
  await inOrder(ana, 'requests');
  await fill(ana, 'Code', 'NOT_FOUND');
  await press(ana, 'Filter');
  await main(ana).getByText('No such request is in the log.').waitFor();
  expect(new URL(ana.page.url()).searchParams.get('account_id')).toBe(shop.id);
});

test('support may look at everything masked, and is offered no change of an account', async () => {
  await search(duarte, 'Loja Azul');
  await heading(duarte, 'Loja Azul');
  await main(duarte).getByRole('heading', { name: 'Balance' }).waitFor();
  for (const name of ['Freeze…', 'Adjust…', 'Limits…', 'Fees…']) {
    expect(await duarte.page.getByRole('button', { name }).count(), name).toBe(0);
  }
  await inOrder(duarte, 'account-support');
  const links = duarte.page.getByRole('navigation', { name: 'Gateway operations' }).getByRole('link');
  expect(await links.count()).toBeGreaterThan(10);
  for (const link of await links.all()) {
    await link.click();
    await isWhole(duarte);
    expect(await main(duarte).getByRole('alert').count(), duarte.page.url()).toBe(0);
  }
  await search(duarte, 'order-4321');
  await heading(duarte, /43\.21/);
  await main(duarte).getByText('R*** A***').first().waitFor();
  expect(await main(duarte).innerText()).not.toContain('11144477735');
});
