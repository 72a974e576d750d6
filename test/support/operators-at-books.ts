import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { dialogsAreGone, inOrder, type Person } from './console-pages.ts';
import type { Edge, NewMerchant } from './edge.ts';
import { approve, because, confirm, fill, go, heading, main, press, propose, search, send } from './operator-steps.ts';

const approvalIn = (address: string) => new URL(address).pathname.split('/').at(-1) ?? '';

/**
 * Money of our own that was taken out of a provider is declared by its reference, and booked once another operator has approved it; a
 * line that is not there is refused by its name, and what was typed stays.
 */
export async function declaresOwnTransfer(edge: Edge, proposer: Person, decider: Person): Promise<void> {
  const cents = -45_000;
  const { entry } = await edge.simulate('POST', '/accounts/woovi/own-transfers', { amount_cents: cents });
  const { page } = proposer;
  await go(proposer, 'Providers');
  await main(proposer).getByRole('link', { name: 'woovi', exact: true }).click();
  await press(proposer, 'Own transfer… BRL');
  await page.getByLabel('to the account', { exact: true }).check();
  await page.getByLabel('its line is there: by the id of the line').check();
  await fill(proposer, 'Amount', '450,00');
  await fill(proposer, 'Reference, or id of the line', 'woovi:none');
  await because(proposer, 'taken out for the taxes');
  await inOrder(proposer, 'provider-own-transfer');
  await send(proposer, 'Propose it');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('450,00');
  await page.getByLabel('out of the account').check();
  await page.getByLabel('its line is not there yet: by a reference').check();
  await fill(proposer, 'Reference, or id of the line', `entry${entry}`);
  await propose(proposer);
  const approval = async () => (await edge.operate('GET', `/ops/approvals/${approvalIn(page.url())}`)).body.approval;
  expect(await approval()).toMatchObject({
    kind: 'own-transfer.declare',
    state: 'PROPOSED',
    request: { provider: 'woovi', currency: 'BRL', amount_cents: cents, reference: `entry${entry}`, line_id: null },
  });
  await approve(decider, page.url());
  const ledger = await edge.databaseOf('ledger');
  const postings = async () =>
    await ledger.query('select postings from result where command_id = $1', [(await approval()).outcome.command_id]);
  expect(await postings()).toEqual([
    {
      postings: [
        ['provider:woovi', 'system', 'BRL', -cents],
        ['own-funds', 'system', 'BRL', cents],
      ],
    },
  ]);
}

/** How the CSV of a bank is read is proposed by the names of its columns, and in force once another operator has approved it. */
export async function proposesMapping(edge: Edge, proposer: Person, decider: Person): Promise<void> {
  const { page } = proposer;
  const dialog = page.getByRole('dialog');
  await go(proposer, 'Statement files');
  await heading(proposer, 'Statement files');
  await press(proposer, 'How a CSV is read…');
  await dialog.getByLabel('Provider').selectOption('efi');
  await dialog.getByLabel('Between two columns').selectOption('tab');
  await dialog.getByLabel('Encoding').selectOption('latin-1');
  for (const [label, column] of [
    ['Column: date', 'Data'],
    ['Column: amount', 'Valor'],
    ['Column: which way the money went', 'Tipo'],
    ['There, for money that came', 'C\nCRÉDITO'],
    ['There, for money that went', 'D'],
    ['Description', 'Lançamento'],
  ] as const) {
    await fill(proposer, label, column);
  }
  await because(proposer, 'the bank has no other form');
  await inOrder(proposer, 'statement-mapping');
  await propose(proposer);
  const latest = async () => (await edge.operate('GET', '/ops/statement-mappings?provider=efi')).body.data[0];
  expect((await latest()).approved_by).toBeNull();
  await approve(decider, page.url());
  expect((await latest()).approved_by).not.toBeNull();
  expect((await latest()).mapping).toMatchObject({
    ...{
      encoding: 'latin-1',
      delimiter: '\t',
      header_line: 1,
      currency: 'BRL',
      text: 'Lançamento',
      id: null,
      e2e: null,
    },
    date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
    amount: { column: 'Valor', decimal: ',', sign: { column: 'Tipo', credit: ['C', 'CRÉDITO'], debit: ['D'] } },
  });
}

/** What a check found takes a note, and a run in which something does not agree is answered for by two. */
export async function answersForDifference(person: Person, other: Person): Promise<void> {
  const { page } = person;
  await main(person).getByRole('button', { name: 'Note…' }).first().click();
  await fill(person, 'What was found out', 'the owner took it out');
  await inOrder(person, 'reconciliation-note');
  await send(person, 'Keep it');
  await main(person).getByText(`${person.name}: the owner took it out`).waitFor();
  await dialogsAreGone(person);
  await press(person, 'Sign off…');
  await because(person, 'it is explained by tomorrow');
  await propose(person);
  await approve(other, page.url());
  await page.goto('/reconciliation');
  await main(person)
    .getByText(/^Signed off by .*it is explained by tomorrow/)
    .waitFor();
}

/** The records of an account of all kinds, newest first: by environment, page by page, beside the list, and as a file. */
export async function readsActivity(edge: Edge, shop: NewMerchant, person: Person, exporter: Person): Promise<void> {
  const { page } = person;
  const { id } = (await shop.test.post('/v1/deposits', { amount_cents: 1_700, external_id: edge.reference() })).body;
  await search(person, shop.id);
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const rows = main(person)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
  await expect.poll(() => rows.first().innerText()).toContain('R$17.00');
  expect(await rows.first().innerText()).toContain('Waits for payment');
  const kinds = await main(person)
    .getByRole('cell', { name: /^(Deposit|Payout)$/ })
    .allInnerTexts();
  expect([...new Set(kinds)].sort()).toEqual(['Deposit', 'Payout']);
  await inOrder(person, 'account-activity');
  await rows.first().getByRole('cell').last().click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByRole('heading', { level: 2, name: 'R$17.00' }).waitFor();
  await page.keyboard.press('Escape');
  await main(person).getByLabel('Environment').selectOption('Live');
  await main(person).getByText('The account has made nothing yet, or nothing in this environment.').waitFor();
  expect(new URL(page.url()).search).toBe('?environment=live');
  await page.goBack();
  await rows.first().getByRole('link', { name: /^dep_/ }).click();
  await page.waitForURL(({ pathname }) => pathname === `/deposits/${id}`);
  await exporter.page.goto(`/accounts/${shop.id}/activity?environment=test`);
  const saved = exporter.page.waitForEvent('download');
  await press(exporter, 'Save as CSV');
  await confirm(exporter);
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(file).toContain(id);
  expect(file.split(/\r?\n/)[0]).toContain('kind');
}
