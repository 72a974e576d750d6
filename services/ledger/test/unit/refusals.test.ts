import { describe, expect, test } from 'vitest';
import type { LedgerRefusal } from '@gateway/contracts/ledger';
import {
  clockSec,
  at,
  type Part,
  refusalOf,
  credit,
  retained,
  debit,
  settle,
  reverse,
  redebit,
  returnPart,
  refund,
  reverseRefund,
  redebitRefund,
  spend,
  block,
  bought,
  lose,
  win,
  overturn,
  extend,
  lapse,
  hold,
  later,
} from '../model/examples.ts';

describe('a command is refused', () => {
  const otherAccount = { accountId: 'acc_2' };
  const otherCurrency = { currency: 'MXN' };
  const needing: readonly [Part, readonly Part[]][] = [
    [{ kind: 'release-pending', depositId: 'dep_1', amount: 97 }, [retained]],
    [settle, [credit, debit]],
    [reverse, [credit, debit]],
    [redebit, [credit, debit, reverse]],
    [returnPart, [credit, debit, settle]],
    [refund, [credit]],
    [reverseRefund, [credit, refund]],
    [redebitRefund, [credit, refund, reverseRefund]],
    [block, [credit]],
    [extend, [credit, block]],
    [win, [credit, block]],
    [lose, [credit, block]],
    [overturn, [credit, block, lose]],
    [lapse, [credit, spend, block]],
    [{ ...at, kind: 'return-receipt', refundId: 'rfd_1', amount: 30 }, [hold]],
  ];

  test.each(needing.map(([last, before]) => [last.kind, last, before] as const))(
    '%s for a record that is unknown, of another account or another kind, and then for another currency',
    (_kind, last, before) => {
      const atSec = last.kind === 'lapse-dispute' ? clockSec + 100 : clockSec;
      expect(refusalOf(before, last, atSec)).toBeNull();
      expect(refusalOf([], last, atSec)).toBe('unknown_reference');
      expect(refusalOf(before, { ...last, ...otherAccount }, atSec)).toBe('unknown_reference');
      expect(refusalOf(before, { ...last, ...otherAccount, ...otherCurrency }, atSec)).toBe('unknown_reference');
      expect(refusalOf(before, { ...last, ...otherCurrency }, atSec)).toBe('currency_mismatch');
    },
  );

  test.each<[string, readonly Part[], Part, LedgerRefusal | null]>([
    ['a deposit that is credited already', [credit], credit, 'invalid_state'],
    [
      'more than is pending',
      [retained],
      { kind: 'release-pending', depositId: 'dep_1', amount: 98 },
      'exceeds_reference',
    ],
    ['nothing that is pending', [credit], { kind: 'release-pending', depositId: 'dep_1', amount: 97 }, 'invalid_state'],
    ['a payout beyond the balance', [credit], { ...debit, amount: 96 }, 'insufficient_funds'],
    ['a payout of all there is', [credit], { ...debit, amount: 95 }, null],
    ['a payout under way', [credit, { ...debit, amount: 10 }], { ...debit, amount: 10 }, 'invalid_state'],
    ['a payout that was given back', [credit, debit, reverse], debit, null],
    ['another amount of a payout', [credit, debit], { ...settle, amount: 59 }, 'exceeds_reference'],
    ['another fee of a payout', [credit, debit], { ...reverse, fee: 1 }, 'exceeds_reference'],
    ['a payout that is paid', [credit, debit, settle], reverse, 'invalid_state'],
    ['a payout that was not given back', [credit, debit], redebit, 'invalid_state'],
    [
      'more than a payout’s parts',
      [credit, debit, settle, { ...returnPart, amount: 40 }],
      returnPart,
      'exceeds_reference',
    ],
    ['all of a payout’s parts', [credit, debit, settle, { ...returnPart, amount: 35 }], returnPart, null],
    ['a part of what is under way', [credit, debit], returnPart, 'invalid_state'],
    [
      'more than the deposit',
      [credit, later, { ...later, depositId: 'dep_3' }],
      { ...refund, amount: 101 },
      'exceeds_reference',
    ],
    ['more than the deposit is taken for', [credit], { ...refund, depositAmount: 29 }, 'exceeds_reference'],
    ['a refund made already', [credit, refund], { ...refund, amount: 1 }, 'invalid_state'],
    ['a refund given back already', [credit, refund, reverseRefund], reverseRefund, 'invalid_state'],
    ['another amount of a refund', [credit, refund], { ...reverseRefund, amount: 29 }, 'exceeds_reference'],
    [
      'a refund of another deposit',
      [credit, later, refund],
      { ...reverseRefund, depositId: 'dep_2' },
      'unknown_reference',
    ],
    ['a refund that did not fail', [credit, refund], redebitRefund, 'invalid_state'],
    ['a dispute over more than the deposit', [credit], { ...block, amount: 101 }, 'exceeds_reference'],
    ['a dispute made already', [credit, block], { ...block, amount: 1 }, 'invalid_state'],
    ['a dispute that is decided', [credit, block, win], lose, 'invalid_state'],
    ['a dispute that is decided otherwise', [credit, block, lose], win, 'invalid_state'],
    ['a dispute that was not lost', [credit, block], overturn, 'invalid_state'],
    ['a longer dispute than its deposit', [credit, block], { ...extend, amount: 101 }, 'exceeds_reference'],
    ['a receipt held already', [hold], hold, 'invalid_state'],
    [
      'another amount of a receipt',
      [hold],
      { ...at, kind: 'return-receipt', refundId: 'rfd_1', amount: 29 },
      'exceeds_reference',
    ],
    [
      'a refund as a receipt',
      [credit, refund],
      { ...at, kind: 'return-receipt', refundId: 'rfd_1', amount: 30 },
      'invalid_state',
    ],
    [
      'a conversion into the same currency',
      [credit],
      { kind: 'convert', conversionId: 'cnv_1', amount: 5, targetCurrency: 'BRL', targetAmount: 5 },
      'currency_mismatch',
    ],
    ['a purchase in its own currency', [], { ...bought, targetCurrency: 'BRL' }, 'currency_mismatch'],
    ['more than an integer holds', [credit], { ...spend, amount: Number.MAX_SAFE_INTEGER }, 'balance_overflow'],
  ])('for %s', (_what, before, last, refusal) => {
    expect(refusalOf(before, last)).toBe(refusal);
  });

  test('when the deadline of its price has passed, from that second on', () => {
    const convert: Part = {
      kind: 'convert',
      conversionId: 'cnv_1',
      amount: 5,
      targetCurrency: 'USDT',
      targetAmount: 1,
    };
    expect(refusalOf([credit], { ...convert, notAfter: clockSec + 1 })).toBeNull();
    expect(refusalOf([credit], { ...convert, notAfter: clockSec })).toBe('deadline_passed');
  });
});
