import { expect } from 'vitest';
import { inOrder, type Person } from './console-pages.ts';
import type { NewMerchant } from './edge.ts';
import { approve, fill, main, press, propose } from './operator-steps.ts';

const contestedCents = 45_000;

/** One person enters a dispute from the page of its deposit, and states how it ended; another approves both. */
export async function disputeByLetter(shop: NewMerchant, first: Person, second: Person): Promise<void> {
  const balance = async () => (await shop.test.get('/v1/balance')).body.brl as { readonly blocked_cents: number };
  const body = { amount_cents: 60_000, external_id: 'order-2003' };
  const deposit = String((await shop.test.post('/v1/deposits', body)).body.id);
  await shop.test.post(`/v1/test/deposits/${deposit}/pay`);
  const before = await balance();
  await first.page.goto(`/deposits/${deposit}`);
  await press(first, 'Enter a dispute…');
  await fill(first, 'Reference of the provider', 'MED-2026-118');
  await fill(first, 'Amount', '450.00');
  await fill(first, 'Opened by the provider at', '2025-05-12T09:00');
  await fill(first, 'Evidence until', '2037-05-19T18:00');
  await fill(first, 'How it is known', 'letter of the bank of 12 May');
  await inOrder(first, 'dispute-enter');
  await propose(first);
  await main(first).getByText('MED-2026-118').first().waitFor();
  await inOrder(first, 'approval-of-a-dispute');
  expect(await balance()).toEqual(before);
  await approve(second, first.page.url());
  const { data } = (await shop.test.get(`/v1/disputes?deposit_id=${deposit}`)).body;
  expect(data).toMatchObject([{ status: 'OPEN', amount_cents: contestedCents, blocked_cents: contestedCents }]);
  expect((await balance()).blocked_cents).toBe(before.blocked_cents + contestedCents);
  await first.page.goto(`/disputes/${data[0].id}`);
  await main(first).getByText('letter of the bank of 12 May').first().waitFor();
  await press(first, 'Resolve…');
  await first.page.getByLabel('The merchant is right').check();
  await fill(first, 'How it is known', 'letter of the bank of 20 May');
  await propose(first, 'Propose the outcome');
  await approve(second, first.page.url());
  expect(await balance()).toEqual(before);
}
