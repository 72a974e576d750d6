import { expect } from 'vitest';
import { dialogsAreGone, inOrder, narrow, type Person, wide } from './console-pages.ts';
import type { Edge, NewMerchant } from './edge.ts';
import { because, confirm, fill, go, heading, main, press, propose, search, send } from './operator-steps.ts';

/** Two adjustments of another operator's are selected and approved together, each confirmed by itself and applied once. */
export async function approvesTwoTogether(edge: Edge, shop: NewMerchant, person: Person): Promise<void> {
  const balance = async (): Promise<number> => (await shop.test.get('/v1/balance')).body.brl.available_cents;
  const before = await balance();
  for (const amount_cents of [1_001, 2_002]) {
    const what = { account_id: shop.id, environment: 'test', currency: 'BRL', amount_cents };
    const why = { reason: 'credited by hand', external_id: edge.reference() };
    expect((await edge.operate('POST', '/ops/adjustments', { ...what, ...why })).status).toBe(201);
  }
  await go(person, 'Approvals');
  await heading(person, 'Approvals');
  const rows = main(person).getByRole('row').filter({ hasText: 'credited by hand' });
  await expect.poll(() => rows.count()).toBe(2);
  for (const row of await rows.all()) await row.getByRole('checkbox').check();
  await press(person, 'Approve 2…');
  const dialog = person.page.getByRole('dialog');
  for (const amount of ['R$10.01', 'R$20.02']) await dialog.getByText(amount).first().waitFor();
  await inOrder(person, 'approvals-selected');
  await because(person, 'looked at both');
  await send(person, 'Approve 2');
  const approved = () =>
    person.page.waitForResponse((answer) => answer.url().endsWith('/approve') && answer.status() === 200);
  for (let nth = 0; nth < 2; nth += 1) await Promise.all([approved(), confirm(person)]);
  await expect.poll(async () => (await balance()) - before).toBe(3_003);
  await dialogsAreGone(person);
}

/** Two adjustments of another operator's are refused together, each for its own reason and confirmed by itself, and nothing moves. */
export async function refusesTwoTogether(edge: Edge, shop: NewMerchant, person: Person): Promise<void> {
  const balance = async (): Promise<number> => (await shop.test.get('/v1/balance')).body.brl.available_cents;
  const before = await balance();
  const ids: string[] = [];
  for (const amount_cents of [3_003, 4_004]) {
    const what = { account_id: shop.id, environment: 'test', currency: 'BRL', amount_cents };
    const why = { reason: 'asked for by telephone', external_id: edge.reference() };
    ids.push((await edge.operate('POST', '/ops/adjustments', { ...what, ...why })).body.approval.id);
  }
  await person.page.goto('/approvals?state=PROPOSED');
  await heading(person, 'Approvals');
  await main(person).getByLabel('Kind').selectOption('Adjust a balance');
  await expect.poll(() => new URL(person.page.url()).searchParams.get('kind')).toBe('adjustment.apply');
  const rows = main(person).getByRole('row').filter({ hasText: 'asked for by telephone' });
  await expect.poll(() => rows.count()).toBe(2);
  for (const row of await rows.all()) await row.getByRole('checkbox').check();
  await press(person, 'Refuse 2…');
  const dialog = person.page.getByRole('dialog');
  for (const amount of ['R$30.03', 'R$40.04']) await dialog.getByText(amount).first().waitFor();
  // The newest stands first.
  await fill(person, '1. Reason, for the other operators', 'it was the other shop');
  await send(person, 'Refuse 2');
  await expect.poll(() => dialog.locator('textarea:invalid').count()).toBe(1);
  await fill(person, '2. Reason, for the other operators', 'nothing of it is written');
  // What is decided is shown whole, however the list is looked at.
  expect(await dialog.getByText('Columns', { exact: true }).count()).toBe(0);
  await inOrder(person, 'approvals-refused');
  await send(person, 'Refuse 2');
  const refused = () =>
    person.page.waitForResponse((answer) => answer.url().endsWith('/refuse') && answer.status() === 200);
  for (let nth = 0; nth < 2; nth += 1) await Promise.all([refused(), confirm(person)]);
  await main(person).getByText('Refused: 2.').waitFor();
  await dialogsAreGone(person);
  const decided = await Promise.all(ids.map(async (id) => (await edge.operate('GET', `/ops/approvals/${id}`)).body));
  expect(decided.map(({ approval }) => [approval.state, approval.decision_reason])).toEqual([
    ['REFUSED', 'nothing of it is written'],
    ['REFUSED', 'it was the other shop'],
  ]);
  expect(await balance()).toBe(before);
}

