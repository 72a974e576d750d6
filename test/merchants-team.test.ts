import { expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { dialogsAreGone, focusIsKept, holdBack, inOrder, useConsole, type Person } from './support/console-pages.ts';
import { recipient, type NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, proposePayout, signInByLink, switchTo } from './support/merchant-steps.ts';
import { refusesTwoTogether } from './support/refuses-together.ts';
import {
  english,
  keyboard,
  pointer,
  resendToMended,
  resolveStuckPayout,
  sendTeamPayout,
  spanish,
} from './support/three-journeys.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';
import { showsPersonalData } from './support/revealed-data.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
const environments = ['test', 'live'];
let shop: NewMerchant;
let fabio: Person;
let paulo: Person;

const balance = async () => (await shop.test.get('/v1/balance')).body.brl.available_cents as number;
const inTest = async (person: Person) => {
  await signInByLink(person);
  await switchTo(person, 'Test');
  await person.page.getByText('TEST: no real money on this page').waitFor();
};

test('a payout that finance proposes is debited when an approver sends it, and the proposer cannot', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-8001' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  [fabio, paulo] = [
    await pages().member('fabio.reis', [{ accountId: shop.id, roles: ['finance'], environments }]),
    await pages().member('paulo.nery', [{ accountId: shop.id, roles: ['approver'], environments }]),
  ];
  await inTest(fabio);
  await go(fabio, 'Payouts');
  await press(fabio, 'New payout');
  const dialog = fabio.page.getByRole('dialog');
  await dialog.getByLabel('External id').fill('salary-1');
  await dialog.getByLabel('Amount').fill('250,00');
  await dialog.getByLabel('Recipient', { exact: true }).fill('Maria da Silva');
  await dialog.getByLabel('CPF or CNPJ of the recipient').fill('52998224725');
  await dialog.getByText('This recipient was never paid from this account.').waitFor();
  await dialog.getByLabel('Key', { exact: true }).fill('maria@example.com');
  expect(await dialog.getByLabel('Kind of key').inputValue()).toBe('email');
  await dialog.getByText('R$750.00').waitFor();
  await inOrder(fabio, 'm-propose-payout');
  await press(fabio, 'Propose the payout (TEST)');
  await press(fabio, 'Confirm with a passkey');
  await heading(fabio, /250\.00/);
  await main(fabio).getByText('You proposed this').waitFor();
  expect(await main(fabio).getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await focusIsKept(fabio);
  await inOrder(fabio, 'm-approval-own');
  expect(await balance()).toBe(100_000);

  await inTest(paulo);
  await go(paulo, 'Home');
  await main(paulo).getByRole('link', { name: 'A proposal of a colleague waits for you.' }).click();
  await main(paulo).getByRole('link', { name: 'A payout' }).waitFor();
  await inOrder(paulo, 'm-approvals');
  await main(paulo).getByRole('link', { name: 'A payout' }).click();
  await heading(paulo, /250\.00/);
  await inOrder(paulo, 'm-approval');
  await press(paulo, 'Approve and send (TEST)');
  await press(paulo, 'Confirm with a passkey');
  await main(paulo).getByText('Carried out', { exact: true }).waitFor();
  await focusIsKept(paulo);
  await inOrder(paulo, 'm-approval-applied');
  await eventually(async () => {
    const { data } = (await shop.test.get('/v1/payouts?external_id=salary-1')).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['PAID']);
  });
  expect(await balance()).toBeLessThan(100_000);
});

test('finance proposes 3 payouts once every row of their file is right, the approver sends them with one touch, a new recipient is marked', async () => {
  await go(fabio, 'Payouts');
  await main(fabio).getByRole('link', { name: 'From a file' }).click();
  await heading(fabio, 'Payouts from a file');
  const row = (id: string, key: string) => `${id};1.000,00;${key};Maria da Silva;529.982.247-25`;
  const fileOf = (...rows: string[]) => ({
    name: 'payouts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['external_id;amount;key;name;document', ...rows].join('\r\n')),
  });
  const file = main(fabio).getByLabel('File (CSV)');
  await file.setInputFiles(fileOf(row('batch-1', 'maria@example.com'), row('batch-1', 'nobody')));
  await main(fabio).getByText('external_id is that of a row above. key is of no known kind.').waitFor();
  expect(await fabio.page.getByRole('button', { name: /^Propose/ }).count()).toBe(0);
  await inOrder(fabio, 'm-payout-file-wrong');
  // Of the three, one has a reference that was used before: only the server knows that.
  await file.setInputFiles(fileOf(...['batch-1', 'salary-1', 'batch-3'].map((id) => row(id, 'maria@example.com'))));
  await press(fabio, 'Propose the 3 payouts (TEST)');
  await confirm(fabio);
  await main(fabio)
    .getByRole('row', { name: /salary-1/ })
    .getByText(/is that of pyt_/)
    .waitFor();
  const amounts = ['100,00', '200,00', '150,00'];
  const rows = amounts.map((amount, at) => row(`batch-${at + 1}`, 'maria@example.com').replace('1.000,00', amount));
  await file.setInputFiles(fileOf(...rows));
  await main(fabio)
    .getByRole('row', { name: /batch-2/ })
    .waitFor();
  await inOrder(fabio, 'm-payout-file');
  const before = await balance();
  await press(fabio, 'Propose the 3 payouts (TEST)');
  await confirm(fabio);
  await heading(fabio, /450\.00/);
  expect(await balance()).toBe(before);
  await go(paulo, 'Approvals');
  await main(paulo).getByRole('link', { name: '3 payouts' }).click();
  await main(paulo).getByText('New recipient').first().waitFor();
  await inOrder(paulo, 'm-approval-file');
  await showsPersonalData(paulo, 'maria@example.com', 'm-approval-revealed');
  await press(paulo, 'Approve and send (TEST)');
  await confirm(paulo);
  await main(paulo).getByText('Carried out', { exact: true }).waitFor();
  await focusIsKept(paulo);
  expect(await balance()).toBeLessThanOrEqual(before - 45_000);
});

