import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ledgerCommand, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { amountMax, newId } from '@gateway/money';
import { headersFrom, replyToHeader } from '@gateway/messaging';
import { bigintArray } from '@gateway/persistence';
import type { Rule } from '#src/posting/rule.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger } from './support/direct-ledger.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

/** An adjustment that a broken rule would post without its counterpart. */
const unbalancedAmount = 666_666;
vi.mock('#src/posting/rules/balance-rules.ts', async (load) => {
  const original = await load<{ readonly adjust: Rule<'adjust'> }>();
  const { adjust: rule } = original;
  const broken: typeof rule = (command, view, atMs) => {
    const result = rule(command, view, atMs);
    if (command.amount !== unbalancedAmount || !('postings' in result)) return result;
    return { ...result, postings: result.postings.slice(0, 1) };
  };
  return { ...original, adjust: broken };
});

const subject = 'command.ledger.test.0.credit-deposit.v1';
let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

/** What the writer answers to a message as it is, whatever it is. */
async function answerTo(message: object): Promise<LedgerResult> {
  const inbox = `_INBOX.test.${newId('event')}`;
  const answers = ledger.bus.connection.subscribe(inbox, { max: 1 });
  const headers = headersFrom({ [replyToHeader]: inbox });
  ledger.bus.connection.publish(subject, JSON.stringify(message), { headers });
  for await (const answer of answers) return answer.json<LedgerResult>();
  throw new Error('nobody answered');
}

const lettersWith = async (text: string) =>
  await ledger.database.query<{ reason: string }>(
    `select reason from dead_letter where encode(payload, 'escape') like '%' || $1 || '%'`,
    [text],
  );

/** Everything the ledger knows of an account, and of a command. */
async function rowsOf({ accountId, id }: Pick<LedgerCommand, 'accountId' | 'id'>) {
  const [row] = await ledger.database.query(
    `select (select count(*) from balance where account_id = $1) as balances,
       (select count(*) from entry where account_id = $1) as entries,
       (select count(*) from reference where account_id = $1) as records,
       (select count(*) from command where id = $2) as commands`,
    [accountId, id],
  );
  return row;
}

const nothing = { balances: 0, entries: 0, records: 0, commands: 0 };

test('what is not JSON is kept as a dead letter, and the writer goes on', async () => {
  ledger.bus.connection.publish(subject, 'not json');
  expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
  expect(await lettersWith('not json')).toHaveLength(1);
});

describe('a message that is no command', () => {
  const credit = () => creditDeposit(newId('account'));
  const correction = () => adjust(newId('account'), 1);

  test.each<[string, () => LedgerCommand, object]>([
    ['amount', credit, { amount: 0 }],
    ['amount', credit, { amount: -1 }],
    ['amount', credit, { amount: 1.5 }],
    ['amount', credit, { amount: amountMax + 1 }],
    ['amount', credit, { amount: '10000' }],
    ['fee', credit, { fee: -1 }],
    ['fee', credit, { fee: 10_001 }],
    ['currency', credit, { currency: 'XYZ' }],
    ['accountId', credit, { accountId: 'acc_unknown' }],
    ['depositId', credit, { depositId: 'pyt_01k9z3m4v6t8x0a2c4e6g8jk08' }],
    ['environment', credit, { environment: 'live' }],
    ['environment', credit, { environment: 'moon' }],
    ['kind', credit, { kind: 'make-money' }],
    ['amount', correction, { amount: 0 }],
    ['amount', correction, { amount: Number.MAX_SAFE_INTEGER + 1 }],
    ['amount', correction, { amount: Number.MIN_SAFE_INTEGER - 1 }],
  ])('for its %s is refused, naming it, and nothing is written but a dead letter', async (field, make, change) => {
    const command = make();
    const answer = await answerTo({ ...command, ...change });
    expect(answer).toMatchObject({ outcome: 'refused', refusal: 'invalid_command', field });
    expect(await lettersWith(command.id)).toHaveLength(1);
    expect(await rowsOf(command)).toEqual(nothing);
    expect(await ledger.ask(command)).toMatchObject({ outcome: 'applied' });
  });
});

