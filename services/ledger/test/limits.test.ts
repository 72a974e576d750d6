import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { adjust, creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

const max = Number.MAX_SAFE_INTEGER;
let ledger: DirectLedger;

beforeAll(async () => {
  ledger = await startDirectLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test('a balance reaches the largest exact integer, and no further: one more is refused and writes nothing', async () => {
  const accountId = newId('account');
  const steps = [adjust(accountId, max - 1), adjust(accountId, 1), adjust(accountId, 1), creditDeposit(accountId)];
  const results = await ledger.write(...steps);
  expect(results.map(({ outcome, refusal, balances }) => [outcome, refusal, balances[0]?.available])).toEqual([
    ['applied', null, max - 1],
    ['applied', null, max],
    ['refused', 'balance_overflow', max],
    ['refused', 'balance_overflow', max],
  ]);
  const entries = await ledger.database.query<{ balance_after: number }>(
    'select balance_after from entry where account_id = $1 order by number',
    [accountId],
  );
  expect(entries.map(({ balance_after }) => balance_after)).toEqual([max - 1, max]);
});

test('an account of ours is held to the same limit, for whomever the command is', async () => {
  // The account before has brought suspense to its end; another merchant's own balance is far from it.
  const [result] = await ledger.write(adjust(newId('account'), 1));
  expect(result).toMatchObject({ outcome: 'refused', refusal: 'balance_overflow', balances: [{ available: 0 }] });
  const checks = await reconcile(ledger.database.pool);
  expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
});
