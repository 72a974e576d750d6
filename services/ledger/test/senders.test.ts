import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams } from '@gateway/contracts/broker';
import { DepositPaid } from '@gateway/contracts/deposits';
import {
  ledgerCommand,
  ledgerCommandQueue,
  type LedgerCommand,
  type LedgerCommandKind,
} from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { headersFrom, replyToHeader } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

// The broker of these tests lets everybody publish everything: what is refused, the ledger refuses.
let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

const subjectOf = (kind: string) => `${ledgerCommandQueue('test', 0)}.${kind}.v1`;

/** What was answered by the time the ledger has decided a command that was sent behind it. */
async function answersTo(subject: string, text: string, headers: Record<string, string> = {}): Promise<string[]> {
  const inbox = `_INBOX.test.${newId('event')}`;
  const answers: string[] = [];
  ledger.bus.connection.subscribe(inbox, { callback: (_error, answer) => void answers.push(answer.string()) });
  ledger.bus.connection.publish(subject, text, { headers: headersFrom({ ...headers, [replyToHeader]: inbox }) });
  expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
  await ledger.bus.ping();
  return answers;
}

async function letterFor({ id }: LedgerCommand): Promise<string | undefined> {
  const [letter] = await ledger.database.query<{ reason: string }>(
    `select reason from dead_letter where encode(payload, 'escape') like '%' || $1 || '%'`,
    [id],
  );
  return letter?.reason;
}

const decisionsOf = async ({ id }: LedgerCommand) =>
  await ledger.database.query('select 1 from command where id = $1', [id]);

const kinds = Object.entries(ledgerCommand.senders) as [LedgerCommandKind, string][];
/** One kind that each service sends: what an intruder with that service's user can publish at the broker. */
const senders = ['deposits', 'payouts', 'ledger', 'api-gateway'].map(
  (service) => [service, kinds.find(([, sender]) => sender === service)?.[0] ?? ''] as const,
);

describe.each([
  ['credit-deposit', () => creditDeposit(newId('account'))],
  ['debit-payout', () => debitPayout(newId('account'))],
  ['adjust', () => adjust(newId('account'), 1_000_000)],
] as const)('a command %s', (kind, make) => {
  const others = senders.filter(([service]) => service !== ledgerCommand.senders[kind]);

  test.each(others)(
    'on a subject of %s is set aside: it books nothing, answers nothing, uses up no id',
    async (...door) => {
      const command = make();
      expect(await answersTo(subjectOf(door[1]), JSON.stringify(command))).toEqual([]);
      expect(await letterFor(command)).toBe(
        `a ${kind} command arrived on ${subjectOf(door[1])}, where its sender does not send it`,
      );
      expect(await decisionsOf(command)).toEqual([]);
      expect(await ledger.ask(command)).toMatchObject({ replayed: false });
    },
  );

  test('on the subject all senders once had is set aside', async () => {
    const command = make();
    expect(await answersTo('command.ledger.test.0.v1', JSON.stringify(command))).toEqual([]);
    expect(await letterFor(command)).toContain('where its sender does not send it');
    expect(await decisionsOf(command)).toEqual([]);
  });
});

test('a command under the id of another kind is set aside, so that nobody uses up the ids of another', async () => {
  const payout = debitPayout(newId('account'));
  const credit = creditDeposit(newId('account'), { id: payout.id });
  expect(await answersTo(subjectOf(credit.kind), JSON.stringify(credit))).toEqual([]);
  expect(await letterFor(credit)).toBe(`a credit-deposit command has the id of another kind, ${payout.id}`);
  expect(await ledger.ask(payout)).toMatchObject({ refusal: 'insufficient_funds', replayed: false });
});

test("a message the broker repeats into the ledger's stream from another is set aside, on the right subject too", async () => {
  const { manager } = ledger.bus;
  const { name, subjects } = streams.depositsEvents;
  const republish = { src: DepositPaid.subject, dest: subjectOf('adjust') };
  await manager.streams.add({ name, subjects: [...subjects], republish });
  const command = adjust(newId('account'), 1_000_000);
  await ledger.bus.jetstream.publish(DepositPaid.subject, JSON.stringify(command));
  await eventually(async () =>
    expect(await letterFor(command)).toBe(`the broker repeated the message from stream ${name}`),
  );
  expect(await decisionsOf(command)).toEqual([]);
});

test('commands of one account are decided in the order in which they were stored, whoever sends them', async () => {
  const accountId = newId('account');
  const deposits = Array.from({ length: 20 }, () => creditDeposit(accountId, { amount: 1_000, fee: 0 }));
  const commands = deposits.flatMap((deposit) => [deposit, debitPayout(accountId, { amount: 1_000, fee: 0 })]);
  const results = await Promise.all(commands.map((command) => ledger.ask(command)));
  expect(results.map(({ outcome }) => outcome)).toEqual(commands.map(() => 'applied'));
  expect(results.map(({ balances }) => balances[0]?.available)).toEqual(deposits.flatMap(() => [1_000, 0]));
});
