import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { dialogsAreGone, type Person } from './console-pages.ts';
import { heading, main } from './merchant-steps.ts';

export { goByKeys, heading, main, signInByLink } from './merchant-steps.ts';

export async function press({ page }: Person, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** Presses what a dialog is for. */
export async function send({ page }: Person, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

export async function fill({ page }: Person, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text);
}

/** Types why something is changed, in the form that is open. */
export const because = async (person: Person, reason: string) =>
  await fill(person, 'Reason, for the other operators', reason);

export async function confirm(person: Person): Promise<void> {
  await press(person, 'Confirm with a passkey');
}

/** To a page of the navigation. */
export async function go({ page }: Person, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Gateway operations' }).getByRole('link', { name, exact: true }).click();
}

/** Sends what is typed as a proposal, and goes to it. */
export async function propose(person: Person, button = 'Propose it'): Promise<void> {
  await send(person, button);
  await confirm(person);
  await person.page.getByRole('link', { name: 'Go to the proposal' }).click();
  await person.page.getByText('You proposed this: another operator decides it.').waitFor();
}

/** Answers for the reconciliation that the page shows, in which everything agrees, beside how much is explained in time. */
export async function signOff(person: Person, reason: string): Promise<void> {
  await main(person).getByRole('heading', { name: 'Explained within five minutes' }).waitFor();
  await press(person, 'Sign off…');
  await because(person, reason);
  await send(person, 'Sign it off');
  await main(person)
    .getByText(/^Signed off by /)
    .waitFor();
}

/** Opens the proposal that another person has open, and approves it. */
export async function approve(person: Person, address: string): Promise<void> {
  await person.page.goto(address);
  await press(person, 'Approve…');
  await because(person, 'looked at it too');
  await send(person, 'Approve');
  await confirm(person);
  await main(person).getByText('Carried out', { exact: true }).waitFor();
}

/** Runs the reconciliation, and answers the row with what nothing explains of what a provider holds. */
export async function differenceAt(person: Person, provider: string): Promise<Locator> {
  const { page } = person;
  await go(person, 'Reconciliation');
  await heading(person, 'Reconciliation');
  const ran = page.waitForResponse((response) => response.request().method() === 'POST');
  await press(person, 'Run now');
  expect((await ran).ok()).toBe(true);
  return page.getByRole('row').filter({ has: page.getByRole('link', { name: new RegExp(`^${provider} `) }) });
}

/** Searches from any page, by the keyboard. */
export async function search(person: Person, q: string): Promise<void> {
  const { keyboard } = person.page;
  await dialogsAreGone(person);
  await keyboard.press('/');
  await person.page.locator('[role=search] input:focus').waitFor();
  await keyboard.type(q);
  await keyboard.press('Enter');
}
