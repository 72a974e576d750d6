import { expect } from 'vitest';
import type { Person } from './console-pages.ts';
import { main } from './operator-steps.ts';

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
  // The first of these hours was before the product was started: nothing is known of it, which is not nothing to do.
  await picture.press('Home');
  await expect.poll(() => picture.getAttribute('aria-valuetext')).toContain('not counted');
  const drawn = (await card.locator('path').first().getAttribute('d')) ?? '';
  expect(drawn.split('L').length).toBeLessThanOrEqual(3);
  await card.getByText('As a table').click();
  const rows = card.getByRole('table', { name: 'Payouts under way' }).getByRole('row');
  await rows.nth(24).waitFor();
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual(['–']);
  await main(person).getByRole('heading', { name: 'Latency of providers' }).waitFor();
}

/** The overview has who writes the balances, the providers, and how far the messages of each service are behind. */
export async function gatewayIsShown(person: Person): Promise<void> {
  const writers = main(person).getByRole('table', { name: 'Who writes the balances' });
  for (const environment of ['Live', 'Test']) {
    const row = writers.getByRole('row').filter({ has: person.page.getByText(environment, { exact: true }) });
    await row.getByText('Writes', { exact: true }).waitFor();
  }
  const messages = main(person).getByRole('table', { name: 'Messages between services' });
  await messages.getByRole('row').filter({ hasText: 'webhooks' }).getByText('None', { exact: true }).waitFor();
  const providers = main(person).getByRole('table', { name: 'Providers' });
  await providers.getByRole('link', { name: 'woovi', exact: true }).waitFor();
}
