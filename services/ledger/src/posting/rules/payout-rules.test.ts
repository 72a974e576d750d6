import { describe, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { PayoutReference } from '#src/posting/reference.ts';
import type { LedgerView } from '#src/posting/rule.ts';
import { debitPayout, reversePayout, settlePayout } from '#src/posting/rules/payout-rules.ts';
import { evaluate } from '#src/posting/rules/rules.ts';

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

describe('a payout', () => {
  const entered = (amount: number, type: string) => {
    const entry = { type, refType: 'payout', refId: payoutId };
    return { bucket: 'available', accountId, currency: 'BRL', amount, entry };
  };
  const own = (account: string, amount: number) => ({ bucket: 'system', account, currency: 'BRL', amount });

  function decide(command: object, references: readonly PayoutReference[], available = 0) {
    const whole: object = { ...common, provider: 'efi', ...command };
    const bucketsOf = () => ({ available, pending: 0, blocked: 0 });
    return evaluate(whole as LedgerCommand, { bucketsOf, reference: () => references[0] }, 0);
  }

  test('that was given back is debited anew, and no other is debited twice', () => {
    const reversed = { ...debited, state: 'reversed' } as const;
    expect(decide({ kind: 'debit-payout' }, [reversed])).toMatchObject({ references: [debited] });
    expect(decide({ kind: 'debit-payout' }, [debited])).toEqual({ refusal: 'invalid_state' });
    expect(decide({ kind: 'debit-payout' }, [{ ...reversed, currency: 'MXN' }])).toEqual({
      refusal: 'currency_mismatch',
    });
  });

  test('that is paid after it was given back is taken from what is there, and its provider paid it', () => {
    const reversed = { ...debited, state: 'reversed' } as const;
    expect(decide({ kind: 'redebit-payout' }, [reversed], 600)).toEqual({
      postings: [
        entered(-600, 'PAYOUT'),
        entered(-0, 'PAYOUT_FEE'),
        own('receivables', -2_000),
        own('fees', 100),
        own('provider:efi', 2_500),
      ],
      references: [{ ...debited, state: 'settled', shortfall: 2_000 }],
      amounts: { debited: 600, shortfall: 2_000 },
    });
  });

  test('that comes back is credited part by part, up to its amount', () => {
    const settled = { ...debited, state: 'settled', returned: 1_000 } as const;
    expect(decide({ kind: 'return-payout', amount: 1_500 }, [settled])).toEqual({
      postings: [entered(1_500, 'PAYOUT_RETURN'), own('provider:efi', -1_500)],
      references: [{ ...settled, returned: 2_500 }],
    });
    expect(decide({ kind: 'return-payout', amount: 1_501 }, [settled])).toEqual({
      refusal: 'exceeds_reference',
    });
  });

  test.each([
    ['settle-payout', 'debited', {}],
    ['reverse-payout', 'debited', { fee: 99 }],
    ['redebit-payout', 'reversed', { fee: 99 }],
  ] as const)('is the whole one for %s, in its currency and in the state before', (kind, state, otherFee) => {
    const found = { ...debited, state } as const;
    expect(decide({ kind }, [])).toEqual({ refusal: 'unknown_reference' });
    expect(decide({ kind }, [{ ...found, currency: 'MXN' }])).toEqual({ refusal: 'currency_mismatch' });
    expect(decide({ kind, amount: 2_499 }, [found])).toEqual({ refusal: 'exceeds_reference' });
    if ('fee' in otherFee) {
      expect(decide({ kind, ...otherFee }, [found])).toEqual({ refusal: 'exceeds_reference' });
    }
    expect(decide({ kind }, [{ ...found, state: 'settled' }])).toEqual({ refusal: 'invalid_state' });
  });
});
