import { expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { focusIsKept, holdBack, inOrder, useConsole, type Person } from './support/console-pages.ts';
import type { NewMerchant } from './support/edge.ts';
import { confirm, go, heading, main, press, signInByLink, switchTo } from './support/merchant-steps.ts';
import { keepsOwnSignIn } from './support/own-sign-in.ts';

// One product for all of them, in this order: what one test leaves is what the next begins with.
const pages = useConsole();
const environments = ['test', 'live'];
let shop: NewMerchant;
let olga: Person;
let guest: Person;

/** Opens the link of an invitation in a browser of its own, and enrols there. */
const enrol = async (person: Person, link: string) => {
  await person.page.goto(link);
  await heading(person, 'Welcome');
  await person.page.getByLabel('Name of the device').fill('phone of bia');
  await press(person, 'Add a passkey');
};

test('an invitation gives nothing before the inviter confirmed who enrolled', async () => {
  shop = await pages().edge.newMerchant({ name: 'Loja Azul' });
  olga = await pages().member('olga.dias', [{ accountId: shop.id, roles: ['owner'], environments }]);
  guest = await pages().member('guest', []);
  await signInByLink(olga);
  await go(olga, 'Team');
  await heading(olga, 'Team');
  await press(olga, 'Invite a person…');
  const dialog = olga.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('bia.luz');
  await dialog.getByLabel('Finance').check();
  await dialog.getByLabel('Live', { exact: true }).check();
  await inOrder(olga, 'm-invite');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirm(olga);
  const link = await dialog.getByText(/welcome#/).innerText();
  await inOrder(olga, 'm-invitation-link');
  await press(olga, 'I have kept them');
  await focusIsKept(olga);
  await main(olga).getByText('Link not opened yet').waitFor();

  await enrol(guest, link);
  await guest.page.getByText('confirms now that it was you').waitFor();
  await guest.page.goto('/');
  await press(guest, 'Sign in with a passkey');
  await guest.page.getByRole('alert').waitFor();

  await olga.page.reload();
  await main(olga)
    .getByText(/^bia.luz opened the link/)
    .waitFor();
  await inOrder(olga, 'm-team');
  await press(olga, 'Confirm bia.luz, with the device phone of bia');
  await confirm(olga);
  await main(olga)
    .getByRole('row', { name: /^bia.luz Active/ })
    .waitFor();
  await focusIsKept(olga);
  await press(guest, 'Sign in with a passkey');
  await heading(guest, 'Home');
});

test('rights change within a second, an owner is made by two, and a person is taken out', async () => {
  await main(olga).getByRole('link', { name: 'bia.luz' }).click();
  await heading(olga, 'bia.luz');
  await inOrder(olga, 'm-person');
  await press(olga, 'Change rights…');
  const dialog = olga.page.getByRole('dialog');
  await dialog.getByLabel('Owner').check();
  await dialog.getByText('decides who becomes an owner').waitFor();
  await inOrder(olga, 'm-person-rights');
  await press(olga, 'Propose the owner');
  await confirm(olga);
  await heading(olga, 'bia.luz');
  await main(olga).getByText('You proposed this').waitFor();
  await press(olga, 'Withdraw');
  await main(olga).getByText('Withdrawn', { exact: true }).waitFor();
  await go(olga, 'Team');
  await main(olga).getByRole('link', { name: 'bia.luz' }).click();
  await press(olga, 'Reset the sign-in…');
  await dialog.getByLabel('Reason, for your colleagues').fill('the phone was lost');
  await inOrder(olga, 'm-person-reset');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await confirm(olga);
  await dialog.getByText(/welcome#/).waitFor();
  await press(olga, 'I have kept them');
  await focusIsKept(olga);
  await guest.page.reload();
  await heading(guest, 'Sign in');
  await press(olga, 'Remove…');
  await press(olga, 'Take out');
  await confirm(olga);
  await heading(olga, 'Team');
  await expect.poll(() => main(olga).getByRole('link', { name: 'bia.luz' }).count()).toBe(0);
  await main(olga).getByRole('link', { name: 'Who did what' }).click();
  await heading(olga, 'Who did what');
  for (const what of ['Took out of the account', 'Reset a sign-in', 'Confirmed who was invited', 'Invited']) {
    await main(olga).getByText(what, { exact: true }).waitFor();
  }
  await focusIsKept(olga);
  await inOrder(olga, 'm-team-audit');
});

test('what is typed to answer a dispute is kept until it is sent, and the page shows what became of it', async () => {
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 100_000, external_id: 'order-9001' })).body;
  await shop.test.post(`/v1/test/deposits/${id}/pay`);
  expect((await shop.test.post(`/v1/test/deposits/${id}/dispute`, {})).status).toBe(200);
  await switchTo(olga, 'Test');
  await go(olga, 'Disputes');
  await main(olga).getByRole('link', { name: 'order-9001' }).click();
  await heading(olga, /1,000\.00/);
  await main(olga).getByLabel('Text').fill('Delivered on 12 May, signed for by the payer.');
  await olga.page.reload();
  const textKept = () => main(olga).getByLabel('Text').inputValue();
  await expect.poll(textKept).toBe('Delivered on 12 May, signed for by the payer.');
  await main(olga).getByLabel('Addresses of documents').fill('http://shop.example/receipt.pdf');
  await press(olga, 'Send the evidence (TEST)');
  await main(olga).getByRole('alert').first().waitFor();
  await inOrder(olga, 'm-dispute-answer');
  await main(olga).getByLabel('Addresses of documents').fill('');
  await press(olga, 'Send the evidence (TEST)');
  await confirm(olga);
  await main(olga).getByText('It is on its way.').waitFor();
  await main(olga)
    .getByRole('row', { name: /^Delivered on 12 May/ })
    .getByText(/Sent|Taken by the provider/)
    .waitFor();
  await focusIsKept(olga);
  await expect.poll(textKept).toBe('');
  await inOrder(olga, 'm-dispute-answered');
});

