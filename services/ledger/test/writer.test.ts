import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { BalanceReader } from '#src/statement/get-balance.ts';
import { readEntries } from '#src/statement/list-entries.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

describe('a command through the stream', () => {
  test('is answered with the balance it leaves, and both reads agree', async () => {
    const accountId = newId('account');
    const credit = await ledger.ask(creditDeposit(accountId));
    expect(credit).toMatchObject({ outcome: 'applied', replayed: false, balances: [{ available: 9_900 }] });
    const debit = await ledger.ask(debitPayout(accountId));
    expect(debit.balances).toEqual([{ currency: 'BRL', available: 8_890, pending: 0, blocked: 0 }]);

    const owner = { environment: 'test', accountId } as const;
    expect(await new BalanceReader(ledger.database).read(owner)).toEqual(debit.balances);
    const { entries } = await readEntries(ledger.database, { ...owner, limit: 10 });
    expect(entries.map(({ type, amount, balanceAfter }) => [type, amount, balanceAfter])).toEqual([
      ['PAYOUT_FEE', -10, 8_890],
      ['PAYOUT', -1_000, 8_900],
      ['DEPOSIT_NET', 9_900, 9_900],
    ]);
  });

  test('asked twice is decided once and answered with the stored result', async () => {
    const accountId = newId('account');
    const command = creditDeposit(accountId);
    const first = await ledger.ask(command);
    const second = await ledger.ask(command);
    expect(second).toEqual({ ...first, replayed: true });
  });

  test('refused for funds stays refused when funds arrive', async () => {
    const accountId = newId('account');
    const payout = debitPayout(accountId);
    expect(await ledger.ask(payout)).toMatchObject({ outcome: 'refused', refusal: 'insufficient_funds' });
    await ledger.ask(adjust(accountId, 50_000));
    expect(await ledger.ask(payout)).toMatchObject({ outcome: 'refused', replayed: true });
  });

  test.each([
    ['amount', { amount: 9_999 }],
    ['fee', { fee: 99 }],
    ['accountId', { accountId: newId('account') }],
    ['currency', { currency: 'MXN' }],
    ['provider', { provider: 'efi' }],
    ['releaseAt', { releaseAt: 2_000_000_000 }],
    ['depositId', { depositId: newId('deposit') }],
  ] as const)('repeated with another %s is a conflict that names it', async (field, change) => {
    const command = creditDeposit(newId('account'));
    await ledger.ask(command);
    expect(await ledger.ask({ ...command, ...change })).toMatchObject({ outcome: 'conflict', field });
    expect(await ledger.ask(command)).toMatchObject({ outcome: 'applied', replayed: true });
  });
});

test('a command that cannot be decided is set aside, and holds up no other', async () => {
  const accountId = newId('account');
  const deposit = await creditOf(accountId);
  const refundId = newId('refund');
  const refund = {
    environment: 'test',
    accountId,
    currency: 'BRL',
    refundId,
    provider: 'sandbox',
    amount: 100,
  } as const;
  const given = { ...refund, depositId: deposit, depositAmount: 10_000 };
  await ledger.ask({ kind: 'refund-deposit', id: `refund-deposit:${refundId}`, ...given });
  await ledger.database.query('update reference set deposit_id = null where id = $1', [refundId]);

  const id = `reverse-refund:${refundId}`;
  const bad = { kind: 'reverse-refund', id, ...refund, depositId: deposit } as const;
  ledger.bus.connection.publish(ledgerCommand.subjectFor(bad), JSON.stringify(bad));
  const others = await Promise.all([1, 2, 3].map(async () => await ledger.ask(creditDeposit(accountId))));
  expect(others.map((other) => other.outcome)).toEqual(['applied', 'applied', 'applied']);
  const letters = await ledger.database.query<{ reason: string }>(
    `select reason from dead_letter where encode(payload, 'escape') like '%' || $1 || '%'`,
    [id],
  );
  expect(letters[0]?.reason).toContain('lacks a member');
});

async function creditOf(accountId: string): Promise<string> {
  const command = creditDeposit(accountId);
  await ledger.ask(command);
  return command.depositId;
}
