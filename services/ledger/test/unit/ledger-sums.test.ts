import { expect, test } from 'vitest';
import type { StoredLink } from '#src/chain/link.ts';
import { LedgerSums } from '#src/reconciliation/ledger-sums.ts';

const link = (amount: number): StoredLink => ({
  ...{ sequence: 1, decidedAtMs: 0, commandId: 'adjust:one', request: {}, hash: '', commandRequestHash: null },
  ...{ outcome: 'applied', refusal: null, amounts: {}, balances: [] },
  postings: [
    ['acc_1', 'available', 'BRL', amount],
    ['adjustments', 'system', 'BRL', -100],
  ],
  entries: [['led_1', 'acc_1', 'BRL', 1, 'ADJUSTMENT', amount, 'adjustment', 'adj_1', amount]],
});

test.each([
  [101, 'DISCREPANCY'],
  [99, 'DISCREPANCY'],
  [100, 'OK'],
])('postings of %i and -100 are found to be %s: they add up to zero or not', (amount, status) => {
  const sums = new LedgerSums();
  sums.add(link(amount));
  expect(sums.sumToZero.status).toBe(status);
});

test('a result whose entries are not its postings is named with its first entry and the record of that', () => {
  const sums = new LedgerSums();
  const { postings, ...rest } = link(100);
  sums.add({
    ...rest,
    postings: postings.map(([account, , currency, amount]) => [account, 'pending', currency, amount]),
  });
  expect(sums.entriesEqualPostings.kept).toEqual([
    {
      ...{ kind: 'entries_differ', entryId: 'led_1', accountId: 'acc_1', recordId: 'adj_1' },
      text: 'result 1: entries are not its postings on available',
    },
  ]);
});