test('proposals that are selected are approved together, after their sum was shown, and each is sent once', async () => {
  await proposePayout(fabio, 'bonus-1', '10,00');
  await proposePayout(fabio, 'bonus-2', '15,50');
  await go(paulo, 'Approvals');
  const rows = main(paulo)
    .getByRole('row')
    .filter({ has: paulo.page.getByRole('checkbox') });
  await expect.poll(() => rows.count()).toBe(2);
  for (const row of await rows.all()) await row.getByRole('checkbox').check();
  await press(paulo, 'Approve 2…');
  const dialog = paulo.page.getByRole('dialog');
  await dialog.getByText('Together: R$25.50').waitFor();
  await inOrder(paulo, 'm-approvals-selected');
  await press(paulo, 'Approve and send 2 (TEST)');
  const approved = () =>
    paulo.page.waitForResponse((answer) => answer.url().endsWith('/approve') && answer.status() === 200);
  for (let nth = 0; nth < 2; nth += 1) await Promise.all([approved(), confirm(paulo)]);
  await eventually(async () => {
    for (const reference of ['bonus-1', 'bonus-2']) {
      const { data } = (await shop.test.get(`/v1/payouts?external_id=${reference}`)).body;
      expect(data.map(({ status }: { status: string }) => status)).toEqual(['PAID']);
    }
  });
  await dialogsAreGone(paulo);
  await go(paulo, 'Home');
});

test('proposals that are selected are refused together, each for a reason of its own and confirmed by itself', () =>
  refusesTwoTogether(pages().edge, shop, fabio, paulo));

test('a refund that is proposed is refused with a reason, and nothing goes back', async () => {
  await go(fabio, 'Payments');
  await main(fabio).getByRole('link', { name: 'order-8001' }).click();
  await press(fabio, 'Refund…');
  const dialog = fabio.page.getByRole('dialog');
  await dialog.getByLabel('External id').fill('back-8001');
  await dialog.getByLabel('Amount').fill('10,00');
  await inOrder(fabio, 'm-refund');
  const before = await balance();
  await press(fabio, 'Propose the refund (TEST)');
  await press(fabio, 'Confirm with a passkey');
  await heading(fabio, /10\.00/);
  await go(paulo, 'Approvals');
  await main(paulo).getByRole('link', { name: 'A refund' }).click();
  await press(paulo, 'Refuse…');
  await paulo.page.getByLabel('Reason, for your colleagues').fill('the article came back broken');
  await press(paulo, 'Refuse the proposal');
  await press(paulo, 'Confirm with a passkey');
  await main(paulo).getByText('Refused', { exact: true }).waitFor();
  await main(paulo).getByText('the article came back broken').waitFor();
  await focusIsKept(paulo);
  await inOrder(paulo, 'm-approval-refused');
  expect(await balance()).toBe(before);
});

test('a list that is opened after a change begins without the rows of before it', async () => {
  const letGo = await holdBack(paulo, '**/approvals?*');
  await go(paulo, 'Approvals');
  await heading(paulo, 'Approvals');
  // The refund that was just refused was in it.
  expect(await main(paulo).getByRole('row').count()).toBe(0);
  await letGo();
  await main(paulo).getByText('Nothing waits for a decision.').waitFor();
  await go(paulo, 'Home');
  await heading(paulo, 'Home');
});

