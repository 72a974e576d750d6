import { expect, test } from 'vitest';
import type { PayoutReference } from '#src/posting/reference.ts';
import type { LedgerView } from '#src/posting/rule.ts';
import { debitPayout, reversePayout, settlePayout } from '#src/posting/rules/payout-rules.ts';

const accountId = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
const payoutId = 'pyt_01k9z3m4v6t8x0a2c4e6g8jk02';
const common = { environment: 'test', accountId, currency: 'BRL', payoutId, amount: 2_500, fee: 100 } as const;
const debited: PayoutReference = {
  kind: 'payout',
  id: payoutId,
  accountId,
  currency: 'BRL',
  amount: 2_500,
  fee: 100,
  state: 'debited',
  returned: 0,
  shortfall: 0,
};

function viewOf(reference?: PayoutReference): LedgerView {
  return { bucketsOf: () => ({ available: 10_000, pending: 0, blocked: 0 }), reference: () => reference };
}

/** What a decision moves, account by account. */
function moved(result: ReturnType<typeof debitPayout>): Record<string, number> {
  if (!('postings' in result)) throw new Error('the rule refused');
  const sums: Record<string, number> = {};
  for (const posting of result.postings) {
    const name = posting.bucket === 'system' ? posting.account : posting.bucket;
    sums[name] = (sums[name] ?? 0) + posting.amount;
  }
  return sums;
}

test('a payout is debited with its fee: the amount is in transit, the fee is earned', () => {
  const result = debitPayout({ ...common, kind: 'debit-payout', id: 'debit' }, viewOf(), 0);
  expect(moved(result)).toEqual({ available: -2_600, 'transit:payouts': 2_500, fees: 100 });
});

test('settlement moves the amount from transit to the provider, and leaves the merchant and the fee as they are', () => {
  const command = { ...common, kind: 'settle-payout', id: 'settle', provider: 'efi' } as const;
  expect(moved(settlePayout(command, viewOf(debited), 0))).toEqual({
    'transit:payouts': -2_500,
    'provider:efi': 2_500,
  });
});

test('a reversal gives back amount and fee: nothing is left in transit, and no fee is earned', () => {
  const result = reversePayout({ ...common, kind: 'reverse-payout', id: 'reverse' }, viewOf(debited), 0);
  expect(moved(result)).toEqual({ available: 2_600, 'transit:payouts': -2_500, fees: -100 });
});

test.each(['settled', 'reversed'] as const)('a payout that is %s is neither settled nor reversed again', (state) => {
  const view = viewOf({ ...debited, state });
  const settle = { ...common, kind: 'settle-payout', id: 'settle', provider: 'efi' } as const;
  expect(settlePayout(settle, view, 0)).toEqual({ refusal: 'invalid_state' });
  expect(reversePayout({ ...common, kind: 'reverse-payout', id: 'reverse' }, view, 0)).toEqual({
    refusal: 'invalid_state',
  });
});