/** A live payment that its payer contests at the provider: the id of the claim there. */
async function contested(externalId: string): Promise<string> {
  const { edge } = pages();
  const { id } = (await shop.live.post('/v1/deposits', { amount_cents: 50_000, external_id: externalId })).body;
  await edge.simulate('POST', `/charges/${id.slice('dep_'.length)}/pay`, {});
  const e2eId = await eventually(async () => {
    const { body } = await shop.live.get(`/v1/deposits/${id}`);
    expect(body.status).toBe('PAID');
    return body.e2e_id as string;
  });
  const claim = await edge.simulate('POST', `/payments/${e2eId}/dispute`, {});
  await eventually(async () => {
    expect((await shop.live.get(`/v1/disputes?deposit_id=${id}`)).body.data).toHaveLength(1);
  });
  return claim.id;
}

test('a dispute is answered with two files before its deadline; the page shows when the provider took them, and when it refused', async () => {
  const { edge } = pages();
  // The other one takes documents.
  expect((await edge.operate('PATCH', '/ops/providers/live/efi', { enabled: false })).status).toBe(200);
  await contested('order-live-1');
  const document = (name: string) => ({
    ...{ name: `${name}.pdf`, mimeType: 'application/pdf' },
    buffer: Buffer.from(
      `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /N (${name}) >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`,
    ),
  });
  const open = async (order: string) => {
    await go(olga, 'Disputes');
    await main(olga).getByRole('link', { name: order }).click();
    await heading(olga, /500\.00/);
  };
  await switchTo(olga, 'Live');
  await open('order-live-1');
  await main(olga)
    .getByText(/ left$/)
    .waitFor();
  const chosen = main(olga).getByLabel('Files', { exact: true });
  await chosen.setInputFiles([{ ...document('letter'), buffer: Buffer.from('dear bank') }]);
  await main(olga)
    .getByText(/^letter\.pdf: /)
    .waitFor();
  const letGo = await holdBack(olga, '**/v1/files');
  await chosen.setInputFiles(['receipt', 'signature', 'draft'].map(document));
  await main(olga)
    .getByText(/^receipt\.pdf, signature\.pdf, draft\.pdf/)
    .waitFor();
  // While files are stored no other ones are taken.
  await chosen.setInputFiles([document('late')]);
  expect(
    await main(olga)
      .getByText(/late\.pdf/)
      .count(),
  ).toBe(0);
  await letGo();
  await main(olga).getByRole('button', { name: 'Take draft.pdf out' }).click();
  await focusIsKept(olga);
  await main(olga).getByLabel('Text').fill('Delivered on 12 May, signed for by the payer.');
  await olga.page.reload();
  await main(olga).getByRole('button', { name: 'Take signature.pdf out' }).waitFor();
  await inOrder(olga, 'm-dispute-files');
  await press(olga, 'Send the evidence');
  await confirm(olga);
  const sent = main(olga).getByRole('row', { name: /^Delivered on 12 May/ });
  await sent.getByText('Taken by the provider').waitFor();
  await expect.poll(() => sent.getByText('The provider has it').count()).toBe(2);
  await sent.getByText(new RegExp(`${new Date().getFullYear()}`)).waitFor();
  await inOrder(olga, 'm-dispute-files-taken');

  // Decided at the provider, which has not reported it yet.
  const claim = await contested('order-live-2');
  await edge.simulate('POST', '/disputes', { listed_by: 'creation' });
  await edge.simulate('POST', '/faults', { operation: 'notification', fault: 'lost' });
  await edge.simulate('POST', `/disputes/${claim}/resolve`, { result: 'REJECTED' });
  await open('order-live-2');
  await main(olga).getByLabel('Text').fill('Delivered on 13 May.');
  await chosen.setInputFiles([document('receipt')]);
  await main(olga).getByRole('button', { name: 'Take receipt.pdf out' }).waitFor();
  const answer = await holdBack(olga, '**/v1/disputes/*/evidence');
  await press(olga, 'Send the evidence');
  // What is typed while that is under way is not sent with it, and stays.
  const urls = main(olga).getByLabel('Addresses of documents');
  await urls.fill('https://shop.example/later.pdf');
  await answer();
  await confirm(olga);
  const refused = main(olga).getByRole('row', { name: /^Delivered on 13 May/ });
  await refused.getByText('Refused', { exact: true }).first().waitFor();
  expect(await urls.inputValue()).toBe('https://shop.example/later.pdf');
  await inOrder(olga, 'm-dispute-files-refused');
  await edge.simulate('DELETE', '/faults');
  await switchTo(olga, 'Test');
});

