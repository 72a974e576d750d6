import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

const environment = 'test' as const;
const provider = 'sandbox';
const accountId = newId('account');
const common = { environment, accountId, currency: 'BRL', provider } as const;
const [depositId, refundId, disputeId, payoutId] = [
  newId('deposit'),
  newId('refund'),
  newId('dispute'),
  newId('payout'),
];

/** A record of each kind, with something of everything that is remembered. */
const commands: readonly LedgerCommand[] = [
  creditDeposit(accountId, { depositId }),
  creditDeposit(accountId, { releaseAt: 2_000_000_000 }),
  {
    ...common,
    kind: 'refund-deposit',
    id: 'refund-deposit:1',
    depositId,
    refundId,
    amount: 2_000,
    depositAmount: 10_000,
  },
  debitPayout(accountId, { payoutId, amount: 5_000, fee: 10 }),
  { ...common, kind: 'settle-payout', id: 'settle-payout:1', payoutId, amount: 5_000 },
  { ...common, kind: 'return-payout', id: 'return-payout:1', payoutId, amount: 700 },
  {
    ...common,
    kind: 'block-dispute',
    id: 'block-dispute:1',
    disputeId,
    depositId,
    amount: 8_000,
    captureUntil: 2_000_000_000,
  },
];

let ledger: DirectLedger;
beforeAll(async () => {
  ledger = await startDirectLedger();
  for (const command of commands) expect(await ledger.write(command)).toMatchObject([{ outcome: 'applied' }]);
  await ledger.database.query('create table kept as select * from reference');
});
beforeEach(async () => {
  await ledger.database.query('delete from reference');
  await ledger.database.query('insert into reference select * from kept');
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

async function findings(): Promise<readonly string[]> {
  const wrong = (await reconcile(ledger.database.pool)).filter(({ status }) => status !== 'OK');
  expect(wrong.map(({ name }) => name)).toEqual(wrong.length > 0 ? ['references_follow'] : []);
  return wrong.flatMap((check) => check.findings);
}

test('what is remembered of records follows from the chain', async () => {
  expect(await findings()).toEqual([]);
});

test.each([
  ['a deposit of another amount', `set amount = 999999 where id = '${depositId}'`, depositId],
  ['a deposit of which less is committed', `set used = 0 where id = '${depositId}'`, depositId],
  ['a deposit that retains more', `set held = held + 1 where id = '${depositId}'`, depositId],
  ['a payout of another fee', `set fee = 0 where id = '${payoutId}'`, payoutId],
  ['a payout that is not settled', `set state = 'debited' where id = '${payoutId}'`, payoutId],
  ['a payout of which more came back', `set used = 701 where id = '${payoutId}'`, payoutId],
  ['a payout whose debt is nowhere booked', `set shortfall = 5 where id = '${payoutId}'`, payoutId],
  ['a return that is remembered as a debt', `set used = 0, shortfall = 700 where id = '${payoutId}'`, payoutId],
  ['a refund that was reversed', `set state = 'reversed' where id = '${refundId}'`, refundId],
  ['a dispute that blocks less', `set held = held - 1 where id = '${disputeId}'`, disputeId],
  ['a dispute that lacks nothing any more', `set shortfall = 0 where id = '${disputeId}'`, disputeId],
  ['blocked money that is said to have gone', `set used = held, held = 0 where id = '${disputeId}'`, accountId],
  ['a dispute that was won', `set state = 'won' where id = '${disputeId}'`, disputeId],
  ['a record that nothing has made', `set id = id || 'x' where id = '${refundId}'`, refundId],
])('%s is found, and its record is named', async (_what, change, id) => {
  await ledger.database.query(`update reference ${change}`);
  expect(await findings()).toContainEqual(expect.stringContaining(id));
});

test('a record that is gone is found', async () => {
  await ledger.database.query(`delete from reference where id = '${payoutId}'`);
  expect(await findings()).toContainEqual(`${payoutId}: state nothing is remembered, settled follows`);
});
