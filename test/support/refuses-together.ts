import { expect } from 'vitest';
import { dialogsAreGone, inOrder, type Person } from './console-pages.ts';
import type { Edge, NewMerchant } from './edge.ts';
import { confirm, go, main, press, proposePayout } from './merchant-steps.ts';

/** Two payouts of a colleague are refused together, each for its own reason and confirmed by itself, and neither is made. */
export async function refusesTwoTogether(edge: Edge, shop: NewMerchant, proposer: Person, person: Person) {
  const references = ['gift-1', 'gift-2'];
  await proposePayout(proposer, 'gift-1', '11,00');
  await proposePayout(proposer, 'gift-2', '12,00');
  const { page } = person;
  await go(person, 'Approvals');
  const rows = main(person)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox') });
  await expect.poll(() => rows.count()).toBe(2);
  for (const row of await rows.all()) await row.getByRole('checkbox').check();
  await press(person, 'Refuse 2…');
  const dialog = page.getByRole('dialog');
  // The newest stands first.
  await dialog.getByRole('heading', { name: '1. A payout: R$12.00' }).waitFor();
  const reason = (nth: number) => dialog.getByLabel(`${nth}. Reason, for your colleagues`);
  await reason(1).fill('not agreed');
  await dialog.getByRole('button', { name: 'Refuse 2' }).click();
  await expect.poll(() => dialog.locator('textarea:invalid').count()).toBe(1);
  await reason(2).fill('paid in cash');
  await inOrder(person, 'm-approvals-refused');
  await dialog.getByRole('button', { name: 'Refuse 2' }).click();
  const refused = () => page.waitForResponse((answer) => answer.url().endsWith('/refuse') && answer.status() === 200);
  for (let nth = 0; nth < 2; nth += 1) await Promise.all([refused(), confirm(person)]);
  await main(person).getByText('Refused: 2.').waitFor();
  await dialogsAreGone(person);
  const gateway = await edge.databaseOf('api_gateway');
  const decided = await gateway.query<{ state: string; decision_reason: string }>(
    `select state, decision_reason from approval where account_id = $1 and decision_reason = any($2) order by id desc`,
    [shop.id, ['not agreed', 'paid in cash']],
  );
  expect(decided.map((each) => [each.state, each.decision_reason])).toEqual([
    ['REFUSED', 'not agreed'],
    ['REFUSED', 'paid in cash'],
  ]);
  for (const reference of references) {
    expect((await shop.test.get(`/v1/payouts?external_id=${reference}`)).body.data).toEqual([]);
  }
  // A list that is opened anew has what is proposed after this.
  await go(person, 'Home');
}