test('a session that was idle for too long ends, the typed form is there after signing in again', async () => {
  await go(olga, 'Developers');
  await press(olga, 'New key');
  const name = olga.page.getByRole('dialog', { name: 'New key' }).getByLabel('Name');
  await name.fill('till of the shop');
  await olga.page.getByLabel('Payments: Read').check();
  const identity = await pages().edge.databaseOf('identity');
  await identity.query(
    `update session set last_seen_at = now() - interval '31 minutes'
      where person_id = (select id from person where name = 'olga.dias')`,
  );
  const asked = `fetch('/accounts', { headers: { 'x-console': '1', 'x-background': '1' } }).then(({ status }) => status)`;
  await expect.poll(() => olga.page.evaluate(asked)).toBe(401);
  // What the page reads by itself may have been the first to notice, and then there is nothing to press any more.
  const ended = olga.page.getByRole('heading', { name: 'Your session has ended' });
  const create = olga.page.getByRole('button', { name: 'Create the key (TEST)' });
  await create.or(ended).first().waitFor();
  if (!(await ended.isVisible())) await create.click({ timeout: 10_000 }).catch(() => undefined);
  await ended.waitFor();
  await press(olga, 'Sign in with a passkey');
  await olga.page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('till of the shop');
  await press(olga, 'Create the key (TEST)');
  await confirm(olga);
  await olga.page.getByText(/^sk_test_/).waitFor();
});

test('what a person signs in with is kept on a page of their own, and a recovery code lets in who has lost the device', async () => {
  await keepsOwnSignIn(await pages().member('nina.reis', [{ accountId: shop.id, roles: ['viewer'], environments }]));
});
