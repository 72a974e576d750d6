import { expect } from 'vitest';
import type { Person } from './console-pages.ts';
import type { NewMerchant } from './edge.ts';

/** Waits for the page of that name; the results of a search for it have another. */
export const heading = ({ page }: Person, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
export const press = async ({ page }: Person, name: string | RegExp) =>
  await page.getByRole('button', { name }).click();
/** By the navigation. */
export const go = async ({ page }: Person, name: string) =>
  await page.getByRole('navigation', { name: 'Gateway' }).getByRole('link', { name }).click();
export const main = ({ page }: Person) => page.getByRole('main');
/** Another mode is another page: what is done before it is there is done on the one before. */
export const switchTo = async ({ page }: Person, mode: 'Live' | 'Test') => {
  await page.getByRole('link', { name: mode, exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname.includes(`/${mode.toLowerCase()}/`));
};
/** By the letter of a page. Both keys are under way at once, since the second is waited for no longer than a moment. */
export const goByKeys = async ({ page: { keyboard } }: Person, letter: string) => {
  await Promise.all([keyboard.press('g'), keyboard.press(letter)]);
};

/** Signs in by the printed link, and adds a passkey. */
export async function signInByLink(person: Person): Promise<void> {
  await person.page.goto(person.link);
  await heading(person, 'Welcome');
  await press(person, 'Sign in');
  await heading(person, 'Your sign-in');
  await person.page.getByLabel('Name of the device').fill('laptop');
  await press(person, 'Add a passkey');
  await person.page.getByRole('rowheader', { name: 'laptop' }).waitFor();
}

/** Confirms what is being done with the passkey of the device. */
export const confirm = (person: Person) => press(person, 'Confirm with a passkey');

/** Proposes to pay a known recipient, for a colleague to approve. */
export async function proposePayout(person: Person, reference: string, amount: string): Promise<void> {
  await go(person, 'Payouts');
  await press(person, 'New payout');
  const form = person.page.getByRole('dialog');
  await form.getByLabel('External id').fill(reference);
  await form.getByLabel('Amount').fill(amount);
  await form.getByLabel('Recipient', { exact: true }).fill('Maria da Silva');
  await form.getByLabel('CPF or CNPJ of the recipient').fill('52998224725');
  await form.getByLabel('Key', { exact: true }).fill('maria@example.com');
  await press(person, 'Propose the payout (TEST)');
  await confirm(person);
  await main(person).getByText('You proposed this').waitFor();
}

/** Payments are narrowed by a key of their metadata and its value, which stand in the address. */
export async function filtersByMetadata(shop: NewMerchant, person: Person): Promise<void> {
  const marked = { amount_cents: 3_100, external_id: 'order-of-cart', metadata: { cart: 'a=77' } };
  expect((await shop.test.post('/v1/deposits', marked)).status).toBe(201);
  const apply = main(person).getByRole('button', { name: 'Filter', exact: true });
  await main(person).getByText('More filters').click();
  await main(person).getByLabel('Metadata (key=value)').fill('cart=a=77');
  await apply.click();
  await main(person).getByRole('link', { name: 'order-of-cart' }).waitFor();
  expect(new URL(person.page.url()).searchParams.get('metadata')).toBe('cart=a=77');
  expect(await main(person).getByRole('rowheader').count()).toBe(1);
  await main(person).getByLabel('Metadata (key=value)').fill('cart=78');
  await apply.click();
  await main(person).getByText('No record matches these filters.').waitFor();
  await person.page.reload();
  await main(person).getByText('No record matches these filters.').waitFor();
  expect(await main(person).getByLabel('Metadata (key=value)').inputValue()).toBe('cart=78');
  await press(person, 'Clear the filters');
  await main(person).getByRole('link', { name: 'order-1002' }).waitFor();
}
