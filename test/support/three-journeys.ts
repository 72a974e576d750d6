import type { Locator } from 'playwright-core';
import { dialogsAreGone, type Person } from './console-pages.ts';

/** How a person works at a page: every step of a journey is one of these. */
interface Hands {
  readonly press: (person: Person, target: Locator) => Promise<void>;
  readonly check: (person: Person, target: Locator) => Promise<void>;
  readonly type: (person: Person, target: Locator, text: string) => Promise<void>;
}

/** With a mouse, or a finger. */
export const pointer: Hands = {
  press: (_person, target) => target.click(),
  check: (_person, target) => target.check(),
  type: (_person, target, text) => target.fill(text),
};

/** More than any page has of what the keyboard stops at. */
const stopsMax = 150;

/** Goes to an element by Tab alone, as it is reached without a mouse. */
async function reach({ page }: Person, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < stopsMax; stop++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} is not reached by Tab`);
}

/** By Tab, Enter, Space and letters alone. */
export const keyboard: Hands = {
  press: async (person, target) => {
    await reach(person, target);
    await person.page.keyboard.press('Enter');
  },
  check: async (person, target) => {
    await reach(person, target);
    await person.page.keyboard.press('Space');
  },
  type: async (person, target, text) => {
    await reach(person, target);
    await person.page.keyboard.type(text);
  },
};

/** What the pages of the three journeys say. */
export const english = {
  ...{ confirm: 'Confirm with a passkey', approvals: 'Approvals', payouts: 'Payouts', webhooks: 'Webhooks' },
  ...{ resolve: 'Resolve…', paid: 'The recipient has the money', evidence: 'How it is known' },
  ...{
    propose: 'Propose the outcome',
    close: 'Close',
    resolved: 'Resolve a payout',
    approve: 'Approve…',
    agree: 'Approve',
  },
  ...{ reason: 'Reason, for the other operators', done: 'Carried out', newPayout: 'New payout' },
  ...{ externalId: 'External id', amount: 'Amount', recipient: 'Recipient', key: 'Key' },
  ...{ document: 'CPF or CNPJ of the recipient', proposePayout: 'Propose the payout (TEST)', payout: 'A payout' },
  ...{ send: 'Approve and send (TEST)', resend: 'Resend now', delivered: 'Delivered' },
};
type Words = typeof english;
export const spanish: Words = {
  ...{ confirm: 'Confirmar con una passkey', approvals: 'Aprobaciones', payouts: 'Payouts', webhooks: 'Webhooks' },
  ...{ resolve: 'Resolver…', paid: 'El destinatario tiene el dinero', evidence: 'Cómo se sabe' },
  ...{
    propose: 'Proponer el resultado',
    close: 'Cerrar',
    resolved: 'Resolver un payout',
    approve: 'Aprobar…',
    agree: 'Aprobar',
  },
  ...{ reason: 'Motivo, para los demás operadores', done: 'Ejecutada', newPayout: 'Nuevo payout' },
  ...{ externalId: 'Id externo', amount: 'Monto', recipient: 'Destinatario', key: 'Clave' },
  ...{ document: 'CPF o CNPJ del destinatario', proposePayout: 'Proponer el payout (PRUEBA)', payout: 'Un payout' },
  ...{ send: 'Aprobar y enviar (PRUEBA)', resend: 'Reenviar ahora', delivered: 'Entregado' },
};

interface Way {
  readonly hands: Hands;
  readonly words: Words;
}

const button = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true });
const link = ({ page }: Person, name: string, href?: string) => {
  const named = page.getByRole('link', { name, exact: true });
  return (href === undefined ? named : named.and(page.locator(`[href="${href}"]`))).first();
};
const field = ({ page }: Person, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true });
const isDone = ({ page }: Person, word: string) =>
  page.getByRole('main').getByText(word, { exact: true }).first().waitFor();

/** A payout whose outcome is unknown: one operator states it, another agrees. */
export async function resolveStuckPayout(people: readonly [Person, Person], id: string, { hands, words }: Way) {
  const [first, second] = people;
  await first.page.goto(`/payouts/${id}`);
  await hands.press(first, button(first, words.resolve));
  await hands.check(first, first.page.getByLabel(words.paid));
  await hands.type(first, field(first, words.evidence), 'line 12 of the statement of today');
  await hands.press(first, button(first, words.propose));
  await hands.press(first, button(first, words.confirm));
  await hands.press(first, button(first, words.close));
  await dialogsAreGone(first);
  await second.page.goto('/');
  // What waits for an operator stands on the page itself: on a phone the navigation is behind a button.
  const waiting = second.page.getByRole('main').getByRole('link', { name: new RegExp(words.approvals) });
  await hands.press(second, waiting);
  await hands.press(second, link(second, words.resolved));
  await hands.press(second, button(second, words.approve));
  await hands.type(second, field(second, words.reason), 'seen on the statement, too');
  await hands.press(second, second.page.getByRole('dialog').getByRole('button', { name: words.agree, exact: true }));
  await hands.press(second, button(second, words.confirm));
  await isDone(second, words.done);
  await dialogsAreGone(second);
}

/** The page of one proposal. */
const proposalAddress = /\/approvals\/[^/?]+$/;

/** One of the team proposes a payout, another sends it. */
export async function sendTeamPayout(people: readonly [Person, Person], externalId: string, { hands, words }: Way) {
  const [first, second] = people;
  await hands.press(first, link(first, words.payouts));
  await hands.press(first, button(first, words.newPayout));
  await hands.type(first, field(first, words.externalId), externalId);
  await hands.type(first, field(first, words.amount), '12,50');
  await hands.type(first, field(first, words.recipient), 'Maria da Silva');
  await hands.type(first, field(first, words.document), '52998224725');
  await hands.type(first, field(first, words.key), 'maria@example.com');
  await hands.press(first, button(first, words.proposePayout));
  await hands.press(first, button(first, words.confirm));
  await dialogsAreGone(first);
  await first.page.waitForURL(proposalAddress);
  const address = new URL(first.page.url()).pathname;
  await hands.press(second, link(second, words.approvals));
  // While a list is read again it still has the rows of before, and a proposal of before is a payout, too.
  await hands.press(second, link(second, words.payout, address));
  await hands.press(second, button(second, words.send));
  await hands.press(second, button(second, words.confirm));
  await isDone(second, words.done);
  await dialogsAreGone(second);
}

/** What an endpoint did not take is sent to it again once it is mended. */
export async function resendToMended(person: Person, endpoint: string, { hands, words }: Way) {
  await hands.press(person, link(person, words.webhooks));
  await hands.press(person, link(person, endpoint));
  await hands.press(person, link(person, 'deposit.pending'));
  await hands.press(person, button(person, words.resend));
  await isDone(person, words.delivered);
}
