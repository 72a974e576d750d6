import { type ConsolePages, focusIsKept, inOrder, type Person } from './console-pages.ts';
import {
  approve,
  because,
  fill,
  go,
  heading,
  main,
  press,
  propose,
  search,
  send,
  signInByLink,
} from './operator-steps.ts';

/** What an account has and may is changed on its page: what holds money back by one, at once, and the opposite by two. */
export async function changesSettings([treasurer, admin]: readonly [Person, Person], name: string): Promise<void> {
  await search(treasurer, name);
  await heading(treasurer, name);
  await press(treasurer, 'Details…');
  await fill(treasurer, 'Days for which deposits are retained', '2');
  await because(treasurer, 'agreed in the contract');
  await inOrder(treasurer, 'account-details');
  await send(treasurer, 'Save');
  await main(treasurer).getByText('2 days', { exact: true }).waitFor();
  await focusIsKept(treasurer);
  await press(treasurer, 'Details…');
  await fill(treasurer, 'Days for which deposits are retained', '0');
  await because(treasurer, 'it was tried');
  await send(treasurer, 'Save');
  await main(treasurer).getByText('not retained', { exact: true }).waitFor();

  await press(treasurer, 'Limits…');
  await treasurer.page.getByRole('dialog').getByLabel('Currency').selectOption('MXN');
  await fill(treasurer, 'Payouts of a day without an operator', '70');
  await because(treasurer, 'Mexico begins small');
  await inOrder(treasurer, 'account-limits-mxn');
  await send(treasurer, 'Save');
  await main(treasurer).getByText('Payouts of a day without an operator (MXN)').waitFor();
  await main(treasurer).getByText('$70.00').waitFor();

  await press(treasurer, 'Second person…');
  await treasurer.page.getByLabel('Not asked for').check();
  await because(treasurer, 'the account has one person');
  await inOrder(treasurer, 'account-team');
  await propose(treasurer, 'Save');
  await approve(admin, treasurer.page.url());
  await search(treasurer, name);
  await heading(treasurer, name);
  await main(treasurer).getByText('not asked for', { exact: true }).waitFor();
}

/** Calls of the connector are restricted by one, and what lifting them does is shown before it is done. */
export async function restrictsConnector(person: Person): Promise<void> {
  await person.page.getByRole('link', { name: 'Keys and people' }).click();
  await main(person).getByText('The connector is not restricted for this account.').waitFor();
  await press(person, 'Restrict…');
  await person.page.getByLabel('are refused').check();
  await inOrder(person, 'connector-restrict');
  await send(person, 'Restrict it');
  const restrictions = main(person).getByRole('table', { name: 'Restrictions of the connector' });
  await restrictions.getByRole('row', { name: /cli.*no/ }).waitFor();
  await focusIsKept(person);
  await press(person, 'Lift…');
  await person.page.getByText('From then on the account calls this prefix as it calls any other.').waitFor();
  await send(person, 'Lift them');
  await main(person).getByText('The connector is not restricted for this account.').waitFor();
  await go(person, 'Overview');
}

/** The sign-in of an only owner is proposed to be reset, and until it can be every page of the account says so. */
export async function proposesReset(pages: ConsolePages, person: Person): Promise<void> {
  const { id } = await pages.edge.newMerchant({ name: 'Loja Verde' });
  const owner = await pages.member('solo.dias', [{ accountId: id, roles: ['owner'], environments: ['test', 'live'] }]);
  await signInByLink(owner);
  await person.page.goto(`/accounts/${id}/access`);
  await main(person)
    .getByRole('row', { name: /solo\.dias/ })
    .waitFor();
  await press(person, 'Reset the sign-in…');
  await because(person, 'the phone was lost');
  await inOrder(person, 'account-reset');
  await propose(person);
  await main(person).getByText('Can be approved from').waitFor();
  await inOrder(person, 'approval-reset');
  await owner.page.reload();
  await main(owner)
    .getByText(/asked to reset the sign-in of solo\.dias/)
    .waitFor();
  await inOrder(owner, 'm-reset-proposed');
  // As once it was approved, but for the session, in which who asked for nothing still sees it.
  const gateway = await pages.edge.databaseOf('api_gateway');
  await gateway.query(
    `update approval set state = 'APPLIED', approved_by = 'bea.luz', outcome = '{}', decided_at = now() where account_id = $1`,
    [id],
  );
  await owner.page.reload();
  await main(owner)
    .getByText(/ reset the sign-in of solo\.dias on /)
    .waitFor();
  await inOrder(owner, 'm-reset-done');
}
