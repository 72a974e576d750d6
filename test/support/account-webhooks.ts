import { expect } from 'vitest';
import { focusIsKept, inOrder, type Person } from './console-pages.ts';
import type { NewMerchant } from './edge.ts';
import { heading, main, press, search, send } from './operator-steps.ts';
import { showsPersonalData } from './revealed-data.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** A failing endpoint of an account is recovered, and one delivery sent once more and read as it was sent. */
export async function recoversEndpoint(shop: NewMerchant, person: Person): Promise<void> {
  let status = 500;
  await using receiver = await startWebhookReceiver(() => status);
  const made = await shop.test.post('/v1/webhooks', { name: 'till', url: receiver.url, events: ['deposit.paid'] });
  expect(made.status).toBe(201);
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 5_000, external_id: 'hooked' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  await search(person, 'Loja Azul');
  await heading(person, 'Loja Azul');
  await person.page.getByRole('link', { name: 'Webhooks' }).click();
  // In live mode: the page before has a choice of the mode, too.
  await main(person).getByText('The account has no endpoint yet.').waitFor();
  await person.page.getByLabel('Environment').selectOption('Test');
  await person.page.getByRole('link', { name: 'till' }).click();
  await main(person).getByRole('row').getByText('deposit.paid').first().waitFor();
  await inOrder(person, 'account-webhook');
  await press(person, 'Recover…');
  await inOrder(person, 'account-recover');
  await send(person, 'Send them again');
  await person.page.getByText('deliveries are sent again.').waitFor();
  await send(person, 'Close');
  status = 200;
  await main(person).getByRole('rowheader').getByText('deposit.paid').click();
  await press(person, 'Resend now');
  await main(person).getByText('Delivered', { exact: true }).waitFor();
  await focusIsKept(person);
  await inOrder(person, 'account-delivery');
  await showsPersonalData(person, '"external_id":"hooked"', 'account-delivery-revealed');
}
