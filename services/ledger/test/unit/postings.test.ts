import { describe, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { referencedIds } from '#src/posting/referenced-ids.ts';
import {
  clockSec,
  common,
  at,
  type Part,
  postingsOf,
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

const provider = 'provider:sandbox';

/** The table of postings, written a second time: merchants see the entries, and reconciliation the accounts. */
const table: readonly [what: string, before: readonly Part[], last: Part, lines: readonly string[]][] = [
  ['a credit', [], credit, ['available 97 BRL DEPOSIT_NET deposit dep_1', 'fees 3 BRL', `${provider} -100 BRL`]],
  ['a credit that is retained', [], retained, ['pending 97 BRL', 'fees 3 BRL', `${provider} -100 BRL`]],
  [
    'a release',
    [retained],
    { kind: 'release-pending', depositId: 'dep_1', amount: 97 },
    ['pending -97 BRL', 'available 97 BRL DEPOSIT_NET deposit dep_1'],
  ],
  [
    'a payout',
    [credit],
    debit,
    [
      'available -60 BRL PAYOUT payout pyt_1',
      'available -2 BRL PAYOUT_FEE payout pyt_1',
      'transit:payouts 60 BRL',
      'fees 2 BRL',
    ],
  ],
  [
    'a payout without fee',
    [credit],
    { ...debit, fee: 0 },
    ['available -60 BRL PAYOUT payout pyt_1', 'transit:payouts 60 BRL'],
  ],
  ['a payout that is paid', [credit, debit], settle, ['transit:payouts -60 BRL', `${provider} 60 BRL`]],
  [
    'a payout that is given back',
    [credit, debit],
    reverse,
    [
      'available 60 BRL PAYOUT_REVERSAL payout pyt_1',
      'available 2 BRL PAYOUT_FEE_REVERSAL payout pyt_1',
      'transit:payouts -60 BRL',
      'fees -2 BRL',
    ],
  ],
  [
    'a payout that is paid after that, with the balance for a part of it',
    [credit, debit, reverse, spend],
    redebit,
    [
      'available -40 BRL PAYOUT payout pyt_1',
      'receivables -22 BRL',
      'fees 2 BRL',
      `${provider} 60 BRL`,
      '= debited 40',
      '= shortfall 22',
    ],
  ],
  [
    'a payout that is paid after that, with the balance for it',
    [credit, debit, reverse],
    redebit,
    [
      'available -60 BRL PAYOUT payout pyt_1',
      'available -2 BRL PAYOUT_FEE payout pyt_1',
      'fees 2 BRL',
      `${provider} 60 BRL`,
      '= debited 62',
      '= shortfall 0',
    ],
  ],
  [
    'a credit that pays what is owed of a payout, the amount before its fee',
    [credit, debit, reverse, spend, redebit],
    { ...later, amount: 21 },
    [
      'available 21 BRL DEPOSIT_NET deposit dep_2',
      `${provider} -21 BRL`,
      'available -20 BRL PAYOUT payout pyt_1',
      'available -1 BRL PAYOUT_FEE payout pyt_1',
      'receivables 21 BRL',
    ],
  ],
  [
    'a part of a payout that comes back',
    [credit, debit, settle],
    returnPart,
    ['available 25 BRL PAYOUT_RETURN payout pyt_1', `${provider} -25 BRL`],
  ],
  ['a refund', [credit], refund, ['available -30 BRL DEPOSIT_REFUND refund rfd_1', `${provider} 30 BRL`]],
  [
    'a refund that fails',
    [credit, refund],
    reverseRefund,
    ['available 30 BRL DEPOSIT_REFUND refund rfd_1', `${provider} -30 BRL`],
  ],
  [
    'a refund that is carried out after that, with the balance for a part of it',
    [credit, refund, reverseRefund, { ...spend, amount: -77 }],
    redebitRefund,
    [
      'available -20 BRL DEPOSIT_REFUND refund rfd_1',
      'receivables -10 BRL',
      `${provider} 30 BRL`,
      '= debited 20',
      '= shortfall 10',
    ],
  ],
  [
    'a credit that pays what is owed of a refund',
    [credit, refund, reverseRefund, { ...spend, amount: -77 }, redebitRefund],
    later,
    [
      'available 20 BRL DEPOSIT_NET deposit dep_2',
      `${provider} -20 BRL`,
      'available -10 BRL DEPOSIT_REFUND refund rfd_1',
      'receivables 10 BRL',
    ],
  ],
  [
    'a dispute',
    [credit],
    { ...block, amount: 90 },
    ['available -90 BRL MED_BLOCK dispute med_1', 'blocked 90 BRL', '= blocked 90'],
  ],
  [
    'a dispute over more than the balance',
    [credit, spend],
    block,
    ['available -40 BRL MED_BLOCK dispute med_1', 'blocked 40 BRL', '= blocked 40'],
  ],
  [
    'a dispute over a deposit that was refunded in part',
    [credit, refund, { ...later, amount: 500 }],
    block,
    ['available -70 BRL MED_BLOCK dispute med_1', 'blocked 70 BRL', '= blocked 70'],
  ],
  [
    'a credit that pays the shortfall of an open dispute',
    [credit, spend, block],
    later,
    [
      'available 20 BRL DEPOSIT_NET deposit dep_2',
      `${provider} -20 BRL`,
      'available -20 BRL MED_BLOCK dispute med_1',
      'blocked 20 BRL',
    ],
  ],
  [
    'a dispute that is won',
    [credit, spend, block],
    win,
    ['blocked -40 BRL', 'available 40 BRL MED_RELEASE dispute med_1', '= released 40'],
  ],
  [
    'a dispute that is lost',
    [credit, spend, block],
    lose,
    ['blocked -40 BRL', `${provider} 40 BRL`, '= returned 40', '= shortfall 60', '= released 0'],
  ],
  [
    'a dispute that is lost in part',
    [credit, spend, block],
    { ...lose, amount: 30 },
    [
      'blocked -40 BRL',
      `${provider} 30 BRL`,
      'available 10 BRL MED_RELEASE dispute med_1',
      '= returned 30',
      '= shortfall 0',
      '= released 10',
    ],
  ],
  [
    'a credit that pays the shortfall of a lost dispute',
    [credit, spend, block, lose],
    later,
    [
      'available 20 BRL DEPOSIT_NET deposit dep_2',
      `${provider} -20 BRL`,
      'available -20 BRL MED_BLOCK dispute med_1',
      `${provider} 20 BRL`,
    ],
  ],
  [
    'a lost dispute that is decided the other way, later credits included',
    [credit, spend, block, lose, later],
    overturn,
    ['available 60 BRL MED_RELEASE dispute med_1', `${provider} -60 BRL`, '= released 60'],
  ],
  [
    'a dispute whose deposit was not refunded after all',
    [credit, refund, block, reverseRefund],
    extend,
    ['available -27 BRL MED_BLOCK dispute med_1', 'blocked 27 BRL', '= extended 30'],
  ],
  [
    'a lost dispute whose deposit was not refunded after all',
    [credit, refund, { ...later, amount: 3 }, block, lose, reverseRefund],
    extend,
    ['available -30 BRL MED_BLOCK dispute med_1', `${provider} 30 BRL`, '= extended 30'],
  ],
  ['a dispute that covers all already', [credit, block], extend, ['= extended 0']],
  ['an orphan receipt', [], hold, [`${provider} -30 BRL`, 'suspense 30 BRL']],
  [
    'an orphan receipt that goes back',
    [hold],
    { ...at, kind: 'return-receipt', refundId: 'rfd_1', amount: 30 },
    ['suspense -30 BRL', `${provider} 30 BRL`],
  ],
  [
    'a conversion',
    [credit],
    { kind: 'convert', conversionId: 'cnv_1', amount: 50, targetCurrency: 'USDT', targetAmount: 9 },
    [
      'available -50 BRL CONVERSION conversion cnv_1',
      'fx 50 BRL',
      'fx -9 USDT',
      'available 9 USDT CONVERSION conversion cnv_1',
    ],
  ],
  [
    'USDT that was bought for conversions',
    [],
    { ...bought, amount: 100, fee: 2, targetAmount: 18 },
    ['treasury:bitso 100 BRL', 'trading-fees -2 BRL', 'fx -98 BRL', 'treasury:bitso -18 USDT', 'fx 18 USDT'],
  ],
  [
    "a provider's fee, which is our cost and no merchant's",
    [credit],
    { kind: 'provider-fee', provider: 'sandbox', lineId: 'sandbox:l1', amount: 85 },
    [`${provider} 85 BRL`, 'provider-costs -85 BRL'],
  ],
  [
    "a provider's fee that is given back",
    [],
    { kind: 'provider-fee', provider: 'sandbox', lineId: 'sandbox:l2', amount: -85 },
    [`${provider} -85 BRL`, 'provider-costs 85 BRL'],
  ],
  [
    "money of our own that came to a provider, and is no merchant's",
    [],
    { kind: 'own-funds', provider: 'sandbox', lineId: 'sandbox:l3', reference: null, amount: 900 },
    [`${provider} -900 BRL`, 'own-funds 900 BRL'],
  ],
  ['an adjustment', [credit], spend, ['available -57 BRL ADJUSTMENT adjustment adj_1', 'suspense 57 BRL']],
];

describe('the postings of', () => {
  test.each(table)('%s', (_what, before, last, lines) => {
    expect(postingsOf(before, last)).toEqual(lines);
  });

  test('a shortfall that lapses are none, and not made before its time', () => {
    expect(refusalOf([credit, spend, block], lapse, clockSec + 99)).toBe('invalid_state');
    expect(postingsOf([credit, spend, block], lapse, clockSec + 100)).toEqual(['= lapsed 60']);
    expect(refusalOf([credit, block, later], lapse, clockSec + 100)).toBe('invalid_state');
  });

  test('a dispute whose time is over, or that was won, are none however the refund ended', () => {
    const ended = [credit, refund, block, reverseRefund];
    expect(postingsOf(ended, extend, clockSec + 100)).toEqual(['= extended 0']);
    expect(postingsOf(ended, extend, clockSec + 99)).not.toEqual(['= extended 0']);
    expect(postingsOf([credit, refund, block, win, reverseRefund], extend)).toEqual(['= extended 0']);
  });
});

test('the records that a rule reads are named before it runs, so that they are loaded', () => {
  const idsOf = (part: Part) => referencedIds({ ...common, ...part } as unknown as LedgerCommand);
  expect([credit, debit, refund, block, win, hold, spend].map(idsOf)).toEqual([
    ['dep_1'],
    ['pyt_1'],
    ['dep_1', 'rfd_1'],
    ['dep_1', 'med_1'],
    ['med_1'],
    ['rfd_1'],
    [],
  ]);
});