/** From where a key was refused is on the page of its account, and one click away from a proposal to let it in. */
export async function seesRefusedAddress(edge: Edge, shop: NewMerchant, person: Person): Promise<void> {
  const issued = { environment: 'test', name: 'till' };
  const pair = (await edge.operate('POST', `/ops/accounts/${shop.id}/keys`, issued)).body;
  const body = { entries: ['10.1.2.3'], reason: 'only the shop' };
  const { approval } = (await edge.operate('PUT', `/ops/keys/${pair.public_key}/allowlist`, body)).body;
  expect((await edge.operate('POST', `/ops/approvals/${approval.id}/approve`, {}, 1)).status).toBe(200);
  const headers = { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key };
  const refusal = async () => await (await fetch(`${edge.stack.baseUrl}/v1/balance`, { headers })).text();
  await expect.poll(refusal).toContain('AUTH_IP_BLOCKED');
  await search(person, shop.id);
  await person.page.getByRole('link', { name: 'Keys and people' }).click();
  const table = main(person).getByRole('table', { name: 'Refused addresses of the last hour' });
  await expect
    .poll(async () => {
      await person.page.reload();
      await main(person).getByRole('row').getByText('Active', { exact: true }).first().waitFor();
      await table.or(main(person).getByText('No key was used from another address')).first().waitFor();
      return await table.count();
    })
    .toBe(1);
  await inOrder(person, 'account-refused-addresses');
  await table.getByRole('button', { name: 'Add it…' }).click();
  await expect
    .poll(() => person.page.getByRole('textbox', { name: 'From' }).inputValue())
    .toMatch(/^10\.1\.2\.3\n127\.0\.0\.1$/);
  await because(person, 'the shop has moved');
  await propose(person);
}

/**
 * On a phone a list begins with its rows: its filters are one line, which says how many are used. A card shows the facts that
 * matter, and the others once it is unfolded.
 */
export async function foldsOnPhone(person: Person): Promise<void> {
  const { page } = person;
  await page.goto('/payouts?status=PAID');
  await heading(person, 'Payouts');
  const status = main(person).getByLabel('Status');
  await status.waitFor();
  await page.setViewportSize(narrow);
  await status.waitFor({ state: 'hidden' });
  const fold = main(person).getByRole('button', { name: 'Filters (1)' });
  await fold.click();
  await status.waitFor();
  expect(await fold.getAttribute('aria-expanded')).toBe('true');
  await fold.click();
  await status.waitFor({ state: 'hidden' });
  await page.goto('/audit');
  const card = main(person).getByRole('row').nth(1);
  const request = card.getByRole('cell').last().getByRole('code');
  await request.waitFor({ state: 'hidden' });
  await card.getByRole('button', { name: 'More' }).click();
  await request.waitFor();
  await page.setViewportSize(wide);
  // What unfolds a card is no part of a table, whose rows are gone through by keys.
  await page.keyboard.press('j');
  await expect.poll(() => page.evaluate(`document.activeElement.closest('tr') !== null`)).toBe(true);
}

/** Columns that are left out stay left out in that list alone, also in a page that is opened anew, as rows that are low. */
export async function choosesColumns(person: Person): Promise<void> {
  const { page } = person;
  const heads = () => main(person).getByRole('columnheader').allInnerTexts();
  const isListed = async (address: string) => {
    await page.goto(address);
    await main(person).getByRole('columnheader').first().waitFor();
  };
  await isListed('/deposits?status=PAID');
  expect(await heads()).toContain('Provider');
  await main(person).getByText('Columns', { exact: true }).click();
  await main(person).getByRole('checkbox', { name: 'Provider' }).uncheck();
  await main(person).getByRole('checkbox', { name: 'Compact rows' }).check();
  await expect.poll(heads).not.toContain('Provider');
  await inOrder(person, 'deposits-columns');
  await isListed('/deposits?status=PAID');
  expect(await heads()).not.toContain('Provider');
  expect(await main(person).getByRole('table').getAttribute('data-compact')).toBe('true');
  await isListed('/refunds');
  expect(await heads()).toContain('Provider');
  expect(await main(person).getByRole('table').getAttribute('data-compact')).toBe('false');
  await isListed('/deposits?status=PAID');
  await main(person).getByText('Columns', { exact: true }).click();
  for (const name of ['Provider', 'Compact rows']) {
    const box = main(person).getByRole('checkbox', { name });
    await box.setChecked(name === 'Provider');
  }
  await expect.poll(heads).toContain('Provider');
}