test('an amount is taken up to the largest, one less included', async () => {
  const accountId = newId('account');
  for (const amount of [amountMax - 1, amountMax]) {
    expect(await ledger.ask(creditDeposit(accountId, { amount }))).toMatchObject({ outcome: 'applied' });
  }
});

describe('a command is refused, its result is all that is written', () => {
  const common = { environment: 'test', currency: 'BRL', provider: 'sandbox', amount: 100 } as const;
  const payoutId = newId('payout');

  test.each<[string, LedgerCommand, string]>([
    ['of an account nobody knows', debitPayout(newId('account')), 'insufficient_funds'],
    [
      'for a payout nobody knows',
      { kind: 'settle-payout', id: `settle-payout:${payoutId}`, accountId: newId('account'), ...common, payoutId },
      'unknown_reference',
    ],
    [
      'for a dispute of nothing',
      {
        ...common,
        kind: 'return-dispute',
        id: 'return-dispute:1',
        accountId: newId('account'),
        disputeId: newId('dispute'),
      },
      'unknown_reference',
    ],
  ])('%s', async (_which, command, refusal) => {
    expect(await ledger.ask(command)).toMatchObject({ outcome: 'refused', refusal });
    expect(await rowsOf(command)).toEqual({ ...nothing, commands: 1 });
    expect(await ledger.ask(command)).toMatchObject({ outcome: 'refused', refusal, replayed: true });
  });

  test("for another account's deposit, or in another currency than the deposit's", async () => {
    const owner = newId('account');
    const deposit = creditDeposit(owner, { releaseAt: 2_000_000_000 });
    await ledger.ask(deposit);
    const release = { ...common, kind: 'release-pending', depositId: deposit.depositId } as const;
    const foreign = { ...release, id: 'release-pending:foreign', accountId: newId('account') };
    expect(await ledger.ask(foreign)).toMatchObject({ refusal: 'unknown_reference' });
    expect(await rowsOf(foreign)).toEqual({ ...nothing, commands: 1 });
    const other = { ...release, id: 'release-pending:other', accountId: owner, currency: 'MXN' } as const;
    expect(await ledger.ask(other)).toMatchObject({ refusal: 'currency_mismatch' });
  });
});

describe('what does not balance', () => {
  test('by a rule is a dead letter: nothing of it is written, and those before and behind it are decided', async () => {
    const accountId = newId('account');
    const unbalanced = adjust(accountId, unbalancedAmount);
    ledger.bus.connection.publish(ledgerCommand.subjectFor(unbalanced), JSON.stringify(unbalanced));
    const others = await Promise.all([1, 2, 3].map(async () => await ledger.ask(adjust(newId('account'), 5))));
    expect(others.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    const [letter] = await lettersWith(unbalanced.id);
    expect(letter?.reason).toContain('is out of balance by');
    expect(await rowsOf(unbalanced)).toEqual(nothing);
    const checks = await reconcile(ledger.database.pool);
    expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
  });

  test('by the time it reaches PostgreSQL is refused there, whole', async () => {
    await using direct = await startDirectLedger();
    const { session } = direct;
    const send = session.query.bind(session);
    /** $52: what our own accounts change by. A cent of it gets lost. */
    const systemAmounts = 51;
    const losing = async (query: string | QueryConfig, values?: unknown[]) => {
      if (typeof query === 'string') return await send(query, values);
      const given = (query.values ?? []) as unknown[];
      if (query.name !== 'write-batch') return await send(query);
      return await send({ ...query, values: given.with(systemAmounts, bigintArray([-99])) });
    };
    Object.assign(session, { query: losing });
    const command = adjust(newId('account'), 100);
    await expect(direct.write(command)).rejects.toMatchObject({ constraint: 'shard_in_balance' });
    expect(await direct.database.query('select 1 from command union all select 1 from entry')).toEqual([]);
  });
});
