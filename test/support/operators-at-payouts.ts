import { focusIsKept, inOrder, type Person } from './console-pages.ts';
import { heading, press, search } from './operator-steps.ts';

/** Why it waits and what is known of its recipient and its account stand before the buttons that decide it. */
export async function isWeighed({ page }: Person): Promise<void> {
  for (const shown of [/^It waits because /, 'Not paid before the last 30 days.', 'Available besides it']) {
    await page.getByText(shown).waitFor();
  }
}

/** Refuses a payout that waits, for a reason that operators read on its page. */
export async function refusesPayout(person: Person, id: string): Promise<void> {
  await search(person, id);
  await heading(person, /900\.00/);
  await press(person, 'Refuse…');
  await person.page.getByLabel('Reason, for the other operators').fill('the recipient is on a list');
  await inOrder(person, 'payout-refuse');
  await press(person, 'Refuse the payout');
  await press(person, 'Confirm with a passkey');
  await person.page.getByRole('main').getByText('Refused', { exact: true }).waitFor();
  await focusIsKept(person);
  await person.page.getByRole('definition').getByText('the recipient is on a list').waitFor();
}
