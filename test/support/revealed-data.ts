import { expect } from 'vitest';
import { focusIsKept, inOrder, type Person } from './console-pages.ts';
import type { Edge } from './edge.ts';
import { main } from './merchant-steps.ts';

const button = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true });

/** Asks for the personal data of the record that is open, and says why. */
async function ask(person: Person): Promise<void> {
  const { page } = person;
  await main(person).getByText('Personal data is masked.').waitFor();
  await button(person, 'Show it…').click();
  await page.getByLabel('Why it has to be seen').fill('the payer calls');
  await page.getByRole('dialog').getByRole('button', { name: 'Show it', exact: true }).click();
}

/** Shows what is known of the people of the record that is open, and masks it again. */
export async function showsPersonalData(person: Person, text: string, name: string): Promise<void> {
  expect(await main(person).innerText()).not.toContain(text);
  await ask(person);
  await main(person).getByText(text).first().waitFor();
  await focusIsKept(person);
  await inOrder(person, name);
  await button(person, 'Mask it again').click();
  await expect.poll(() => main(person).innerText()).not.toContain(text);
}

/** Without a row in the trail of reads no document of a payout is shown; with it, who saw it and why is there. */
export async function revealsDocument(edge: Edge, person: Person, id: string, document: string): Promise<void> {
  const reveals = async (): Promise<string[]> => {
    const { data } = (await edge.operate('GET', `/ops/audit?kind=read&target=${id}`)).body;
    const rows = data as { readonly operator: string; readonly filter: { readonly reveal?: string } | null }[];
    return rows.filter(({ filter }) => filter?.reveal !== undefined).map(({ operator }) => operator);
  };
  await person.page.goto(`/payouts/${id}`);
  await main(person).getByText('Personal data is masked.').waitFor();
  const gateway = await edge.databaseOf('api_gateway');
  await gateway.query('alter table audit rename to audit_away');
  await ask(person);
  await main(person).getByRole('alert').waitFor();
  expect(await main(person).innerText()).not.toContain(document);
  await gateway.query('alter table audit_away rename to audit');
  expect(await reveals()).toEqual([]);
  await button(person, 'Try again').click();
  await main(person).getByText(document).waitFor();
  // The page repeats by itself what is answered so: it has ended now.
  expect((person.complaints as string[]).splice(0).every((line) => line.includes('503'))).toBe(true);
  expect(await reveals()).toEqual([person.name]);
  await focusIsKept(person);
  await inOrder(person, 'payout-revealed');
}
