import { expect } from 'vitest';
import { dialogsAreGone, inOrder, narrow, type Person, wide } from './console-pages.ts';
import type { Edge, NewMerchant } from './edge.ts';
import { because, confirm, go, heading, main, press, propose, search, send } from './operator-steps.ts';

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

/** On a phone a list begins with its rows: its filters are one line, which says how many are used. */
export async function foldsFilters(person: Person): Promise<void> {
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
  await page.setViewportSize(wide);
  await status.waitFor();
}

/** The overview has what is worked off over time as a picture and as a table, once it was counted. */
export async function backlogIsShown(person: Person): Promise<void> {
  const card = main(person).getByRole('article').filter({ hasText: 'Payouts under way' });
  const picture = card.getByRole('slider', { name: 'Payouts under way' });
  await expect
    .poll(
      async () => {
        await person.page.reload();
        await picture.or(main(person).getByText('Nothing has been counted yet.')).first().waitFor();
        return await picture.count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await card.getByText('As a table').click();
  await card.getByRole('table', { name: 'Payouts under way' }).getByRole('row').nth(24).waitFor();
  await main(person).getByRole('heading', { name: 'Latency of providers' }).waitFor();
}

/** A click into a row opens its record beside the list; Escape returns to the row, and Enter leads to the page. */
export async function opensBeside(person: Person): Promise<void> {
  const { page } = person;
  await page.goto('/deposits?status=PAID');
  const row = main(person)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
  await row.first().waitFor();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await row.first().getByRole('cell').last().click();
  await panel.getByRole('heading', { level: 1 }).waitFor();
  await inOrder(person, 'deposit-beside');
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  await expect.poll(() => page.evaluate(`document.activeElement.closest('tr')?.dataset.record`)).toMatch(/^dep_/);
  await page.keyboard.press('o');
  await panel.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open its page');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname.startsWith('/deposits/dep_'));
  await expect.poll(() => panel.count()).toBe(0);
}