test('a key and an owner that colleagues propose are shown with what they may, beside what moves money', async () => {
  const gateway = await pages().edge.databaseOf('api_gateway');
  const key = { name: 'till of the shop', scopes: ['deposits:read', 'payouts:write'], ip_allowlist: [] };
  const owner = { person_id: newId('person'), name: 'otto.lins', roles: ['owner', 'finance'], environments };
  for (const [kind, request] of Object.entries({ 'team.key': key, 'team.owner': owner })) {
    await gateway.query(
      `insert into approval (id, kind, environment, account_id, target, request, request_digest, state, proposed_by,
         proposed_by_person, created_at, expires_at)
       values ($1, $2, 'test', $3, $3, $4, $1, 'PROPOSED', 'olga.paes', $5, now(), now() + interval '1 day')`,
      [newId('approval'), kind, shop.id, JSON.stringify(request), newId('person')],
    );
  }
  await go(paulo, 'Approvals');
  await main(paulo).getByRole('link', { name: 'A live key' }).click();
  await heading(paulo, 'till of the shop');
  await main(paulo).getByText('deposits:read, payouts:write').waitFor();
  await main(paulo).getByText('Anywhere', { exact: true }).waitFor();
  await main(paulo).getByRole('button', { name: 'Approve (TEST)' }).waitFor();
  await inOrder(paulo, 'm-approval-key');
  await go(paulo, 'Approvals');
  await main(paulo).getByRole('link', { name: 'Another owner' }).click();
  await heading(paulo, 'otto.lins');
  await main(paulo).getByText('owner, finance').waitFor();
  await focusIsKept(paulo);
});

test('a payment whose answer is lost is found by its reference, and never sent twice', async () => {
  let sent = 0;
  await fabio.page.route('**/v1/deposits', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    sent += 1;
    // As the page sends it, which a request of the test itself is not.
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
    expect((await route.fetch({ headers })).status()).toBe(201);
    await route.abort();
  });
  await go(fabio, 'Payments');
  await press(fabio, 'New payment');
  const dialog = fabio.page.getByRole('dialog');
  await dialog.getByLabel('External id').fill('order-8002');
  await dialog.getByLabel('Amount').fill('42');
  await press(fabio, 'Create the payment (TEST)');
  await heading(fabio, /42\.00/);
  expect(sent).toBe(1);
  const { data } = (await shop.test.get('/v1/deposits?external_id=order-8002')).body;
  expect(data).toHaveLength(1);
});

test('an outcome that is unknown (504) is shown as unknown, and what is sent again makes no second payment', async () => {
  const { page, complaints } = fabio;
  // The gateway has waited for too long, and no reader sees yet that it was done.
  await page.route('**/v1/deposits*', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return await route.fulfill({ json: { data: [], next_cursor: null } });
    const headers = { ...(await request.allHeaders()), 'sec-fetch-site': 'same-origin' };
    expect((await route.fetch({ headers })).status()).toBe(201);
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'the service did not answer in time' };
    return await route.fulfill({ status: 504, json: { error } });
  });
  await go(fabio, 'Payments');
  await press(fabio, 'New payment');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('External id').fill('order-8003');
  await dialog.getByLabel('Amount').fill('43');
  await press(fabio, 'Create the payment (TEST)');
  await dialog.getByText(/^Whether this was done is not known yet/).waitFor();
  await page.unrouteAll();
  (complaints as string[]).splice(0);
  await press(fabio, 'Create the payment (TEST)');
  await heading(fabio, /43\.00/);
  expect((await shop.test.get('/v1/deposits?external_id=order-8003')).body.data).toHaveLength(1);
});

test.each([
  ['by keyboard alone', 'keys', 1280, 'en', { hands: keyboard, words: english }],
  ['at 360 px', 'phone', 360, 'en', { hands: pointer, words: english }],
  ['in es-MX', 'mexico', 1280, 'es-MX', { hands: pointer, words: spanish }],
] as const)(
  'the journeys of the stuck payout, the team’s payouts and the broken endpoint %s',
  async (_how, name, width, language, way) => {
    let status = 500;
    await using receiver = await startWebhookReceiver(() => status);
    const [ana, bruno] = [
      await pages().person(`ana.${name}`, ['duty']),
      await pages().person(`bruno.${name}`, ['treasurer']),
    ];
    const dora = await pages().member(`dora.${name}`, [{ accountId: shop.id, roles: ['developer'], environments }]);
    for (const operator of [ana, bruno]) await signInByLink(operator);
    await inTest(dora);
    for (const { page } of [ana, bruno, dora, fabio, paulo]) {
      await page.locator('header select').last().selectOption(language);
      await page.setViewportSize({ width, height: 740 });
    }
    const endpoint = `shop-${name}`;
    const made = await shop.test.post('/v1/webhooks', {
      name: endpoint,
      url: receiver.url,
      events: ['deposit.pending'],
    });
    await shop.test.post('/v1/deposits', { amount_cents: 900, external_id: `order-${name}` });
    await eventually(() => expect(receiver.received).not.toEqual([]));
    status = 200;
    await resendToMended(dora, endpoint, way);
    expect(made.status).toBe(201);

    const held = { pix_key: 'hold@sandbox.test', pix_key_type: 'email', recipient };
    const { payout } = (
      await shop.test.post('/v1/payouts', { amount_cents: 700, external_id: `held-${name}`, ...held })
    ).body;
    await resolveStuckPayout([ana, bruno], payout.id, way);
    expect((await shop.test.get(`/v1/payouts/${payout.id}`)).body.payout.status).toBe('PAID');

    await sendTeamPayout([fabio, paulo], `team-${name}`, way);
    await eventually(async () => {
      const { data } = (await shop.test.get(`/v1/payouts?external_id=team-${name}`)).body;
      expect(data).toMatchObject([{ status: 'PAID' }]);
    });
  },
);
