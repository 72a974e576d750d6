import { expect, test } from 'vitest';
import { barriersOn } from './support/accessibility.ts';
import { focusIsKept, holdBack, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, signInByLink } from './support/merchant-steps.ts';

const pages = useConsole();
let shop: NewMerchant;
let fabio: Person;

test('a rate is asked for, accepted with a passkey before it is over, and converts once; a lost answer is read by its reference', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  fabio = await pages().member('fabio.reis', [{ accountId: shop.id, roles: ['finance'], environments: ['test'] }]);
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-1' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
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
  const { body } = await shop.test.get('/v1/balance');
  expect(body.brl.available_cents).toBe(90_000);
});

test('a page whose answer is late keeps no person out, and becomes what it is about', async () => {
  const letGo = await holdBack(fabio, '**/v1/deposits/*');
  const { data } = (await shop.test.get('/v1/deposits?external_id=order-1')).body;
  await fabio.page.goto(`/${shop.id}/test/payments/${data[0].id}`);
  await heading(fabio, 'Loading');
  await main(fabio).getByRole('status').getByText('Loading').waitFor();
  expect(await barriersOn(fabio.page)).toEqual([]);
  await letGo();
  await heading(fabio, /1,000\.00/);
});
