import { dialogsAreGone, focusIsKept, inOrder, type Person } from './console-pages.ts';
import { heading, main, press, signInByLink } from './merchant-steps.ts';
import { timedCode } from './operator-browser.ts';

/**
 * What a person signs in with is on a page of their own: recovery codes, a password, where they are signed in. One of the codes
 * lets in who has lost the device, and takes no credential away.
 */
export async function keepsOwnSignIn(person: Person): Promise<void> {
  const { page, name } = person;
  await signInByLink(person);
  await main(person).getByText('This one', { exact: true }).waitFor();
  await press(person, 'Make new ones');
  const code = await main(person).getByRole('listitem').first().innerText();
  await inOrder(person, 'm-recovery-codes');
  await press(person, 'I have kept them');
  await main(person)
    .getByText(/^10 are left/)
    .waitFor();
  await press(person, 'Set a password');
  const secret = await main(person).locator('form code').innerText();
  await main(person).getByLabel('New password').fill('correct horse battery staple');
  await main(person).getByLabel('Code of your authenticator').fill(timedCode(secret));
  await inOrder(person, 'm-own-password');
  await press(person, 'Set the password');
  await main(person).getByText('The password is set.').waitFor();
  await focusIsKept(person);

  await page.context().clearCookies();
  await page.goto('/');
  await page.getByText('With a recovery code').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
  await inOrder(person, 'm-sign-in-recovery');
  await press(person, 'Sign in with the code');
  await heading(person, 'Home');
  await dialogsAreGone(person);
  await page.goto(`${new URL(page.url()).pathname.replace(/\/$/, '')}/me`);
  await main(person)
    .getByText(/^9 are left/)
    .waitFor();
  await press(person, 'Remove: laptop');
  await main(person).getByRole('alert').waitFor();
  await main(person).getByRole('rowheader', { name: 'laptop' }).waitFor();
  await press(person, 'End all others');
  await main(person).getByText('Ended: 1.').waitFor();
  await inOrder(person, 'm-own-sign-in');
}
