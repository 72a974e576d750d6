import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { connectBus } from '@gateway/messaging';
import { silentLogger } from '@gateway/test-kit';
import { dialogsAreGone, inOrder, narrow, type Person, wide } from './console-pages.ts';
import type { Edge, NewMerchant } from './edge.ts';
import { go, main, press } from './operator-steps.ts';

/** Selects a part of a text with the mouse, as a person does who copies it. */
async function selectWithin({ page }: Person, text: Locator): Promise<void> {
  const box = await text.boundingBox();
  expect(box).not.toBeNull();
  const { x, y, width, height } = box!;
  await page.mouse.move(x + width - 16, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 16, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate<string>('String(getSelection())')).not.toBe('');
}

/**
 * A click into a row opens its record beside the list, whose page keeps its name; Escape returns to the row, and Enter leads to
 * the page of the record.
 */
export async function opensBeside(person: Person): Promise<void> {
  const { page } = person;
  await page.goto('/deposits?status=PAID');
  const row = main(person)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
  await row.first().waitFor();
  const panel = page.getByRole('complementary', { name: 'Record' });
  // Two pictures later the click has been handled.
  const opened = async () =>
    await page.evaluate<string>(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(location.hash))))',
    );
  await selectWithin(person, row.first().getByRole('cell').last());
  expect(await opened()).toBe('');
  await page.setViewportSize(narrow);
  await row.first().getByRole('cell').last().click();
  expect(await opened()).toBe('');
  await page.setViewportSize(wide);
  await row.first().getByRole('cell').last().click();
  await panel.getByRole('heading', { level: 2, name: /^R\$/ }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Deposits']);
  expect(await page.title()).toBe('Deposits · Gateway operations');
  // One outline for the page and the panel: the record is a part of the list, and its sections are parts of it.
  expect(await panel.getByRole('heading', { level: 2 }).count()).toBe(1);
  expect(await panel.getByRole('heading', { level: 3 }).allInnerTexts()).toContain('Timeline');
  await inOrder(person, 'deposit-beside');
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  await expect.poll(() => page.evaluate(`document.activeElement.closest('tr')?.dataset.record`)).toMatch(/^dep_/);
  await page.keyboard.press('o');
  await panel.getByRole('heading', { level: 2, name: /^R\$/ }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open its page');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname.startsWith('/deposits/dep_'));
  await expect.poll(() => panel.count()).toBe(0);
  await page.getByRole('heading', { level: 1, name: /^R\$/ }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^Deposit R\$/);
}

/** What opens beside a list is the record that its rows are about: a receipt is none of the refunds, whose ids it shares. */
export async function opensOthersBeside(edge: Edge, shop: NewMerchant, person: Person): Promise<void> {
  const { page } = person;
  const { id } = (await shop.live.post('/v1/deposits', { amount_cents: 2_600, external_id: edge.reference() })).body;
  const charge = `/charges/${id.slice('dep_'.length)}`;
  for (const count of [1, 2]) {
    await edge.simulate('POST', `${charge}/pay`, {});
    await expect.poll(async () => (await edge.simulate('GET', charge)).payments.length).toBe(count);
  }
  const receipts = async () => (await edge.operate('GET', `/ops/orphan-receipts?deposit_id=${id}`)).body.data;
  await expect.poll(async () => (await receipts()).length).toBe(1);
  const panel = page.getByRole('complementary', { name: 'Record' });
  const opens = async (address: string, what: string) => {
    await page.goto(address);
    const row = main(person)
      .getByRole('row')
      .filter({ has: page.getByRole('link') });
    await row.first().getByRole('cell').last().click();
    await panel.getByText(what, { exact: true }).first().waitFor();
    await panel.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  };
  await opens(`/orphan-receipts?deposit_id=${id}`, 'A second payment of the same charge');
  await inOrder(person, 'receipt-beside');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname.startsWith('/orphan-receipts/rfd_'));
  await opens(`/accounts/${shop.id}/statement?environment=live`, 'Deposit');
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Loja Azul']);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname === `/deposits/${id}`);
}

/** A letter opens beside the list of them, and Escape returns to its row. */
async function letterIsBeside(person: Person, subject: string): Promise<void> {
  const { page } = person;
  const row = main(person)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
  await row.first().getByRole('cell').last().click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByRole('heading', { level: 2, name: subject }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Dead letters']);
  await inOrder(person, 'dead-letter-beside');
  // Escape closes what is open over it first.
  await press(person, 'Discard…');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await dialogsAreGone(person);
  expect(await panel.count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  await expect.poll(() => page.evaluate(`document.activeElement.closest('tr')?.dataset.record`)).toMatch(/^dlq_/);
}

/** Letters that are selected by keys are delivered again at once, and the page counts those that still wait. */
export async function deliversSelected(edge: Edge, person: Person): Promise<void> {
  const subject = 'event.payouts.payout.paid.v1';
  await using bus = await connectBus({ url: edge.stack.natsUrl, name: 'test', logger: silentLogger });
  for (const cents of [1, 2]) await bus.jetstream.publish(subject, JSON.stringify({ cents }));
  const letters = async () => (await edge.operate('GET', '/ops/dead-letters?status=WAITING')).body.data;
  await expect.poll(async () => (await letters()).length).toBe(2);
  const [{ id, service }] = await letters();
  const { payload } = JSON.parse(readFileSync(`packages/contracts/test/fixtures/${subject}.json`, 'utf8'));
  const owner = await edge.databaseOf(service);
  await owner.query('update dead_letter set payload = $2 where id = $1', [id, Buffer.from(JSON.stringify(payload))]);
  const { keyboard } = person.page;
  await keyboard.press('?');
  await person.page.getByRole('dialog').getByText('To the filters').waitFor();
  expect(await person.page.getByText('Select the row').count()).toBe(0);
  await keyboard.press('Escape');
  await dialogsAreGone(person);
  await go(person, 'Dead letters');
  await main(person).getByRole('row').getByRole('link').first().waitFor();
  await letterIsBeside(person, subject);
  for (const key of ['j', 'x']) await keyboard.press(key);
  await main(person).getByRole('button', { name: 'Deliver again: 1' }).waitFor();
  await keyboard.press('x');
  await expect.poll(() => main(person).getByRole('checkbox', { checked: true }).count()).toBe(0);
  await press(person, 'Select all of this page');
  await inOrder(person, 'dead-letters-selected');
  await press(person, 'Deliver again: 2');
  await main(person).getByText('Handled now: 1. Still waiting: 1.').waitFor();
  expect(await letters()).toHaveLength(1);
}
